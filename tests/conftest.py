"""What all tests share."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

# Test machines are noisy: a slow example is not a failing one.
settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("default")


@pytest.fixture(autouse=True)
def no_configuration_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings of the person who runs the tests change nothing."""
    for name in list(os.environ):
        if name.startswith("PBEM_") and name != "PBEM_REQUIRE_DOVECOT":
            monkeypatch.delenv(name)
