"""`pbem doctor` explains each failure of configuration in a sentence that says what to change."""

from __future__ import annotations

from datetime import UTC, datetime
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

import pytest
from pydantic import SecretStr
from servers.certificates import Authority
from servers.proxy import Wire
from servers.sink import Sink, smtp_sink
from servers.table import inbox

from pbem import protocol
from pbem.config import Imap, Mail, Settings, Smtp
from pbem.demo.servers import PostOffice, post_office
from pbem.server import doctor


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


async def test_a_moderator_at_the_address_of_the_game(office: PostOffice) -> None:
    check = doctor.configuration(settings_for(office, moderator="orders@play.example.org"))
    assert not check.ok
    assert "give an address that you read" in check.sentence


async def test_a_user_without_a_password(office: PostOffice) -> None:
    check = doctor.configuration(settings_for(office, imap=office.imap("orders", password=None)))
    assert "set PBEM_IMAP__PASSWORD" in check.sentence


async def test_a_password_file_that_is_missing(office: PostOffice, tmp_path: Path) -> None:
    imap = office.imap("orders", password=None, password_file=tmp_path / "secret")
    check = doctor.configuration(settings_for(office, imap=imap))
    assert "no secret can be read from" in check.sentence


async def test_a_token_command_that_fails(office: PostOffice) -> None:
    smtp = office.smtp("orders", auth="xoauth2", token_command="false")
    check = doctor.configuration(settings_for(office, smtp=smtp))
    assert "token_command failed" in check.sentence


async def test_a_database_in_a_folder_that_is_missing(office: PostOffice, tmp_path: Path) -> None:
    settings = settings_for(office).model_copy(update={"database": f"sqlite:///{tmp_path}/no/pbem.db"})
    check = doctor.database(settings)
    assert not check.ok
    assert "there is no database" in check.sentence


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
