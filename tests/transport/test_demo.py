"""`pbem demo` and `pbem play`, and the mail users that play in them."""

from __future__ import annotations

import asyncio
import mailbox
import os
import random
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from servers.table import MARKERS

from pbem.config import load
from pbem.demo import demo
from pbem.demo.client import Bot, Correspondent, Received, options_in, read, written
from pbem.demo.terminal import edited, far, write_answer
from pbem.errors import ConfigError
from pbem.play.verify import verify
from pbem.store import Store

REPORT = """Ann, it is your move. You are Red.
Answer by Tuesday.

FOR YOUR EYES ONLY
   1  nothing of this is an order

WHAT YOU MAY DO NOW
  Groat: Where do you place a minion?
  minion ...
     1 Dimwell, 2 The Hippo, 3 Isle of
     Gods
  use ...
     4 Dimwell
   5  interrupt Doctor Mossy
      Lawn
   6  skip
  Reply with one order a line.

==== ORDERS START ====

==== ORDERS END ====
"""
OPTIONS = (
    "minion Dimwell",
    "minion The Hippo",
    "minion Isle of Gods",
    "use Dimwell",
    "interrupt Doctor Mossy Lawn",
    "skip",
)
MAIL = Received(
    subject="[G001] your move", text=REPORT, message_id="<1@play.test>", reply_to="orders@play.test"
)


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_a_whole_game_comes_to_its_end_and_everything_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert demo.demo(players=2, seed=5, directory=tmp_path / "game", quiet=True) == 0
    said = capsys.readouterr().out
    assert "WHO WAS WHO" in said
    assert "G001 agrees" in said
    assert str(tmp_path / "game") in said


def test_the_same_seed_gives_the_same_game(tmp_path: Path) -> None:
    first, second = (moves(tmp_path / name) for name in ("first", "second"))
    assert first == second
    assert first[0]


def moves(folder: Path) -> tuple[list[object], str]:
    """The choices and the state after a few turns of a demo."""
    assert demo.demo(players=3, seed=7, directory=folder, turns=2, quiet=True) == 0
    with Store(load(folder / "pbem.toml").database).open() as store, store.reading() as tx:
        game = tx.find_game("G001")
        chain = [one for one in tx.chain(game.id, game.version) if one.turn <= 2]
        return [choice for one in chain for choice in one.added], chain[-1].digest


def test_what_it_wrote_serves_verify_afterwards(tmp_path: Path) -> None:
    demo.demo(players=2, seed=1, directory=tmp_path / "game", turns=1, quiet=True)
    with Store(load(tmp_path / "game" / "pbem.toml").database).open() as store:
        assert verify(store, "G001").agrees


def test_each_players_mails_are_kept_as_maildir_and_as_text(tmp_path: Path) -> None:
    demo.demo(players=2, seed=1, directory=tmp_path / "game", turns=2, quiet=True)
    rosie = tmp_path / "game" / "mail" / "rosie"
    texts = sorted((rosie / "text").iterdir())
    assert len(mailbox.Maildir(rosie / "Maildir")) == len(texts)
    assert "Welcome, Rosie" in texts[0].read_text()


def test_the_environment_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_IMAP__PASSWORD", "another")
    monkeypatch.setenv("PBEM_SMTP__HOST", "smtp.example.org")
    assert demo.demo(players=2, seed=1, directory=tmp_path / "game", turns=1, quiet=True) == 0


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter").write_text("mine")
    with pytest.raises(ConfigError, match="is not empty; name a new folder"):
        demo.demo(directory=tmp_path)


def test_without_the_extra_it_says_what_to_install() -> None:
    program = "import sys; sys.modules['pymap'] = None; from pbem.cli.main import main; sys.argv[1:] = ['demo']; main()"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1
    assert done.stderr == "pbem: pymap is not installed; pip install 'pbem[demo]'\n"


def test_a_person_plays_by_the_same_mails(tmp_path: Path) -> None:
    asked: list[Received] = []

    async def first_option_twice(mail: Received) -> str:
        asked.append(mail)
        return "quit" if len(asked) == 3 else mail.options[0]

    assert demo.play(players=2, seed=3, directory=tmp_path / "game", ask=first_option_twice) == 0
    assert len({mail.message_id for mail in asked}) == 3
    assert all(mail.asks for mail in asked)


def test_after_a_question_the_person_is_asked_again(tmp_path: Path) -> None:
    replies = iter(("card Rincewind", "quit"))
    asked: list[Received] = []

    async def question_first(mail: Received) -> str:
        asked.append(mail)
        return next(replies)

    assert demo.play(players=2, seed=3, directory=tmp_path / "game", ask=question_first) == 0
    assert len({mail.message_id for mail in asked}) == 1


