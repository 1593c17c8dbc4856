"""Imports point one way: what a part may know of the others."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
#: What nobody above the protocol is needed for: games, and the parts that any game can be served with.
SHARED = ("pbem.errors", "pbem.protocol")
#: A game is run again from its choices, elsewhere and later: it must not know the time, the place or chance.
WORLDLY = {
    "asyncio",
    "datetime",
    "email",
    "os",
    "random",
    "secrets",
    "socket",
    "sqlite3",
    "subprocess",
    "time",
}


def imported(file: Path) -> Iterator[str]:
    """The modules that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} imports by a relative name"
            yield f"{node.module}"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def names(folder: str) -> set[str]:
    return {name for file in (ROOT / folder).rglob("*.py") for name in imported(file)}


@pytest.mark.parametrize("part", ["games/ankh_morpork", "pbem/orders", "pbem/reports", "pbem/store"])
def test_a_part_below_knows_only_itself_and_what_is_shared(part: str) -> None:
    shared = (
        (*SHARED, "pbem.config") if part == "pbem/store" else SHARED
    )  # a game begins with what is configured
    own = part.replace("/", ".")
    strange = {
        name
        for name in names(part)
        if name.startswith(("pbem.", "games.")) and not name.startswith((*shared, f"{own}.", own))
    }
    assert strange == set()


def test_a_game_knows_no_mail_no_database_no_clock_and_no_chance() -> None:
    assert {name.partition(".")[0] for name in names("games")}.isdisjoint(
        {*WORLDLY, "sqlalchemy", "sqlmodel"}
    )


def test_the_server_knows_no_game() -> None:
    assert not any(name.startswith("games") for name in names("pbem"))


def test_only_the_store_knows_the_database() -> None:
    elsewhere = [
        str(file.relative_to(ROOT))
        for file in (ROOT / "pbem").rglob("*.py")
        if "store" not in file.parts
        for name in imported(file)
        if name.startswith(("sqlalchemy", "sqlmodel", "alembic", "sqlite3", "pbem.store."))
        and name.removeprefix("pbem.store.").partition(".")[0] not in store_exports()
    ]
    assert elsewhere == []


def store_exports() -> list[str]:
    import pbem.store

    return pbem.store.__all__


@pytest.mark.parametrize(("library", "module"), [("aioimaplib", "imap.py"), ("aiosmtplib", "smtp.py")])
def test_only_one_module_knows_each_protocol_of_mail(library: str, module: str) -> None:
    users = {
        file.name
        for file in (ROOT / "pbem").rglob("*.py")
        for name in imported(file)
        if name.partition(".")[0] == library
    }
    assert users == {module}
