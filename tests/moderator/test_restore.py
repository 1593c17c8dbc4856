"""Putting a backup in the place of the database: nothing that can still be read is lost, and nobody gains by it."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.errors import StoreError
from pbem.mail.handling.pipeline import handle
from pbem.mail.reading.values import Fetched
from pbem.moderator import actions, inspect
from pbem.moderator.players import SeatSpec
from pbem.moderator.restore import Resumed, restore
from pbem.play.table import MATCHES
from pbem.play.verify import verify
from pbem.store import Ask, Replaced, Store, database


@pytest.fixture
def club(played_to):
    """Three turns have been played; it is Green's again, in version 4."""
    return played_to(4)


@pytest.fixture
def copy(evening: Path, tmp_path: Path) -> Path:
    """A backup from Green's turn before, in version 2."""
    (tmp_path / "backups").mkdir()
    return Path(shutil.copy(evening / "version-2.db", tmp_path / "backups" / "copy.db"))


def restored(club, copy: Path) -> tuple[Replaced, list[Resumed]]:
    """Restore; the store of the club is that of the new file then."""
    MATCHES._kept.clear()
    done = restore(club.settings, copy, lambda: club.now)
    club.store.close()
    return done


def gone(path: Path) -> None:
    """The disk of the database is lost."""
    for file in (path, Path(f"{path}-wal"), Path(f"{path}-shm")):
        file.unlink(missing_ok=True)


def asks(club) -> list[Ask]:
    with club.store.reading() as tx:
        return [ask for ask in tx.open_asks(tx.find_game("G001").id) if ask.moves]


def files(folder: Path) -> set[str]:
    return {file.name for file in folder.iterdir()}


def test_what_a_healthy_database_holds_is_all_there_again(club, copy: Path) -> None:
    club.adds("Friday", [SeatSpec("Cyd", "cyd@example.org"), SeatSpec("")])
    before = club.versions
    replaced, (resumed,) = restored(club, copy)
    assert (replaced.complete, resumed.version, resumed.game.version) == (True, 4, 5)
    assert club.versions[:-1] == before
    assert [player.name for player in club.players] == ["Ann", "Bob", "Cyd"]
    assert [stands.game.name for stands in inspect.games(club.moderator)] == ["Thursday night", "Friday"]
    assert verify(club.store, "G001").agrees


def test_without_the_old_database_the_game_goes_on_from_the_backup(club, copy: Path, tmp_path: Path) -> None:
    gone(tmp_path / "pbem.db")
    replaced, (resumed,) = restored(club, copy)
    assert (replaced.kept, replaced.taken, resumed.version, resumed.game.version) == (None, 0, 2, 3)
    club.moves("Green")
    assert verify(club.store, "G001").agrees


@pytest.mark.parametrize("lost", [False, True])
def test_what_nobody_has_seen_is_drawn_anew(club, copy: Path, tmp_path: Path, lost: bool) -> None:
    if lost:
        gone(tmp_path / "pbem.db")
    restored(club, copy)
    *_, last = club.versions
    assert (last.cause, bool(last.entropy)) == ("rollback", True)


def test_everybody_is_asked_again_and_told_why(club, copy: Path) -> None:
    old = asks(club)
    club.passes(1)
    restored(club, copy)
    told = [mail for mail in club.mails() if mail.kind == "rolled_back"]
    assert [mail.recipient for mail in told] == ["ann@example.org", "bob@example.org"]
    assert all("our database had to be restored" in mail.text and "shuffled anew" in mail.text for mail in told)
    (ask,) = asks(club)
    assert ask.number not in {before.number for before in old}
    assert ask.due_at == club.now + (old[0].due_at - old[0].opened_at)
    assert [entry.what for entry in club.log][-2:] == ["restore", "restore"]


def test_a_version_that_cannot_be_read_is_gone_back_from_and_its_orders_are_offered(club, copy: Path) -> None:
    (ask,) = asks(club)
    assert writes(club, "bob@example.org", ask.token, f"{ask.menu[0]}\nend") == "applied"
    with club.store.transaction() as tx:
        tx.connection.exec_driver_sql("UPDATE version SET snapshot = 'x' WHERE number = 5")
    replaced, (resumed,) = restored(club, copy)
    assert (replaced.complete, resumed.version, resumed.offered) == (False, 4, 1)
    (offer,) = [mail for mail in club.mails() if mail.kind == "parked"]
    assert offer.recipient == "bob@example.org"
    assert "are of the time before our database was restored" in " ".join(offer.text.split())
    assert ask.menu[0] in offer.text
    with club.store.reading() as tx:
        token = next(ask.token for ask in tx.open_asks(resumed.game.id) if ask.parked)
    assert writes(club, "bob@example.org", token, "yes") == "applied"
    with club.store.reading() as tx:
        assert tx.find_game("G001").turn == 5
    assert verify(club.store, "G001").agrees


