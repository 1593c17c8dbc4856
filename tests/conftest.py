"""What all tests share."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from pbem.store import Store
    from tests.servers.browser import Browser

# The servers and the browser of the tests, `tests/servers`, are found as `servers`.
sys.path.insert(0, str(Path(__file__).parent))

# Test machines are noisy: a slow example is not a failing one.
settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("default")


@pytest.fixture(autouse=True)
def no_configuration_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings of the person who runs the tests change nothing."""
    for name in list(os.environ):
        if name.startswith("PBEM_"):
            monkeypatch.delenv(name)


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database that has been set up, to be copied: migrations take longer than a test."""
    from pbem.store import Store  # not at the top: most tests need no database, and it takes half a second

    path = tmp_path_factory.mktemp("database") / "empty.db"
    with Store(f"sqlite:///{path}").create():
        return path


@pytest.fixture
def fresh_database(empty_database: Path) -> Iterator[Callable[[Path], Store]]:
    """Makes an empty database at a path; the store is closed at the end of the test."""
    from pbem.store import Store

    with ExitStack() as stores:

        def make(path: Path) -> Store:
            shutil.copy(empty_database, path)
            return stores.enter_context(Store(f"sqlite:///{path}").open())

        yield make


@pytest.fixture
def chromium() -> Iterator[Browser]:
    """A page in a headless Chromium."""
    from servers.browser import browser, program

    if program() is None:
        if os.environ.get("REQUIRE_CHROMIUM"):
            pytest.fail("REQUIRE_CHROMIUM is set, but there is no Chromium on this machine")
        pytest.skip("no Chromium on this machine")
    with browser() as page:
        yield page
