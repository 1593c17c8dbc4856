"""From the bytes of a mail to what it says: kind, sender, orders, tokens. Pure and total: it never raises."""

from __future__ import annotations

from pbem.mail.values import BounceInfo, Kind, Limits, Reading, Understood

__all__ = ["BounceInfo", "Kind", "Limits", "Reading", "Understood", "understand"]


def understand(raw: bytes, reading: Reading) -> Understood:
    """Read one mail, whatever its bytes are."""
    return Understood("unsupported", "", reason="not read yet")
