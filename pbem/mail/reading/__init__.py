"""From the bytes of a mail to what was typed in it: pure and total.

parse           the way through all of these; values: what goes in and comes out
message         parts and their text; charsets; headers: addresses, tokens, authentication
machine         what a machine wrote, and what a bounce says
lines, html     the lines of text and of HTML
quotes          which of them somebody else wrote
typed           what was typed, without what stands round it and what we sent; orders: the orders in it
data            what programs, gateways and companies write into mails, a pattern a line
"""
