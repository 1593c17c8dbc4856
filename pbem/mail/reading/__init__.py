"""From the bytes of a mail to what was typed in it: pure and total.

parse           the way through all of these; values: what goes in and comes out
message         headers and parts; addresses, charsets
machine         what a machine wrote; authentication, bounces, tokens
lines, html     the lines of text and of HTML
quotes          which of them somebody else wrote; footers: what stands round what was typed
typed           what was typed; orders: the orders in it
phrases         what programs and companies write into mails
"""
