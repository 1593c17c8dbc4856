"""Every mail that a person receives: a context of plain values in, subject, text and HTML out."""
