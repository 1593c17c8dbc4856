"""Who sends mail: what a sender had leased when it died is due at the next start, and not before."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest

from pbem.store import NewOutbound, Store
from pbem.store.lock import among_senders

SENDER = """
import signal, sys
from datetime import datetime
from pbem.store import Store
with Store(sys.argv[1]) as store, store.sending():
    with store.transaction() as tx:
        print(len(tx.lease(datetime.fromisoformat(sys.argv[2]))), flush=True)
    signal.pause()
"""


@pytest.fixture(autouse=True)
def one_mail(store: Store, now: datetime) -> None:
    """There is something to be sent."""
    mail = NewOutbound(recipient="ann@example.org", message_id="<m1@play.test>", subject="x", kind="report", raw=b"x")
    with store.transaction() as tx:
        tx.queue(mail, now)


def lease(store: Store, now: datetime) -> list[int]:
    """Numbers of the mails that can be leased now."""
    with store.transaction() as tx:
        return [row.id for row in tx.lease(now)]


def test_leases_of_the_dead_end_when_a_sender_starts_alone(store: Store, now: datetime) -> None:
    with store.sending():
        assert lease(store, now) == [1]
    with store.sending():
        assert lease(store, now) == [1]


def test_leases_stay_while_their_sender_lives(store: Store, now: datetime) -> None:
    with store.sending():
        assert lease(store, now) == [1]
        with store.sending():
            assert lease(store, now) == []


def test_without_a_start_leases_of_the_dead_run_out(store: Store, now: datetime) -> None:
    with store.sending():
        lease(store, now)
    assert lease(store, now) == []


def test_a_killed_process_is_no_sender_any_more(store: Store, url: str, now: datetime) -> None:
    command = [sys.executable, "-c", SENDER, url, now.isoformat()]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(__file__).parents[2]) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"1\n"
        with store.sending():
            assert lease(store, now) == []
        os.kill(process.pid, signal.SIGKILL)
    with store.sending():
        assert lease(store, now) == [1]


def test_a_database_in_memory_has_no_file_to_lock() -> None:
    with Store("sqlite://") as nowhere, nowhere.sending():
        assert not Path("-senders").exists()


def test_a_file_that_cannot_be_had_keeps_nobody_from_sending(tmp_path: Path) -> None:
    with among_senders(tmp_path / "no" / "such", alone=pytest.fail):
        pass
