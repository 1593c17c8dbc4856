"""What a trusted server found out about where a mail comes from (RFC 8601)."""

from __future__ import annotations

from typing import Any, cast

from authres import AuthenticationResultsHeader

from pbem.mail.reading.message import Part

FAILED = ("fail", "permerror", "softfail", "policy", "hardfail")


def authenticated(mail: Part, sender: str, trusted: str | None) -> bool | None:
    """False when a trusted result fails, True when one passes for the sender's domain, None when there is none.

    One failure outweighs any number of passes, so that a forged header cannot help.
    """
    if not trusted:
        return None
    results: list[tuple[str, str, str]] = []
    for value in mail.all("authentication-results")[:20]:
        if value.split(";")[0].split()[:1] != [trusted]:
            continue
        results += _results(value)
    if not results:
        return None
    domain = sender.rpartition("@")[2]
    by_method: dict[str, set[str]] = {}
    for method, result, where in results:
        by_method.setdefault(method, set()).add(result)
        if result == "pass" and _aligned(where, domain):
            by_method.setdefault("aligned", set()).add(method)
    dmarc = by_method.get("dmarc", set())
    if dmarc & set(FAILED):
        return False
    if "pass" in dmarc or "aligned" in by_method:
        return True
    failures = (by_method.get("spf", set()) | by_method.get("dkim", set())) & set(FAILED)
    passes = "pass" in by_method.get("spf", set()) | by_method.get("dkim", set())
    if failures and not passes:
        return False
    return None


def _results(value: str) -> list[tuple[str, str, str]]:
    """(method, result, domain it speaks of) for each result in one header."""
    try:
        header = cast(Any, AuthenticationResultsHeader).parse(f"Authentication-Results: {value}")
    except Exception:  # noqa: BLE001 - a header that cannot be read proves nothing
        return []
    found = []
    for result in header.results:
        where = ""
        for ptype_property in getattr(result, "properties", ()):
            if ptype_property.name in ("d", "i", "mailfrom", "from"):
                where = str(ptype_property.value).rpartition("@")[2]
        found.append((str(result.method).lower(), str(result.result).lower(), where.lower()))
    return found


def _aligned(where: str, domain: str) -> bool:
    """Whether one domain is the other or lies under it."""
    return bool(where) and (where == domain or domain.endswith("." + where) or where.endswith("." + domain))
