"""The daemon, the clock of the deadlines, and what watches over both."""
