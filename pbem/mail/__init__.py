"""Everything about single mails, in three layers; each knows the one before it.

Reading, pure and total: from the bytes of a mail to an `Understood`.

    understand      the way through all of these
    message         headers and parts; addresses, charsets
    classify        what a machine wrote; authentication, bounces, tokens
    lines, markup   the lines of text and of HTML
    quotes          which of them somebody else wrote; footers: what stands round what was typed
    extract         what was typed; orders: the orders in it
    comparing       the same with what the server knows, such as the report that is answered
    phrases         what programs and companies write into mails; values: what goes in and comes out

Acting, in one transaction a mail: from an `Understood` to what became of it.

    pipeline        recording, trying again, putting aside; steps: their order; case: what they share
    identify        who wrote it, and what it may do
    acts, consent   what it changes; answers: what it only asks; returned: bounces
    compose         a mail of ours, as bytes

Travelling: imap (and imap_syntax), smtp, tls, their failures in words, and the outbox.
"""
