"""`pbem admin` as it is typed: what is printed, and how it fails."""

from __future__ import annotations

import json

import pytest

from pbem.cli.admin import app
from pbem.cli.main import guarded
from pbem.mail.handling import pipeline
from pbem.play.table import MATCHES
from pbem.store import NewInbound


@pytest.fixture
def run(club, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> object:
    """Types a command; gives its exit status, and what it prints and says."""
    monkeypatch.setenv("PBEM_CONFIG", str(club.config))

    def typed(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        status = guarded(lambda: app(list(words), standalone_mode=False))
        return status, *capsys.readouterr()

    return typed


@pytest.fixture
def typed(run) -> object:
    """Types a command that must succeed; gives what it prints."""

    def succeeds(*words: str) -> str:
        status, printed, said = run(*words)
        assert status == 0, said
        return printed

    return succeeds


@pytest.fixture
def fails(run) -> object:
    """Types a command that must fail; gives the one line that it says."""

    def typed(*words: str) -> str:
        status, _, said = run(*words)
        assert (status, said.count("\n")) == (1, 1)
        return said.removeprefix("pbem: ").rstrip()

    return typed


def test_a_game_from_its_first_day_to_a_rollback(typed, club) -> None:
    assert "G001 Thursday night: added" in typed(
        "new", "Thursday night", "Ann <ann@example.org>", "Bob <bob@example.org>", "bot", "--turn-hours", "24"
    )
    assert "started" in typed("start", "G001")
    assert "Thursday night" in typed("games")
    (game,) = [json.loads(line) for line in typed("games", "--json").splitlines()]
    assert (game["code"], game["status"], game["version"] > 0) == ("G001", "running", True)
    assert "THE CITY" in typed("show", "thursday night")
    assert "YOUR HAND" in typed("show", "G001", "--seat", "Red", "--reveal", "a test")
    with club.store.reading() as tx:
        ask = next(ask for ask in tx.open_asks(tx.find_game("G001").id) if ask.due_at)
    colour, order = game["seats"][ask.seat]["colour"], ask.menu[0]
    assert f"done: {order}" in typed("act-as", "G001", colour, order, "--why", "by telephone")
    back = typed("rollback", "G001", "--turn", "1", "--why", "a slip")
    assert "turn 1 again" in back or "turn 2 again" in back, "a bot may begin, and moves at once"
    numbers = [json.loads(line)["number"] for line in typed("versions", "G001", "--json").splitlines()]
    assert numbers == sorted(numbers)
    assert "digest" not in typed("versions", "G001", "--json")
    assert "rollback" in typed("versions", "G001")
    assert "paused" in typed("pause", "G001", "-m", "holiday")
    assert "goes on" in typed("resume", "G001")
    assert "due" in typed("extend", "G001", "48")
    assert "is played by Cyd" in typed("replace", "G001", "Green", "Cyd <cyd@example.org>")
    assert "new report for Ann" in typed("resend", "G001", "Red")
    said = [json.loads(line)["what"] for line in typed("log", "--json").splitlines()]
    assert said[:5] == ["new", "start", "show", "act-as", "rollback"]
    assert "by telephone" in typed("log", "G001")


def test_a_broken_version_is_named_wherever_it_is_met(typed, club, game) -> None:
    club.moves("Red")
    with club.store.transaction() as tx:
        tx.connection.exec_driver_sql("UPDATE version SET snapshot = 'x' WHERE number = 2")
    MATCHES._kept.clear()
    assert "\nversion 2 is broken; `pbem admin rollback G001` goes back to this one\n" in typed("show", "G001")
    assert [line.split()[-1] for line in typed("versions", "G001").splitlines()] == ["STATE", "ok", "broken"]
    assert typed("rollback", "G001").endswith("version 3, from version 1; version 2 is broken\n")
    assert "broken;" not in typed("show", "G001")


def test_a_game_can_be_started_as_it_is_made(typed) -> None:
    assert "started" in typed("new", "Friday", "Ann <ann@example.org>", "bot", "--start")


def test_nothing_is_said_to_be_none(typed) -> None:
    assert typed("games") == ""
    assert typed("mail", "--json") == ""


def test_players_are_listed_and_their_addresses_changed(typed, fails, game) -> None:
    assert "ann@example.org" in typed("players")
    said = typed("address", "ann@example.org", "ann@work.example", "--why", "she telephoned")
    assert "reports for Ann go to ann@example.org\nand to ann@work.example from 2026" in said
    assert "from 2026" in next(line for line in typed("players").splitlines() if "ann@work.example" in line)
    assert "go to ann@example.org\n" in typed("address", "--remove", "ann@work.example", "--why", "a mistake")
    (ann, _) = [json.loads(line) for line in typed("players", "--json").splitlines()]
    assert [known["address"] for known in ann["addresses"]] == ["ann@example.org"]
    assert (ann["moving_to"], ann["moving_at"]) == ("", None)
    assert fails("address", "ann@example.org", "--why", "x") == "give the address to use, or --remove"


def test_mail_is_listed_shown_and_tried_again(typed, club, game) -> None:
    with club.store.transaction() as tx:
        kept = tx.record_inbound(
            NewInbound(
                b"Subject: x\r\n\r\n\x1b[2Jboo", club.now, 1, 1, sender="ann@example.org", subject="x [N6JR3CVE]"
            )
        )
        tx.settle_inbound(kept, "quarantined", reason="KeyError", error="Traceback ...")
    assert "KeyError" in typed("mail")
    listed = [json.loads(line) for line in typed("mail", "--all", "--json").splitlines()]
    assert {mail["direction"] for mail in listed} == {"in", "out"}
    assert "N6JR3CVE" not in json.dumps(listed)
    assert "Traceback ..." in typed("mail", "show", str(kept))
    shown = typed("mail", "show", str(kept), "--reveal", "what is it?")
    assert "boo" in shown
    assert "\x1b" not in shown
    assert f"mail {kept}: ignored" in typed("mail", "retry", str(kept))
    assert "in the outbox again" in typed("mail", "retry", "1", "--out")


def test_an_export_goes_to_a_file_or_to_the_terminal(typed, game, tmp_path) -> None:
    target = tmp_path / "game.json"
    assert f"wrote {target}" in typed("export", "G001", "-o", str(target))
    assert json.loads(target.read_text(encoding="utf-8")) == json.loads(typed("export", "G001"))


def test_an_export_overwrites_nothing(fails, club, game) -> None:
    for file in (club.store.file, club.config):
        before = file.read_bytes()
        assert fails("export", "G001", "-o", str(file)) == f"{file} exists already; choose another name"
        assert file.read_bytes() == before


def test_a_backup_is_a_database(typed, game, tmp_path) -> None:
    assert "wrote" in typed("backup", str(tmp_path / "copy.db"))
    assert (tmp_path / "copy.db").read_bytes().startswith(b"SQLite format 3")


def test_a_nightly_backup_is_restored(typed, game, club, tmp_path) -> None:
    printed = typed("backup", str(tmp_path / "nightly"), "--keep", "2")
    (written,) = (tmp_path / "nightly").iterdir()
    assert printed == f"wrote {written}\n"
    assert "pbem-" in written.name
    club.moves("Red")
    printed = typed("restore", str(written), "--why", "a test")
    assert "G001 Thursday night: goes on in turn 2 from version 2\n" in printed
    assert "; all of it was taken over\n" in printed
    (tmp_path / "pbem.db").unlink()
    printed = typed("restore", str(written))
    assert "from version 1\n" in printed
    assert "move it from Processed back to INBOX" in printed


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["show", "thursday"], 'no game "thursday"; pbem admin games lists them'),
        (["start", "G9"], 'no game "G9"; pbem admin games lists them'),
        (["new", "Solo", "Ann <ann@example.org>"], "Discworld: Ankh-Morpork is for 2 to 4, not for 1"),
        (["new", "Duo", "Ann", "bot"], "'Ann' is no player; write 'Ann <ann@example.org>', or 'bot'"),
        (
            ["new", "Duo", "bot", "bot", "--game", "chess"],
            'no game "chess" is installed; installed: ankh_morpork, goofspiel',
        ),
        (["new", "Duo", "bot", "bot", "--rule", "13"], "'13' is no rule; write it as NAME=VALUE"),
        (["mail", "show", "7"], "no received mail 7; pbem admin mail lists them"),
        (["mail", "retry", "7", "--out"], "no sent mail 7; pbem admin mail --all lists them"),
        (["rollback", "G1", "--turn", "1", "--version", "1"], "give --version or --turn, not both"),
        (["games", "-c", "/nowhere.toml"], "no configuration /nowhere.toml; `pbem init` writes one"),
        (["backup", "/nowhere/copy.db"], "/nowhere/copy.db cannot be written; check its folder"),
    ],
)
def test_what_cannot_be_done_is_one_line_that_says_what_to_do(fails, words: list[str], said: str) -> None:
    assert fails(*words) == said


