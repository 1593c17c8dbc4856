"""`pbem demo` and `pbem play`: whole games by real mail."""

from __future__ import annotations

import asyncio
import mailbox
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.config import load
from pbem.demo import demo
from pbem.demo.client import Received
from pbem.errors import ConfigError
from pbem.play.verify import verify
from pbem.store import Store

GAME = "ankh_morpork"


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_a_whole_game_comes_to_its_end_and_everything_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert demo.demo(GAME, players=2, seed=5, directory=tmp_path / "game", quiet=True) == 0
    said = capsys.readouterr().out
    assert "WHO WAS WHO" in said
    assert "G001 agrees" in said
    assert str(tmp_path / "game") in said


@pytest.mark.slow
def test_the_same_seed_gives_the_same_game(tmp_path: Path) -> None:
    first, second = (moves(tmp_path / name) for name in ("first", "second"))
    assert first == second
    assert first[0]


def moves(folder: Path) -> tuple[list[object], str]:
    """The choices and the state after a few turns of a demo."""
    assert demo.demo(GAME, players=3, seed=7, directory=folder, turns=2, quiet=True) == 0
    with Store(load(folder / "pbem.toml").database).open() as store, store.reading() as tx:
        game = tx.find_game("G001")
        chain = [version for version in tx.chain(game.id, game.version) if version.turn <= 2]
        return [choice for version in chain for choice in version.added], chain[-1].digest


def test_what_it_wrote_serves_verify_afterwards(tmp_path: Path) -> None:
    demo.demo(GAME, players=2, seed=1, directory=tmp_path / "game", turns=1, quiet=True)
    with Store(load(tmp_path / "game" / "pbem.toml").database).open() as store:
        assert verify(store, "G001").agrees


def test_each_players_mails_are_kept_as_maildir_and_as_text(tmp_path: Path) -> None:
    demo.demo(GAME, players=2, seed=1, directory=tmp_path / "game", turns=2, quiet=True)
    rosie = tmp_path / "game" / "mail" / "rosie"
    texts = sorted((rosie / "text").iterdir())
    assert len(mailbox.Maildir(rosie / "Maildir")) == len(texts)
    assert "Welcome, Rosie" in texts[0].read_text()


def test_the_environment_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_IMAP__PASSWORD", "another")
    monkeypatch.setenv("PBEM_SMTP__HOST", "smtp.example.org")
    assert demo.demo(GAME, players=2, seed=1, directory=tmp_path / "game", turns=1, quiet=True) == 0


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter").write_text("mine")
    with pytest.raises(ConfigError, match="is not empty; name a new folder"):
        demo.demo(GAME, directory=tmp_path)


def test_without_the_extra_it_says_what_to_install() -> None:
    program = "import sys; sys.modules['pymap'] = None; from pbem.cli.main import main; sys.argv[1:] = ['demo']; main()"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert done.stderr == "pbem: pymap is not installed; pip install 'pbem[demo]'\n"


def test_a_person_plays_by_the_same_mails(tmp_path: Path) -> None:
    asked: list[Received] = []

    async def first_option_twice(mail: Received) -> str:
        asked.append(mail)
        return "quit" if len(asked) == 3 else mail.options[0]

    assert demo.demo(GAME, players=2, seed=3, directory=tmp_path / "game", quiet=True, ask=first_option_twice) == 0
    assert len({mail.message_id for mail in asked}) == 3
    assert all(mail.question for mail in asked)


def test_after_a_question_the_person_is_asked_again_below_its_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    replies = iter(("card Rincewind", "quit"))
    asked: list[Received] = []

    async def question_first(mail: Received) -> str:
        asked.append(mail)
        return next(replies)

    assert demo.demo(GAME, players=2, seed=3, directory=tmp_path / "game", quiet=True, ask=question_first) == 0
    assert len({mail.message_id for mail in asked}) == 1
    screens, answer, again = capsys.readouterr().out.partition("A green card: random event, scroll")
    assert answer
    assert screens.count("|8 Dimwell ") == 1
    assert "|8 Dimwell " not in again
    assert screens.count(f"1 {asked[0].options[0]}\n") == again.count(f"1 {asked[0].options[0]}\n") == 1


def test_a_game_that_was_left_goes_on_where_it_stood(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    replies = iter(("1", "quit", "quit"))
    asked: list[Received] = []

    async def one_order_and_leave(mail: Received) -> str:
        asked.append(mail)
        return next(replies)

    folder = tmp_path / "game"
    assert demo.demo(GAME, players=2, seed=3, directory=folder, quiet=True, ask=one_order_and_leave) == 0
    assert f"pbem play --dir {folder}" in capsys.readouterr().out
    assert demo.demo(GAME, directory=folder, quiet=True, ask=one_order_and_leave) == 0
    _, left, again = asked
    assert again.options == left.options
    assert again.message_id != left.message_id
    with pytest.raises(ConfigError, match="is not empty"):
        demo.demo(GAME, directory=folder, quiet=True)
    with Store(load(folder / "pbem.toml").database).open() as store, store.transaction() as tx:
        tx.change_game(tx.find_game("G001").id, status="over")
    with pytest.raises(ConfigError, match="holds no game that goes on; name a new folder"):
        demo.demo(GAME, directory=folder, quiet=True, ask=one_order_and_leave)


def test_when_nothing_comes_of_a_reply_another_one_may_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("pbem.demo.terminal.Person.patience", 0.0)
    replies = iter(("card Groat", "quit"))

    async def writes(mail: Received) -> str:
        return next(replies)

    assert demo.demo(GAME, players=2, seed=3, directory=tmp_path / "game", quiet=True, ask=writes) == 0
    assert "Nothing has come of it so far" in capsys.readouterr().out


def test_ctrl_c_leaves_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def ctrl_c(mail: Received) -> str:
        signal.raise_signal(signal.SIGINT)
        return await asyncio.Event().wait() or ""

    assert demo.demo(GAME, players=2, seed=3, directory=tmp_path / "game", quiet=True, ask=ctrl_c) == 0
    assert f"You left G001. Its database and your mails lie in {tmp_path / 'game'}" in capsys.readouterr().out
