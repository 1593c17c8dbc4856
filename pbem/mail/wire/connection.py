"""What connections to mail servers have in common: certificates are verified, and a failure is a few words of ours."""

import socket
import ssl
from collections.abc import Iterator

from pbem.config import Account
from pbem.errors import ConfigError


def tls_context(account: Account) -> ssl.SSLContext:
    """A verifying context; a private certificate authority, if one is configured, is the only one trusted.

    Raises ConfigError when its file cannot be used.
    """
    try:
        return ssl.create_default_context(cafile=account.ca_file)
    except (OSError, ssl.SSLError) as error:
        raise ConfigError(f"ca_file {account.ca_file} is not a readable PEM file of certificates") from error


def in_words(error: BaseException) -> str:
    """What went wrong, as one would say it."""
    for cause in causes(error):
        match cause:
            case socket.gaierror():
                return "no machine of that name is known"
            case ConnectionRefusedError():
                return "nothing listens there"
            case ssl.SSLCertVerificationError():
                return f"its certificate is not accepted ({cause.verify_message})"
            case ssl.SSLError():
                return "it speaks no TLS there"
            case TimeoutError():
                return "no answer in time"
    return str(error) or type(error).__name__


def causes(error: BaseException) -> Iterator[BaseException]:
    """The error and what led to it, the nearest first."""
    seen: BaseException | None = error
    while seen is not None:
        yield seen
        seen = seen.__cause__ or seen.__context__