def test_a_refused_order_shows_the_line_and_fails(fails, game) -> None:
    assert fails("act-as", "G001", "Red", "play Excalibur", "-m", "test") == (
        "nothing was done; `pbem admin show G001` says what the game waits for"
    )


def test_a_refused_order_says_why_and_what_would_be_right(run, game) -> None:
    _, printed, _ = run("act-as", "G001", "Red", "play Excalibur", "-m", "test")
    assert "refused: play Excalibur\n    no legal order resembles it; write one of these: play " in printed


def test_settings_are_changed_and_printed(typed, game) -> None:
    printed = typed("settings", "G001", "--turn-hours", "48", "--reactions", "sealed", "--replay-page")
    assert "G001 Thursday night: turn hours 48.0, " in printed
    assert "reactions sealed" in printed
    assert "replay page True" in printed


def test_a_player_reads_deadlines_in_their_own_time_zone(typed, fails, club, game) -> None:
    assert "Ann reads dates in Asia/Tokyo" in typed("timezone", "ann@example.org", "Asia/Tokyo")
    typed("resend", "G001", "Red")
    assert " JST" in club.mails()[-1].text
    assert "the time zone of each game" in typed("timezone", "ann@example.org", "")
    assert fails("timezone", "ann@example.org", "Mars/Olympus") == (
        "'Mars/Olympus' is not a time zone such as Europe/Berlin"
    )


