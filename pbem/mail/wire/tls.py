"""The TLS context of a mail account: certificates are always verified."""

import ssl

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
