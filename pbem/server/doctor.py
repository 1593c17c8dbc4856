"""What a server needs, tried: games, clock, configuration, database, IMAP and SMTP. Each failure is one sentence that says
what to do."""

import asyncio
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from pbem.config import Settings, load
from pbem.errors import ConfigError, PbemError
from pbem.play.replay import newest_good
from pbem.play.table import rules_of
from pbem.protocol import game_named, game_names
from pbem.server.mail_checks import Check, journey, mailbox, sending
from pbem.store import Store, unreadable
from pbem.testing import quick

#: Bytes that should be free on the disk of the database: a year's mail of a few games.
ROOM = 100_000_000
#: What is written for a trial and taken away again: more than fits into pages that are there already.
WRITTEN = "?" * 100_000

#: This program is older than no machine that runs it; a clock that says otherwise is wrong.
EARLIEST = datetime(2026, 1, 1, tzinfo=UTC)


def doctor(config: Path | None) -> Iterator[Check]:
    """Try everything, the games first, which need no mail. Mail folders that are missing are created, and one mail is
    sent to the game's own address and one to the moderator."""
    yield from games()
    yield clock(datetime.now(UTC))
    try:
        settings = load(config)
    except ConfigError as error:
        yield from (Check("configuration", False, said) for said in error.mistakes)
        return
    yield from configuration(settings)
    yield from database(settings)
    yield authentication_results(settings)
    mail = [*asyncio.run(mailbox(settings)), *asyncio.run(sending(settings))]
    yield from mail
    if all(check.ok for check in mail):
        yield from asyncio.run(journey(settings))


def games() -> Iterator[Check]:
    """Each installed game: whether it can be begun, and its templates read."""
    for name in game_names():
        try:
            game = game_named(name)
            quick(game)
            fewest, most = game.seats
            ok, sentence = True, f"{game.title}, for {fewest} to {most}, can be played"
        except Exception as error:  # noqa: BLE001 - a game is somebody else's program and fails in its own way
            is_ours = isinstance(error, PbemError)
            broken = str(error) if is_ours else f"it cannot be played ({type(error).__name__}: {error})"
            ok, sentence = False, f"{broken}; correct it or install it again"
        yield Check(f"game {name}", ok, sentence)


def configuration(settings: Settings) -> list[Check]:
    """Each thing that is wrong among settings that are each possible."""
    wrong = list(wrong_settings(settings))
    right = f"{settings.mail.address} on {settings.imap.host} and {settings.smtp.host}"
    return [Check("configuration", False, said) for said in wrong] or [Check("configuration", True, right)]


def wrong_settings(settings: Settings) -> Iterator[str]:
    mail = settings.mail
    if mail.moderator.lower() in {address.lower() for address in (mail.address, *mail.aliases)}:
        yield f"mail.moderator is the game's own address {mail.address}; give an address that you read"
    for section, account in (("imap", settings.imap), ("smtp", settings.smtp)):
        try:
            if account.user and not account.secret():
                variable = f"PBEM_{section.upper()}__PASSWORD"
                yield f"{section}.user is set but there is no password: set {variable}, or {section}.password_file"
        except PbemError as error:
            yield f"{section}: {error}"
    for file in {
        settings.imap.password_file,
        settings.imap.token_file,
        settings.smtp.password_file,
        settings.smtp.token_file,
    }:
        if file and open_to_others(file):
            yield f"others on this machine can read {file}; chmod 600 it"


def open_to_others(file: Path) -> bool:
    """Whether anybody but its owner may read or write a file."""
    try:
        return bool(file.stat().st_mode & 0o077)
    except OSError:
        return False


def database(settings: Settings) -> Iterator[Check]:
    """The database, written to in earnest and read through."""
    try:
        with Store(settings.database).open() as store:
            for trial in (WRITTEN, datetime.now(UTC).isoformat()):
                with store.transaction() as tx:
                    tx.remember("doctor_tried_at", trial)
                    games = tx.games()
            yield Check("database", True, f"it was written; games in it: {len(games)}")
            yield from disk(store)
            wrong = store.damage() or unreadable(store)
            said = f"it is damaged ({wrong}); `pbem admin restore FILE` puts a backup in its place"
            yield Check("database integrity", not wrong, said if wrong else "nothing is wrong in it")
            yield from versions(store)
    except PbemError as error:
        yield Check("database", False, str(error))


def disk(store: Store) -> Iterator[Check]:
    """The file of the database, and the room for it to grow."""
    if store.file is None:
        return
    shared = open_to_others(store.file)
    said = f"others on this machine can read {store.file}, hands and seeds in it; chmod 600 it"
    yield Check("database privacy", not shared, said if shared else "nobody else can read it")
    yield room(shutil.disk_usage(store.file.parent).free)


def room(free: int) -> Check:
    """Whether a disk with so many bytes free is nearly full."""
    said = f"{free // 1_000_000} MB are free on its disk"
    return Check("database disk", free >= ROOM, said if free >= ROOM else f"only {said}; make room before it is full")


def versions(store: Store) -> Iterator[Check]:
    """Whether each game that is being played can go on from where it stands."""
    with store.reading() as tx:
        games, stuck = tx.games("running", "paused"), 0
        for game in games:
            good = newest_good(tx, rules_of(game.game_type), game.id, game.version)
            if good is None or good.parent != game.version:
                stuck += 1
                advice = f"`pbem admin rollback {game.code}` goes back to the last good one"
                said = f"version {game.version} of {game.code} cannot be read or played again; {advice}"
                yield Check("games", False, said)
    if not stuck:
        yield Check("games", True, "each that is being played can go on from where it stands")


def clock(now: datetime) -> Check:
    if now < EARLIEST:
        return Check("clock", False, f"this machine says it is {now:%d %B %Y}; set its clock (NTP)")
    return Check("clock", True, f"it is {now:%d %B %Y %H:%M} UTC")


def authentication_results(settings: Settings) -> Check:
    trusted = settings.mail.authserv_id
    sentence = f"a mail moves only where {trusted} vouches for its sender in Authentication-Results, token or not"
    if not trusted:
        sentence = (
            "no Authentication-Results are read: a valid token from a registered address is all that a mail needs; set "
            "mail.authserv_id to the name your provider begins that header with, and forged senders are refused too"
        )
    return Check("authentication", True, sentence)
