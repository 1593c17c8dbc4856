"""Mail addresses: the form in which they are kept, and in which two are the same."""

from functools import lru_cache

import idna
from email_validator import EmailNotValidError, validate_email


def address_key(address: str) -> str:
    """The form in which two spellings of one address are equal: its local part in lower case, and the A-label of its
    domain (RFC 5890). Whatever else differs makes another address."""
    local, at, domain = address.strip().rpartition("@")
    return local.lower() + at + a_label(domain)


def a_label(domain: str) -> str:
    """A domain as the DNS knows it, in lower case; one that cannot be encoded stays as it is."""
    if domain.isascii():
        return domain.lower()
    try:
        return idna.encode(domain, uts46=True).decode()
    except idna.IDNAError:
        return domain.lower()


@lru_cache(maxsize=1024)
def plausible_address(value: str, *, smtputf8: bool = False) -> str:
    """An address as it is kept: with the A-label of its domain. Raises ValueError, in a sentence, for what is none, and
    unless the server has SMTPUTF8 (RFC 6531) for letters other than ASCII before the @."""
    try:
        known = validate_email(value, check_deliverability=False, test_environment=True)
    except EmailNotValidError as error:
        raise ValueError(f"{value!r} is not a mail address: {error}") from error
    if known.smtputf8 and not smtputf8:
        raise ValueError(f"our mail server cannot write to {value!r}: it takes only plain letters before the @")
    return f"{known.local_part}@{known.ascii_domain}"
