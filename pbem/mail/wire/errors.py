"""Why a mail server cannot be reached, in a few words instead of a library's."""

import socket
import ssl
from collections.abc import Iterator


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
