"""Commands are loaded when they are called; help and completion work all the same."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

#: What no help needs, and what takes long to load.
HEAVY = ("sqlalchemy", "sqlmodel", "alembic", "pydantic", "jinja2", "pbem.store", "pbem.protocol")


def pbem(*words: str, last: str = "", **environment: str) -> str:
    """What the console script prints, and then what `last` does."""
    program = (
        f"import sys; sys.argv = ['pbem', *{list(words)!r}]\n"
        f"from pbem.cli.main import main\ntry: main()\nfinally: {last or 'pass'}"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True, text=True, timeout=60, check=False, env={**os.environ, **environment},
    )  # fmt: skip
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize(
    "words", [("--help",), ("admin", "--help"), ("admin", "new", "--help"), ("admin", "mail", "--help")]
)
def test_help_loads_nothing_heavy(words: tuple[str, ...]) -> None:
    printed = pbem(*words, last=f"print('LOADED', [name for name in {HEAVY!r} if name in sys.modules])")
    assert "Usage: pbem" in printed
    assert printed.endswith("LOADED []\n")


def test_the_help_of_a_command_is_its_line_and_its_examples() -> None:
    printed = pbem("admin", "extend", "--help")
    assert "Give more time to everybody for whom a game waits." in printed
    assert 'pbem admin extend G042 48 --why "a long weekend"' in printed


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("pbem ver", "verify"),
        ("pbem admin ext", "extend"),
        ("pbem admin mail sh", "show"),
        ("pbem admin extend --w", "--why"),
    ],
)
def test_the_shell_completes_at_every_level(typed: str, offered: str) -> None:
    place = str(len(typed.split()) - 1)
    printed = pbem(COMP_WORDS=typed, COMP_CWORD=place, _PBEM_COMPLETE="complete_bash")
    assert offered in printed.split()
