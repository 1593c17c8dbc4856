from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import pytest

from pbem.errors import StoreError
from pbem.store import NewOutbound, OutboundId, Store, database


def fill(store: Store, now: datetime, count: int) -> None:
    with store.transaction() as tx:
        for number in range(count):
            tx.queue(NewOutbound("ann@example.org", f"<{number}@x>", "subject", "report", b"raw"), now)


def drain(store: Store, now: datetime) -> list[OutboundId]:
    """Lease until nothing is left, two at a time."""
    taken: list[OutboundId] = []
    while True:
        with store.transaction() as tx:
            mails = tx.lease(now, limit=2)
        if not mails:
            return taken
        taken += [mail.id for mail in mails]


def test_two_threads_lease_each_mail_once(store: Store, now: datetime) -> None:
    fill(store, now, 40)
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(lambda _: drain(store, now), range(2))
    assert sorted(first + second) == list(range(1, 41))


DRAIN = """
    import sys
    from datetime import datetime
    from pbem.store import Store

    taken = []
    now = datetime.fromisoformat(sys.argv[2])
    with Store(sys.argv[1]).open() as store:
        print("ready", flush=True)
        sys.stdin.readline()
        while True:
            with store.transaction() as tx:
                mails = tx.lease(now, limit=2)
            if not mails:
                break
            taken += [mail.id for mail in mails]
    print(*taken)
"""


