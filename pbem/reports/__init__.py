"""Every mail that a person receives: a context of plain values in, subject, text and HTML out.

contexts    what each kind of mail may know; for those who write templates
render      a context and its templates -> a mail's words
layout      text in columns; filters: cleaning, dates, menus, links
"""
