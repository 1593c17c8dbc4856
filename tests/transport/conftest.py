"""Mail servers for tests: those in this process, and a Dovecot of our own where one is installed."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from servers.certificates import Authority
from servers.dovecot import DOVECOT, Dovecot
from servers.proxy import Wire, wire_to
from servers.sink import Sink, smtp_sink

from pbem.demo.servers import PostOffice, post_office

USERS = {"orders": "secret", "ann": "ann's own", "bob": "bob's own", "mod": "moderate"}


@pytest.fixture
async def office() -> AsyncIterator[PostOffice]:
    """IMAP and SMTP in this process, with mailboxes for the game, two players and the moderator."""
    async with post_office(USERS) as office:
        yield office


@pytest.fixture
async def sink() -> AsyncIterator[Sink]:
    """An SMTP server that answers as it is told."""
    async with smtp_sink() as sink:
        yield sink


@pytest.fixture
async def wire(office: PostOffice) -> AsyncIterator[Wire]:
    """A wire to the IMAP server in this process."""
    async with wire_to(office.imap_port) as wire:
        yield wire


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """A certificate authority that no program knows."""
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture
def dovecot() -> Iterator[Dovecot]:
    """A private Dovecot; without one on the machine the test is skipped, unless it must run."""
    if DOVECOT is None:
        if os.environ.get("REQUIRE_DOVECOT"):
            pytest.fail("REQUIRE_DOVECOT is set, but there is no dovecot on this machine")
        pytest.skip("no dovecot on this machine")
    # Not below pytest's folder, which only its owner may enter: Dovecot's children run as somebody else.
    root = Path(tempfile.mkdtemp(prefix="pbem-dovecot-"))
    root.chmod(0o755)
    server = Dovecot(root)
    try:
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(root, ignore_errors=True)