@contextmanager
def program(text: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Another process that runs this program, once it has said that it is ready."""
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(text), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield process


def test_two_processes_lease_each_mail_once(store: Store, url: str, now: datetime) -> None:
    fill(store, now, 40)
    with program(DRAIN, url, now.isoformat()) as first, program(DRAIN, url, now.isoformat()) as second:
        for process in (first, second):
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        taken = [int(word) for process in (first, second) for word in process.communicate()[0].split()]
    assert sorted(taken) == list(range(1, 41))


def test_a_transaction_that_reads_first_sees_no_change_in_between(store: Store) -> None:
    def count_up(_: int) -> None:
        with store.transaction() as tx:
            tx.remember("mailbox_read_every", str(int(tx.remembered("mailbox_read_every") or 0) + 1))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(count_up, range(40)))
    with store.reading() as tx:
        assert tx.remembered("mailbox_read_every") == "40"


def test_who_only_looks_is_not_held_up_and_sees_one_moment(store: Store) -> None:
    with store.transaction() as writing:
        writing.remember("mailbox_read_at", "new")
        with store.reading() as looking:
            assert looking.remembered("mailbox_read_at") is None
    with store.reading() as looking:
        assert looking.remembered("mailbox_read_at") == "new"


def test_who_only_looks_cannot_wait_for_a_writer_that_started_first(store: Store) -> None:
    ended = threading.Event()

    def look() -> None:
        with store.reading() as tx:
            tx.games()
        ended.set()

    with store.transaction() as tx:
        tx.remember("mailbox_read_at", "new")
        threading.Thread(target=look).start()
        assert ended.wait(10)


def test_a_locked_database_is_one_sentence(url: str, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.01)
    with Store(url) as other, store.transaction() as tx:
        tx.remember("mailbox_read_at", "mine")
        with pytest.raises(StoreError, match="locked by another program"), other.transaction():
            pytest.fail("two writers at once")


def test_a_full_disk_undoes_the_transaction_and_is_one_sentence(store: Store, now: datetime) -> None:
    def fill_the_disk() -> None:
        with store.transaction() as tx:
            pages = tx.connection.exec_driver_sql("PRAGMA page_count").scalar()
            tx.connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
            tx.remember("mailbox_read_at", "new")
            tx.queue(NewOutbound("a@example.org", "<1@x>", "s", "report", os.urandom(1_000_000)), now)

    with pytest.raises(StoreError, match="is full; nothing was changed"):
        fill_the_disk()
    with store.reading() as tx:
        assert tx.remembered("mailbox_read_at") is None


CRASH = """
    import sys
    from datetime import datetime
    from pbem.store import NewInbound, NewOutbound, Store

    now = datetime.fromisoformat(sys.argv[2])
    with Store(sys.argv[1]).open() as store:
        number = 0
        while True:
            number += 1
            with store.transaction() as tx:
                tx.record_inbound(NewInbound(b"end", now, 7, number, f"<{number}@y>", "d"))
                if number == 20:
                    print("ready", flush=True)
                tx.queue(NewOutbound("ann@example.org", f"<{number}@x>", "s", "report", b"raw" * 1000), now)
                tx.remember("mailbox_read_every", str(number))
"""


def test_a_killed_process_leaves_whole_transactions_only(store: Store, url: str, now: datetime) -> None:
    with program(CRASH, url, now.isoformat()) as process:
        process.send_signal(signal.SIGKILL)
        process.wait()
    with Store(url).open() as after, after.reading() as tx:
        count = int(tx.remembered("mailbox_read_every") or 0)
        assert count >= 19
        assert len(tx.received(limit=10_000)) == len(tx.sent(limit=10_000)) == count
        assert tx.connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("nonsense", "cannot be used; `sqlite:///pbem.db` is the usual one"),
        ("sqlite:////nowhere/at/all.db", "check that its folder exists"),
        ("oracle9://x", "the database URL"),
        ("sqlite://", "a database in memory keeps nothing"),
        ("sqlite:///:memory:", "a database in memory keeps nothing"),
    ],
)
def test_a_database_that_cannot_be_made_is_one_sentence(url: str, said: str) -> None:
    with pytest.raises(StoreError, match=said):
        Store(url).create()


def test_a_file_that_is_no_database_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "pbem.db").write_bytes(b"this is a letter to my aunt, " * 100)
    with (
        pytest.raises(StoreError, match="is damaged or no database"),
        Store(f"sqlite:///{tmp_path / 'pbem.db'}") as store,
    ):
        store.open()


def test_a_password_in_the_url_is_not_shown() -> None:
    with pytest.raises(StoreError) as caught:
        Store("postgresql+nothing://pbem:hunter2@localhost/pbem")
    assert "hunter2" not in str(caught.value)


def test_sqlite_is_durable_concurrent_and_strict(store: Store) -> None:
    with store.reading() as tx:
        asked = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        found = {name: tx.connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in asked}
    assert found == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 15000}


def moved_away(path: Path) -> None:
    """Put another database in the place of this one, as nobody should while it is in use."""
    path.rename(path.with_suffix(".old"))
    with Store(f"sqlite:///{path}").create():
        pass


def test_nothing_is_written_into_a_database_that_was_moved_away(store: Store, tmp_path: Path) -> None:
    with store.transaction() as tx:
        tx.remember("mailbox_read_at", "old")
    moved_away(tmp_path / "pbem.db")
    with pytest.raises(StoreError, match="was moved away or replaced; try again"), store.transaction():
        pytest.fail("this would be lost")


def test_what_comes_after_a_moved_database_is_in_the_one_that_took_its_place(store: Store, tmp_path: Path) -> None:
    with store.transaction() as tx:
        tx.remember("mailbox_read_at", "old")
    moved_away(tmp_path / "pbem.db")
    with pytest.raises(StoreError) as caught, store.reading():
        pytest.fail("this is past")
    assert caught.value.__cause__ is not None, "as for any failure of the database, the mail stays where it is"
    with store.transaction() as tx:
        assert tx.remembered("mailbox_read_at") is None


def test_a_database_that_was_deleted_is_not_made_anew(store: Store, tmp_path: Path) -> None:
    with store.transaction() as tx:
        tx.remember("mailbox_read_at", "old")
    (tmp_path / "pbem.db").unlink()
    for _ in range(2):
        with pytest.raises(StoreError, match=r"was moved away|cannot be opened"), store.transaction():
            pytest.fail("there is nothing to write to")
    assert not (tmp_path / "pbem.db").exists()
