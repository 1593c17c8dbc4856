"""Mail in three layers; each knows only the ones before it.

reading     from the bytes of a mail to what was typed; pure and total
wire        IMAP, SMTP, and a mail of ours as bytes
handling    from a read mail to what became of it, in one transaction
"""
