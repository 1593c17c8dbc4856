"""pbem, a play-by-e-mail game server."""

__version__ = "0.1.0"
