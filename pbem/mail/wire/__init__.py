"""Mail over the network: IMAP, SMTP, the outbox, and composing."""