def test_ctrl_c_leaves_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def ctrl_c(mail: Received) -> str:
        signal.raise_signal(signal.SIGINT)
        return await asyncio.Event().wait() or ""

    assert demo.play(players=2, seed=3, directory=tmp_path / "game", ask=ctrl_c) == 0
    assert f"You left G001. Its database and your mails lie in {tmp_path / 'game'}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        (b"play Groat\nminion Dimwell\n\nend\n", "play Groat\nminion Dimwell"),
        (b"\n 2 \n\n", "2"),
        (b"play Groat\nQuit\n", "quit"),
        (b"", "quit"),
        (b"play Groat\n", "play Groat"),
        (b"\x1b[4~\nplay\x1b[D\x1bOC Groat\n\n", "play Groat"),
    ],
)
async def test_orders_are_typed_line_by_line(
    typed: bytes, answer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading, writing = os.pipe()
    os.write(writing, typed)
    os.close(writing)
    with os.fdopen(reading) as terminal:
        monkeypatch.setattr("sys.stdin", terminal)
        assert await write_answer(MAIL) == answer


async def test_orders_may_come_from_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "orders").write_text("skip\n\n")
    with (tmp_path / "orders").open() as terminal:
        monkeypatch.setattr("sys.stdin", terminal)
        assert await write_answer(MAIL) == "skip"


def test_a_list_that_is_out_of_sight_is_far() -> None:
    below = replace(MAIL, text=REPORT + "THE CITY\n" * 20)
    assert (far(MAIL), far(below)) == (False, True)


def test_an_editor_writes_the_reply(tmp_path: Path) -> None:
    editor = tmp_path / "editor"
    editor.write_text(
        '#!/bin/sh\nprintf "minion Dimwell\\n" | cat - "$1" > "$1.new" && cat "$1.new" > "$1"\n'
    )
    editor.chmod(0o755)
    assert edited(str(editor), MAIL).startswith("minion Dimwell\n\n\n> Ann, it is your move.")


def test_an_editor_that_changes_nothing_leaves_the_table() -> None:
    assert edited("true", MAIL) == "quit"


def test_an_editor_that_fails_is_named() -> None:
    with pytest.raises(ConfigError, match="the editor 'false' failed"):
        edited("false", MAIL)


def test_a_mail_user_finds_the_options_in_the_text() -> None:
    assert options_in(REPORT) == OPTIONS


def test_a_mail_that_asks_nothing_has_no_options() -> None:
    assert (options_in("Ann, nothing for you.\n"), MAIL.asks) == ((), True)


@pytest.mark.parametrize(
    ("habit", "begins"),
    [
        ("above", "skip\n\nOn an earlier day"),
        ("bare", "skip\n"),
        ("numbers", "skip\n"),
        ("section", "> Ann, it is"),
    ],
)
def test_each_mail_program_writes_its_own_way(habit: str, begins: str) -> None:
    assert written(habit, ["skip"], MAIL, MARKERS).startswith(begins)


def test_orders_in_the_section_stand_between_the_markers() -> None:
    assert "> ==== ORDERS START ====\nskip\n>\n> ==== ORDERS END" in written(
        "section", ["skip"], MAIL, MARKERS
    )


class Writer(Bot):
    """A bot whose correspondent has a habit and nothing else."""

    def __init__(self, habit: str) -> None:
        correspondent = Correspondent.__new__(Correspondent)
        correspondent.habit = habit
        super().__init__(correspondent, random.Random(1))


@pytest.mark.parametrize(
    ("habit", "options", "order"),
    [
        ("above", ("skip", "minion Dimwell"), "minion Dimwell"),
        ("numbers", ("skip", "minion Dimwell"), "2"),
        ("above", ("skip",), "skip"),
        ("above", (), "1"),
    ],
)
def test_a_bot_rather_does_something(habit: str, options: Sequence[str], order: str) -> None:
    assert Writer(habit).order(options) == order


def test_a_mail_is_read_as_its_program_shows_it() -> None:
    raw = (
        b"From: The Clacks <orders@play.test>\r\nReply-To: orders+N6JR3CVE@play.test\r\n"
        b"Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\nMessage-ID: <1@play.test>\r\n"
        b"Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nGr=C3=BC=C3=9Fe\r\n"
    )
    assert read(raw) == Received("Grüße", "Grüße\n", "<1@play.test>", "orders+N6JR3CVE@play.test")
