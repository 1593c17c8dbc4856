"""The daemon, its clock and its outbox, and what watches over them."""
