"""Imports point one way: what a part may know of the others."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]
#: What every part may know.
SHARED = {"pbem", "pbem.address", "pbem.errors", "pbem.protocol"}
#: A part of the server -> the parts that it may know besides. Nothing below knows anything above it.
ARROWS: dict[str, set[str]] = {
    "pbem.protocol": set(),
    "pbem.address": set(),
    "pbem.errors": set(),
    "pbem.config": set(),
    "pbem.orders": set(),
    "pbem.questions": {"pbem.orders"},
    "pbem.reports": {"pbem.orders", "pbem.questions"},
    "pbem.mail.reading": set(),
    "pbem.mail.wire": {"pbem.config", "pbem.mail.reading"},
    "pbem.store": {"pbem.config"},
    "pbem.testing": {"pbem.orders", "pbem.reports"},
}
ARROWS["pbem.play"] = {"pbem.config", "pbem.mail.wire", "pbem.orders", "pbem.questions", "pbem.reports", "pbem.store"}
ARROWS["pbem.mail.handling"] = {*ARROWS["pbem.play"], "pbem.mail.reading", "pbem.play"} - {"pbem.mail.wire"}
ARROWS["pbem.moderator"] = {*ARROWS["pbem.mail.handling"], "pbem.mail.handling"}
ARROWS["pbem.server"] = {*ARROWS["pbem.mail.handling"], "pbem.mail.handling", "pbem.mail.wire", "pbem.testing"}
ARROWS["pbem.demo"] = {*ARROWS["pbem.server"], "pbem.moderator", "pbem.server"}
ARROWS["pbem.cli"] = {*ARROWS["pbem.demo"], "pbem.demo"}
ARROWS["pbem.__main__"] = {"pbem.cli"}
#: Searches its own texts with SQLite, in memory: no state of any game is in it.
INDEX_IN_MEMORY = "pbem/questions/index.py"
#: Folders with more names than a table of contents should have, and why.
LONG_FOLDERS = {
    "pbem/cli": "nine modules of commands beside those that all share",
    "pbem": "five modules that all folders share",
    "pbem/orders": "reading and refusing are two subjects",
    "pbem/store": "the migrations beside fourteen modules",
}
MOST_NAMES = 12
#: A game is run again from its choices, elsewhere and later: it must not know the time, the place or chance.
WORLDLY = {"asyncio", "datetime", "email", "os", "random", "secrets", "socket", "sqlite3", "subprocess", "time"}


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


def part_of(module: str) -> str:
    """The part of the server that a module belongs to: a folder, or a module at its top."""
    words = module.split(".")
    return ".".join(words[: 3 if words[:2] == ["pbem", "mail"] else 2])


def parts() -> set[str]:
    files = (ROOT / "pbem").rglob("*.py")
    return {part_of(".".join(file.relative_to(ROOT).with_suffix("").parts)) for file in files} - {
        "pbem.__init__",
        "pbem.mail.__init__",
    }


@pytest.mark.parametrize("part", sorted(parts()))
def test_imports_point_one_way(part: str) -> None:
    place = ROOT / part.replace(".", "/")
    files = place.rglob("*.py") if place.is_dir() else [place.with_suffix(".py")]
    known = {part_of(name) for file in files for name in imported(file) if name.startswith("pbem")}
    modules = {name for name in known if name in parts() or name in SHARED}
    assert modules - SHARED - {part} <= ARROWS[part]


def test_a_game_knows_the_protocol_and_itself() -> None:
    for game in (ROOT / "games").iterdir():
        own = f"games.{game.name}"
        strange = {
            name
            for name in names(f"games/{game.name}")
            if name.startswith(("pbem", "games")) and not name.startswith(own)
        }
        assert {part_of(name) for name in strange} <= SHARED | {"pbem.testing"}


@pytest.mark.parametrize("top", ["pbem", "games"])
def test_a_folder_is_a_table_of_contents(top: str) -> None:
    for folder in [ROOT / top, *(ROOT / top).rglob("*/")]:
        inside = {
            path.name
            for path in folder.iterdir()
            if (path.suffix == ".py" or (path.is_dir() and any(path.rglob("*.py"))))
            and path.name not in ("__init__.py", "__main__.py", "__pycache__")
        }
        where = str(folder.relative_to(ROOT))
        assert len(inside) <= MOST_NAMES + 3 * (where in LONG_FOLDERS), f"{where}: {sorted(inside)}"


def test_a_game_knows_no_mail_no_database_no_clock_and_no_chance() -> None:
    assert {name.partition(".")[0] for name in names("games")}.isdisjoint({*WORLDLY, "sqlalchemy", "sqlmodel"})


def test_the_server_knows_no_game() -> None:
    assert not any(name.startswith("games") for name in names("pbem"))


def test_only_the_store_knows_the_database() -> None:
    elsewhere = [
        str(file.relative_to(ROOT))
        for file in (ROOT / "pbem").rglob("*.py")
        if "store" not in file.parts and file != ROOT / INDEX_IN_MEMORY
        for name in imported(file)
        if name.startswith(("sqlalchemy", "sqlmodel", "alembic", "sqlite3", "pbem.store."))
        and name.removeprefix("pbem.store.").partition(".")[0] not in store_exports()
    ]
    assert elsewhere == []


def store_exports() -> set[str]:
    import pbem.store

    return {name for name, what in vars(pbem.store).items() if not isinstance(what, ModuleType)}


@pytest.mark.parametrize(("library", "module"), [("aioimaplib", "imap.py"), ("aiosmtplib", "smtp.py")])
def test_only_one_module_knows_each_protocol_of_mail(library: str, module: str) -> None:
    users = {
        file.name
        for file in (ROOT / "pbem").rglob("*.py")
        for name in imported(file)
        if name.partition(".")[0] == library
    }
    assert users == {module}
