"""Mail over the network: IMAP, SMTP, and composing a mail of ours."""
