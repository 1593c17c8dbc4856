"""From a read mail to what became of it, in one transaction a mail.

pipeline   recording, trying again, putting aside; steps: their order; context: what they share
identify   who wrote it, and what it may do; comparing: with the report that was sent
orders     orders, undo, policies and preview; confirm: what is asked about first; questions: what it only asks
bounced    mail of ours that came back
check      what the server would understand of mails in files
"""
