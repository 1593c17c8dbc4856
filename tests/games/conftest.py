"""The games of this folder, installed for its tests."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their folder is on the path, with the metadata that names them."""
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
