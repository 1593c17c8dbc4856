"""`pbem doctor` explains each failure of configuration in a sentence that says what to change."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from servers.certificates import Authority
from servers.proxy import Wire
from servers.sink import Sink, smtp_sink
from servers.table import game_table, inbox

from pbem import protocol
from pbem.config import Imap, Mail, Settings, Smtp
from pbem.demo.servers import PostOffice, post_office
from pbem.server import doctor, mail_checks
from pbem.store import Store, database


def settings_for(office: PostOffice, *, imap: Imap | None = None, smtp: Smtp | None = None, **mail: object) -> Settings:
    return Settings(
        imap=imap or office.imap("orders"),
        smtp=smtp or office.smtp("orders"),
        mail=Mail(**{"address": "orders@play.example.org", "moderator": "mod@example.org", **mail}),
    )


async def imap_says(office: PostOffice, **changes: object) -> str:
    """What the doctor says about the first thing that fails with the mailbox; empty when nothing does."""
    checks = await doctor.mailbox(settings_for(office, imap=office.imap("orders", **changes)))
    return "; ".join(check.sentence for check in checks if not check.ok)


async def smtp_says(office: PostOffice, **changes: object) -> str:
    checks = await doctor.sending(settings_for(office, smtp=office.smtp("orders", **changes)))
    return "; ".join(check.sentence for check in checks if not check.ok)


async def test_a_mailbox_in_order_passes_every_check(office: PostOffice) -> None:
    checks = await doctor.mailbox(settings_for(office))
    assert [(check.name, check.ok) for check in checks] == [
        ("imap connection", True), ("imap login", True), ("imap folders", True), ("imap idle", True), ("imap move", True),
    ]  # fmt: skip


async def test_a_mail_server_in_order_passes_every_check_and_sends_nothing(office: PostOffice) -> None:
    checks = await doctor.sending(settings_for(office))
    assert [(check.name, check.ok) for check in checks] == [
        ("smtp connection", True), ("smtp login", True), ("smtp sender", True),
    ]  # fmt: skip
    assert await inbox(office, "mod") == 0


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"host": "imap.invalid", "allow_plain": True}, "no machine is called imap.invalid; correct imap.host"),
        ({"port": 1}, "nothing listens at 127.0.0.1:1; correct imap.port"),
        ({"tls": True}, "speaks no TLS; correct imap.port"),
        ({"password": SecretStr("wrong")}, "correct imap.user and PBEM_IMAP__PASSWORD"),
        ({"inbox": "Orders"}, "has no folder 'Orders'"),
    ],
)
async def test_a_wrong_setting_of_imap_is_named(office: PostOffice, wrong: dict[str, object], said: str) -> None:
    assert said in await imap_says(office, **wrong)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"host": "smtp.invalid", "allow_plain": True}, "no machine is called smtp.invalid; correct smtp.host"),
        ({"port": 1}, "nothing listens at 127.0.0.1:1; correct smtp.port"),
        ({"tls": "implicit"}, "speaks no TLS; correct smtp.port"),
        ({"tls": "starttls"}, "offers no STARTTLS"),
        ({"password": SecretStr("wrong")}, "correct smtp.user and PBEM_SMTP__PASSWORD"),
    ],
)
async def test_a_wrong_setting_of_smtp_is_named(office: PostOffice, wrong: dict[str, object], said: str) -> None:
    assert said in await smtp_says(office, **wrong)


async def test_imap_plain_on_a_tls_port(authority: Authority) -> None:
    async with post_office({"orders": "secret"}, tls=authority.server()) as office:
        said = await imap_says(office, timeout=0.5)
    assert "expects TLS from the first byte; set imap.tls = true" in said


async def test_imap_certificate_of_an_unknown_authority(authority: Authority) -> None:
    async with post_office({"orders": "secret"}, tls=authority.server()) as office:
        said = await imap_says(office, tls=True, host="localhost")
    assert "comes from no known authority" in said
    assert "set imap.ca_file" in said


async def test_imap_certificate_for_another_name(authority: Authority) -> None:
    context = authority.server(authority.issue("elsewhere", "DNS:imap.elsewhere.example"))
    async with post_office({"orders": "secret"}, tls=context) as office:
        said = await imap_says(office, tls=True, host="localhost", ca_file=authority.ca_file)
    assert "the certificate is for another name" in said
    assert "set imap.host" in said


async def test_imap_ca_file_that_is_none(office: PostOffice, tmp_path: Path) -> None:
    said = await imap_says(office, tls=True, ca_file=tmp_path / "missing.pem")
    assert "missing.pem is not a readable PEM file" in said


async def test_imap_folder_that_cannot_be_created(wire: Wire, office: PostOffice) -> None:
    wire.changes |= {b"OK [MAILBOXID": b"NO [MAILBOXID"}
    said = await imap_says(office, port=wire.port)
    assert "cannot create the folder 'Processed'" in said
    assert "INBOX.Processed" in said


async def test_imap_server_without_idle_and_move_is_no_failure(wire: Wire, office: PostOffice) -> None:
    wire.changes |= {b" IDLE": b"", b" MOVE": b""}
    checks = await doctor.mailbox(settings_for(office, imap=office.imap("orders", port=wire.port)))
    assert all(check.ok for check in checks)
    assert "no IDLE: the mailbox is looked at every 60 seconds" in [check.sentence for check in checks]
    assert "no MOVE: handled mail is copied and deleted instead" in [check.sentence for check in checks]


async def test_imap_server_that_never_answers(wire: Wire, office: PostOffice) -> None:
    wire.silent = True
    said = await imap_says(office, port=wire.port, timeout=0.2)
    assert "correct imap.host and imap.port, or open the firewall" in said


async def test_smtp_plain_on_a_tls_port(authority: Authority) -> None:
    async with post_office({"orders": "secret"}, tls=authority.server()) as office:
        said = await smtp_says(office, timeout=0.5)
    assert 'expects TLS from the first byte; set smtp.tls = "implicit"' in said


async def test_smtp_certificate_of_an_unknown_authority(authority: Authority) -> None:
    async with post_office({"orders": "secret"}, starttls=authority.server()) as office:
        said = await smtp_says(office, tls="starttls", host="localhost")
    assert "comes from no known authority" in said


async def test_smtp_server_that_offers_no_login(office: PostOffice, sink: Sink) -> None:
    checks = await doctor.sending(settings_for(office, smtp=sink.smtp(user="orders", password=SecretStr("x"))))
    assert "offers no login" in checks[-1].sentence


async def test_smtp_server_that_wants_a_login(office: PostOffice) -> None:
    async with smtp_sink(password="secret") as sink:
        checks = await doctor.sending(settings_for(office, smtp=sink.smtp()))
    assert not checks[-1].ok
    assert "wants a login" in checks[-1].sentence


async def test_smtp_server_that_refuses_our_address(office: PostOffice, sink: Sink) -> None:
    sink.will("MAIL", "553 5.7.1 not yours")
    checks = await doctor.sending(settings_for(office, smtp=sink.smtp()))
    assert "set mail.address to an address of this account" in checks[-1].sentence


def configuration_says(settings: Settings) -> list[str]:
    return [check.sentence for check in doctor.configuration(settings) if not check.ok]


async def test_settings_in_order_are_one_check(office: PostOffice) -> None:
    (check,) = doctor.configuration(settings_for(office))
    assert check.ok


async def test_everything_wrong_among_the_settings_is_listed_at_once(office: PostOffice, tmp_path: Path) -> None:
    (tmp_path / "open").write_text("secret")
    (tmp_path / "open").chmod(0o640)
    imap = office.imap("orders", password=None)
    smtp = office.smtp("orders", password=None, password_file=tmp_path / "open")
    said = configuration_says(settings_for(office, imap=imap, smtp=smtp, moderator="orders@play.example.org"))
    assert [sentence.partition(";")[0].partition(":")[0] for sentence in said] == [
        "mail.moderator is the game's own address orders@play.example.org",
        "imap.user is set but there is no password",
        f"others on this machine can read {tmp_path / 'open'}",
    ]
    assert "set PBEM_IMAP__PASSWORD" in said[1]


@pytest.mark.parametrize(("mode", "shared"), [(0o600, False), (0o400, False), (0o604, True), (0o640, True)])
async def test_a_password_file_that_others_can_read(
    office: PostOffice, tmp_path: Path, mode: int, shared: bool
) -> None:
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "secret").chmod(mode)
    imap = office.imap("orders", password=None, password_file=tmp_path / "secret")
    assert bool(configuration_says(settings_for(office, imap=imap))) == shared


async def test_a_password_file_that_is_missing(office: PostOffice, tmp_path: Path) -> None:
    imap = office.imap("orders", password=None, password_file=tmp_path / "secret")
    (said,) = configuration_says(settings_for(office, imap=imap))
    assert "no secret can be read from" in said


async def test_a_token_command_that_fails(office: PostOffice) -> None:
    smtp = office.smtp("orders", auth="xoauth2", token_command="false")
    (said,) = configuration_says(settings_for(office, smtp=smtp))
    assert "token_command failed" in said


@pytest.fixture
def store(tmp_path: Path, fresh_database: Callable[[Path], Store]) -> Store:
    return fresh_database(tmp_path / "pbem.db")


def database_says(tmp_path: Path, path: str = "pbem.db") -> dict[str, str]:
    """What is wrong with a database, by the name of the check."""
    settings = Settings.model_construct(database=f"sqlite:///{tmp_path / path}")
    return {check.name: check.sentence for check in doctor.database(settings) if not check.ok}


def test_a_database_in_order_is_written_and_read_through(store: Store, tmp_path: Path) -> None:
    (tmp_path / "pbem.db").chmod(0o600)
    assert database_says(tmp_path) == {}
    with store.reading() as tx:
        assert tx.remembered("doctor_tried_at")


def test_a_database_that_is_missing_is_not_made(tmp_path: Path) -> None:
    assert "there is no database" in database_says(tmp_path, "no/pbem.db")["database"]
    assert list(tmp_path.iterdir()) == []


def test_a_database_that_others_can_read(store: Store, tmp_path: Path) -> None:
    (tmp_path / "pbem.db").chmod(0o644)
    assert "chmod 600 it" in database_says(tmp_path)["database privacy"]


@pytest.mark.parametrize(
    ("pragma", "said"),
    [("query_only = ON", "cannot be written"), ("max_page_count = 1", "is full; nothing was changed")],
)
def test_a_database_that_cannot_be_written(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pragma: str, said: str
) -> None:
    """As on a disk that is read-only, or full."""
    (tmp_path / "pbem.db").chmod(0o600)
    with closing(sqlite3.connect(tmp_path / "pbem.db")) as whole:
        whole.execute("VACUUM")  # no page is free
    prepare = database.prepare_sqlite

    def hindered(connection: Any, record: Any) -> None:
        prepare(connection, record)
        connection.execute(f"PRAGMA {pragma}")

    monkeypatch.setattr(database, "prepare_sqlite", hindered)
    assert said in database_says(tmp_path)["database"]


@pytest.mark.parametrize(("free", "ok"), [(doctor.ROOM - 1, False), (doctor.ROOM, True)])
def test_a_disk_that_is_nearly_full(free: int, ok: bool) -> None:
    check = doctor.room(free)
    assert (check.ok, "make room" in check.sentence) == (ok, not ok)


def test_a_damaged_database_is_not_called_ok(store: Store, tmp_path: Path) -> None:
    (tmp_path / "pbem.db").chmod(0o600)
    with closing(sqlite3.connect(tmp_path / "pbem.db")) as broken, broken:
        broken.execute("PRAGMA writable_schema = ON")
        broken.execute("UPDATE sqlite_master SET rootpage = 3 WHERE name = 'audit'")
    said = database_says(tmp_path)["database integrity"]
    assert said.startswith("it is damaged (")
    assert "`pbem admin restore FILE`" in said


def test_rows_that_cannot_be_read_are_counted(tmp_path: Path, office: PostOffice) -> None:
    with game_table(tmp_path, office.imap("orders"), office.smtp("orders")) as table:
        with table.store.transaction() as tx:
            tx.connection.exec_driver_sql("UPDATE outbound SET raw = X'00' WHERE id = 1")
            tx.connection.exec_driver_sql("UPDATE version SET added = X'00'")
        said = database_says(tmp_path)["database integrity"]
    assert "rows of version cannot be read: 1, rows of outbound cannot be read: 1" in said


def test_a_game_that_cannot_go_on_is_named(tmp_path: Path, office: PostOffice) -> None:
    with game_table(tmp_path, office.imap("orders"), office.smtp("orders")) as table:
        assert "games" not in database_says(tmp_path)
        with table.store.transaction() as tx:
            tx.connection.exec_driver_sql("UPDATE version SET snapshot = 'x'")
        said = database_says(tmp_path)["games"]
    assert said.startswith("version 1 of G001 cannot be read or played again; `pbem admin rollback G001`")


async def journey_says(settings: Settings, monkeypatch: pytest.MonkeyPatch, seconds: float = 5) -> dict[str, str]:
    """What is wrong with mail that is really sent."""
    monkeypatch.setattr(mail_checks, "COMES_BACK", 0.1)
    monkeypatch.setattr(mail_checks, "ARRIVES", seconds)
    return {check.name: check.sentence for check in await mail_checks.journey(settings) if not check.ok}


async def test_a_mail_is_sent_read_and_put_away_and_the_moderator_gets_one(
    office: PostOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    await doctor.mailbox(settings_for(office))  # makes the folders
    assert await journey_says(settings_for(office), monkeypatch) == {}
    assert (await inbox(office), await inbox(office, "mod")) == (0, 1)


async def test_a_daemon_that_is_quicker_changes_nothing(
    office: PostOffice, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with game_table(tmp_path, office.imap("orders"), office.smtp("orders")) as table:
        await table.one_pass()
        settings = settings_for(office)

        async def passes() -> None:
            while True:
                await table.one_pass()

        daemon = asyncio.create_task(passes())
        said = await journey_says(settings, monkeypatch)
        daemon.cancel()
        await asyncio.gather(daemon, return_exceptions=True)
    assert said == {}


async def test_a_mail_that_does_not_arrive(office: PostOffice, sink: Sink, monkeypatch: pytest.MonkeyPatch) -> None:
    await doctor.mailbox(settings_for(office))
    said = await journey_says(settings_for(office, smtp=sink.smtp()), monkeypatch, 0.1)
    assert "was sent and is not in INBOX" in said["mail arrives"]
    assert [to for to, _ in sink.mails] == ["orders@play.example.org", "mod@example.org"]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("550 5.1.1 no such user", "there is no such address: correct it in [mail]"),
        ("553 5.7.1 not owned by user", "set mail.address to an address of this account"),
        ("451 4.7.1 greylisted", "the server asks us to come back later"),
    ],
)
async def test_what_the_server_says_of_the_moderators_address_is_told(
    office: PostOffice, sink: Sink, monkeypatch: pytest.MonkeyPatch, answer: str, said: str
) -> None:
    await doctor.mailbox(settings_for(office))
    sink.will("RCPT mod@example.org", answer)
    told = await journey_says(settings_for(office, smtp=sink.smtp()), monkeypatch, 0)
    assert said in told["mail to mod@example.org"]
    assert answer in told["mail to mod@example.org"]


async def test_a_mail_to_the_moderator_that_comes_back(
    office: PostOffice, sink: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    await doctor.mailbox(settings_for(office))
    monkeypatch.setattr(mail_checks, "COMES_BACK", 10)
    monkeypatch.setattr(mail_checks, "ARRIVES", 0)
    checks = asyncio.create_task(mail_checks.journey(settings_for(office, smtp=sink.smtp())))
    while len(sink.mails) < 2:
        await asyncio.sleep(0.01)
    await office.deliver("orders", b"From: MAILER-DAEMON@example.org\r\n\r\nNo such user.\r\n" + sink.mails[1][1])
    told = {check.name: check.sentence for check in await checks}
    assert told["mail to the moderator"] == "a mail to mod@example.org came back; correct mail.moderator"


NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize("sign", [-1, 1])
@pytest.mark.parametrize(("minutes", "ok"), [(10, True), (11, False), (180, False)])
def test_a_clock_that_differs_from_the_mail_servers(sign: int, minutes: int, ok: bool) -> None:
    check = mail_checks.clocks(NOON, NOON + sign * timedelta(minutes=minutes))
    assert check.ok == ok
    assert ("set it (NTP)" in check.sentence) == (not ok)


async def test_smtp_server_that_asks_for_patience(office: PostOffice, sink: Sink) -> None:
    sink.will("MAIL", "451 4.7.1 later")
    checks = await doctor.sending(settings_for(office, smtp=sink.smtp()))
    assert "the server asks us to come back later" in checks[-1].sentence


def test_a_clock_that_stands_in_the_past() -> None:
    check = doctor.clock(datetime(1970, 1, 1, tzinfo=UTC))
    assert not check.ok
    assert "set its clock" in check.sentence


def test_every_installed_game_is_tried_without_any_configuration(tmp_path: Path) -> None:
    *games, clock, configuration = doctor.doctor(tmp_path / "pbem.toml")
    assert [check.name for check in games] == [f"game {point.name}" for point in entry_points(group="pbem.games")]
    assert all(check.ok for check in (*games, clock))
    assert (configuration.name, configuration.ok) == ("configuration", False)
    assert "`pbem init` writes one" in configuration.sentence


def test_a_game_that_cannot_be_loaded_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = EntryPoint("nim", "no_such_package:GAME", "pbem.games")
    monkeypatch.setattr(protocol, "entry_points", lambda group, name="nim": [broken])
    (check,) = doctor.games()
    assert (check.name, check.ok) == ("game nim", False)
    assert "nim cannot be loaded: ModuleNotFoundError, No module named 'no_such_package'" in check.sentence


async def test_no_trusted_authentication_results_are_explained(office: PostOffice) -> None:
    assert "set mail.authserv_id" in doctor.authentication_results(settings_for(office)).sentence