def writes(club, sender: str, token: str, text: str) -> str:
    """A mail with this token, and what became of it."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, "orders@play.example.org", f"Re: orders [{token}]"
    message["Message-ID"] = f"<{token}.{len(text)}@client.example>"
    message.set_content(text)
    club.passes(0.1)
    raw = message.as_bytes()
    return handle(club.store, club.settings, Fetched(uid=0, uidvalidity=0, size=len(raw), raw=raw), club.now)


def test_orders_under_a_token_that_is_lost_are_offered_for_one_yes(club, copy: Path, tmp_path: Path) -> None:
    club.moves("Green")
    (ask,) = asks(club)
    gone(tmp_path / "pbem.db")
    restored(club, copy)
    (now_asked,) = asks(club)
    assert writes(club, "bob@example.org", ask.token, f"{now_asked.menu[0]}\nend") == "parked"
    with club.store.reading() as tx:
        (offer,) = [ask for ask in tx.open_asks(ask.game_id) if ask.parked]
    assert writes(club, "bob@example.org", offer.token, "yes") == "applied"


def test_orders_under_a_token_of_before_are_offered_as_well(club, copy: Path, tmp_path: Path) -> None:
    """Such as those that had been carried out, when the moderator moves their mails back to the inbox."""
    with Store(f"sqlite:///{copy}").open() as backup, backup.reading() as tx:
        (ask,) = [ask for ask in tx.open_asks(tx.find_game("G001").id) if ask.due_at]
    gone(tmp_path / "pbem.db")
    restored(club, copy)
    assert writes(club, "bob@example.org", ask.token, f"{asks(club)[0].menu[0]}\nend") == "parked"
    with club.store.reading() as tx:
        (offer,) = [ask for ask in tx.open_asks(ask.game_id) if ask.parked]
        assert tx.find_game("G001").version == 3
    assert writes(club, "bob@example.org", offer.token, "yes") == "applied"


@pytest.mark.parametrize("moved", [[""], ["", "-wal"], ["", "-wal", "-shm"]])
def test_a_swap_that_was_broken_off_is_undone_by_the_next_one(
    club, copy: Path, tmp_path: Path, moved: list[str]
) -> None:
    with closing(sqlite3.connect(tmp_path / "pbem.db")) as reader:  # so that the -wal stays
        reader.execute("SELECT * FROM meta")
        club.moves("Green")
        club.store.close()
        for beside in moved:
            (tmp_path / f"pbem.db{beside}").rename(tmp_path / f"pbem.db.leaving{beside}")
    replaced, (resumed,) = restored(club, copy)
    assert (replaced.complete, resumed.version) == (True, 5)
    assert not any("leaving" in name for name in files(tmp_path))


def test_a_swap_that_was_broken_off_at_its_end_is_ended(club, copy: Path, tmp_path: Path) -> None:
    shutil.copy(tmp_path / "pbem.db", tmp_path / "pbem.db.leaving")
    _, (resumed,) = restored(club, copy)
    assert resumed.version == 4
    assert "pbem.db.replaced-20260301-120000-before" in files(tmp_path)


def test_a_half_finished_turn_goes_on_where_it_was(club, tmp_path: Path) -> None:
    (ask,) = asks(club)
    club.acts("Green", ask.menu[0])
    club.store.backup(tmp_path / "half.db")
    (before,) = inspect.games(club.moderator)
    gone(tmp_path / "pbem.db")
    restored(club, tmp_path / "half.db")
    (after,) = inspect.games(club.moderator)
    assert (after.waiting, after.game.turn) == (before.waiting, before.game.turn)
    club.acts(after.waiting[0], "end")
    assert verify(club.store, "G001").agrees


@pytest.mark.parametrize("status", ["paused", "over"])
def test_a_paused_game_stays_paused_and_one_that_is_over_stays_over(club, copy: Path, status: str) -> None:
    with club.store.transaction() as tx:
        game = tx.find_game("G001")
        tx.pause_game(game.id, club.now) if status == "paused" else tx.change_game(game.id, status="over")
    _, games = restored(club, copy)
    assert len(games) == (status == "paused")
    with club.store.reading() as tx:
        assert tx.find_game("G001").status == status


def test_a_seat_that_has_changed_hands_since_stays_with_its_new_player(club, copy: Path) -> None:
    actions.replace_player(club.moderator, "G001", "Green", SeatSpec("Cyd", "cyd@example.org"))
    restored(club, copy)
    assert club.told("rolled_back") == ["ann@example.org", "cyd@example.org"]


def test_a_database_of_other_games_is_kept_and_nothing_taken_from_it(club, copy: Path, tmp_path: Path) -> None:
    gone(tmp_path / "pbem.db")
    with Store(club.settings.database).create() as store:
        club.store = store
        club.adds("Another", [SeatSpec("Cyd", "cyd@example.org"), SeatSpec("")])
    replaced, (resumed,) = restored(club, copy)
    assert (replaced.taken, replaced.why_not, resumed.version) == (0, "it holds other games", 2)
    assert replaced.kept is not None
    with Store(f"sqlite:///{replaced.kept}").open() as old, old.reading() as tx:
        assert [game.name for game in tx.games()] == ["Another"]


def test_the_old_files_are_kept_together_and_no_log_of_theirs_lies_beside_the_new_one(
    club, copy: Path, tmp_path: Path
) -> None:
    with club.store.transaction() as tx:
        tx.remember("silence_told_at", "in the -wal")
    replaced, _ = restored(club, copy)
    assert replaced.kept is not None
    assert {f"{replaced.kept.name}{beside}" for beside in ("", "-wal", "-shm")} <= files(tmp_path)
    assert not {"pbem.db-wal", "pbem.db-shm"} & files(tmp_path)
    with Store(f"sqlite:///{replaced.kept}").open() as old, old.reading() as tx:
        assert tx.remembered("silence_told_at") == "in the -wal"


def test_a_log_without_its_database_destroys_nothing(club, copy: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "pbem.db")) as reader:  # so that the -wal stays
        reader.execute("SELECT * FROM meta")
        with club.store.transaction() as tx:
            tx.remember("silence_told_at", "x")
        club.store.close()
        (tmp_path / "pbem.db").unlink()
    assert (tmp_path / "pbem.db-wal").stat().st_size
    restored(club, copy)
    club.moves("Green")
    assert verify(club.store, "G001").agrees
    assert "pbem.db.replaced-20260301-120000-wal" in files(tmp_path)


def test_a_backup_that_was_laid_beside_an_old_log_is_restored(club, copy: Path, tmp_path: Path) -> None:
    """What the advice was before there was this command."""
    with closing(sqlite3.connect(tmp_path / "pbem.db")) as reader:
        reader.execute("SELECT * FROM meta")
        club.moves("Green")
        club.store.close()
        shutil.copy(copy, tmp_path / "pbem.db")
    _, (resumed,) = restored(club, copy)
    assert resumed.version >= 2
    with club.store.reading() as tx:
        assert tx.connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
    assert verify(club.store, "G001").agrees


def test_what_the_backup_knows_for_good_is_not_taken_from_damaged_rows(club, copy: Path) -> None:
    with club.store.transaction() as tx:
        tx.connection.exec_driver_sql("UPDATE game SET seed = X'00'")
        tx.connection.exec_driver_sql("UPDATE version SET digest = 'x' WHERE number = 1")
        tx.connection.exec_driver_sql("UPDATE version SET snapshot = 'x', added = NULL WHERE number = 0")
    _, (resumed,) = restored(club, copy)
    assert resumed.version == 4
    assert verify(club.store, "G001").agrees


def test_a_game_goes_on_when_the_row_of_the_game_itself_is_lost(club, copy: Path) -> None:
    with club.store.transaction() as tx:
        tx.connection.exec_driver_sql("UPDATE game SET settings = 'no JSON'")
    replaced, (resumed,) = restored(club, copy)
    assert (replaced.complete, resumed.version, resumed.game.version) == (False, 4, 5)
    assert verify(club.store, "G001").agrees


def test_what_is_left_of_a_file_that_was_cut_short_is_taken_over(club, copy: Path, tmp_path: Path) -> None:
    club.store.close()
    os.truncate(tmp_path / "pbem.db", (tmp_path / "pbem.db").stat().st_size - 5000)
    replaced, (resumed,) = restored(club, copy)
    assert (replaced.taken > 20, replaced.complete, resumed.version >= 2) == (True, False, True)
    assert replaced.kept is not None
    assert replaced.kept.stat().st_size % 4096, "it is kept as it was"


def test_what_lies_behind_a_damaged_first_page_is_taken_over(club, copy: Path, tmp_path: Path) -> None:
    club.store.close()
    with (tmp_path / "pbem.db").open("r+b") as file:
        file.write(os.urandom(4096))
    replaced, (resumed,) = restored(club, copy)
    assert (replaced.complete, resumed.version) == (True, 4)


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_damaged_the_games_go_on(club, copy: Path, tmp_path: Path, seed: int) -> None:
    club.store.close()
    rng, path = random.Random(seed), tmp_path / "pbem.db"
    with path.open("r+b") as file:
        for _ in range(2 * seed + 1):
            file.seek(4096 * rng.randrange(path.stat().st_size // 4096) + rng.randrange(2000))
            file.write(rng.randbytes(rng.choice([1, 20, 2000])))
    _, (resumed,) = restored(club, copy)
    assert (resumed.problem, resumed.version >= 2) == ("", True)
    assert verify(club.store, "G001").agrees
    with club.store.reading() as tx:
        assert tx.connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
        assert tx.connection.exec_driver_sql("PRAGMA foreign_key_check").all() == []


def test_a_file_that_was_overwritten_is_replaced(club, copy: Path, tmp_path: Path) -> None:
    gone(tmp_path / "pbem.db")
    (tmp_path / "pbem.db").write_bytes(b"a letter to my aunt, " * 1000)
    replaced, (resumed,) = restored(club, copy)
    assert (replaced.taken, replaced.why_not, resumed.version) == (0, "it cannot be opened", 2)


def newer(path: Path) -> None:
    with closing(sqlite3.connect(path)) as changed, changed:
        changed.execute("UPDATE alembic_version SET version_num = '9999'")


def damaged(path: Path) -> None:
    with path.open("r+b") as file:
        for page in range(2, path.stat().st_size // 4096):
            file.seek(4096 * page)
            file.write(os.urandom(100))


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda path: path.unlink(), "there is no file"),
        (lambda path: path.write_bytes(b""), "it is no database of pbem"),
        (lambda path: path.write_bytes(b"words " * 1000), "file is not a database"),
        (newer, "was made by a newer pbem"),
        (damaged, "cannot be restored"),
    ],
)
def test_a_backup_that_cannot_be_used_changes_nothing(
    club, copy: Path, tmp_path: Path, spoil: Callable[[Path], None], said: str
) -> None:
    spoil(copy)
    before, versions = files(tmp_path), club.versions
    with pytest.raises(StoreError, match=f"{said}.*nothing was changed"):
        restore(club.settings, copy, lambda: club.now)
    assert (files(tmp_path), club.versions) == (before, versions)


def test_the_database_is_no_backup_of_itself(club, copy: Path, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="is the database itself"):
        restore(club.settings, tmp_path / "pbem.db", lambda: club.now)


def test_nothing_is_replaced_while_another_program_writes(
    club, copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.01)
    with club.store.transaction(), pytest.raises(StoreError, match="locked by another program"):
        restore(club.settings, copy, lambda: club.now)
    assert not any("replaced" in name or "part" in name for name in files(tmp_path))


def test_a_daemon_that_goes_on_running_finds_the_new_database(club, copy: Path) -> None:
    club.moves("Green")
    MATCHES._kept.clear()
    restore(club.settings, copy, lambda: club.now)
    with pytest.raises(StoreError, match="was moved away or replaced; try again"):
        club.moves("Red")
    (stands,) = inspect.games(club.moderator)
    assert (stands.game.version, stands.waiting) == (6, ("Red",))


def test_only_its_owner_may_read_a_restored_database(club, copy: Path, tmp_path: Path) -> None:
    copy.chmod(0o644)
    restored(club, copy)
    assert oct((tmp_path / "pbem.db").stat().st_mode & 0o777) == "0o600"


def test_a_backup_that_nobody_may_write_is_restored(club, copy: Path, tmp_path: Path) -> None:
    copy.chmod(0o400)
    copy.parent.chmod(0o500)
    try:
        _, (resumed,) = restored(club, copy)
    finally:
        copy.parent.chmod(0o700)
    assert resumed.version == 4