def test_an_export_that_cannot_be_written_is_one_line(fails, game) -> None:
    assert fails("export", "G001", "-o", "/nowhere/x.json") == (
        "/nowhere/x.json cannot be written: No such file or directory"
    )


def test_a_mail_that_still_fails_is_said(fails, club, game, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise KeyError("again")

    with club.store.transaction() as tx:
        kept = tx.record_inbound(NewInbound(b"x", club.now, 1, 1))
        tx.settle_inbound(kept, "quarantined")
    monkeypatch.setattr(pipeline, "take_steps", fail)
    assert fails("mail", "retry", str(kept)) == f"it still cannot be handled; `pbem admin mail show {kept}` says why"


@pytest.mark.parametrize("code", ["[N6JR3CVE]", "N6JR3CVE"])
def test_orders_in_a_subject_are_shown_for_a_reason_alone(typed, club, game, code: str) -> None:
    with club.store.transaction() as tx:
        subject = f"Re: [G001] Thursday night, turn 1: your move {code} play Groat; end"
        kept = tx.record_inbound(NewInbound(b"Subject: x", club.now, 1, 1, sender="ann@example.org", subject=subject))
    for shown in (typed("mail", "show", str(kept)), typed("mail", "--all", "--json")):
        assert "Groat" not in shown
        assert "N6JR3CVE" not in shown
        assert "your move [...]" in shown
