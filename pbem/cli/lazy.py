"""Groups of commands that are loaded when they are called: a list of commands loads none of them."""

from __future__ import annotations

from collections.abc import Mapping
from pkgutil import resolve_name
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

#: Name of a command -> where it lies (`pbem.cli.run:run`: a function, a Typer or a group) and its help in one line. A
#: function's docstring goes on from there.
Commands = Mapping[str, tuple[str, str]]


class LazyCommand(TyperCommand):
    """A command that is known by its line of help until it is called, completed, or asked for its help."""

    def __init__(self, name: str, place: str, line: str) -> None:
        super().__init__(name, help=line)
        self.place = place

    def load(self) -> Any:
        """The command itself."""
        known = resolve_name(self.place)
        if isinstance(known, TyperGroup):
            known.help = self.help
            return known
        if not isinstance(known, typer.Typer):
            app = typer.Typer(add_completion=False, rich_markup_mode="rich")
            more = f"\n\n{known.__doc__}" if known.__doc__ else ""
            app.command(self.name, help=f"{self.help}{more}")(known)
            known = app
        return get_command(known)

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        return self.load().make_context(info_name, args, parent, **extra)


def filled(group: Any, commands: Commands) -> Any:
    """A group with these commands."""
    for name, (place, line) in commands.items():
        group.add_command(LazyCommand(name, place, line))
    for option in group.get_params(typer.Context(group)):
        if option.is_flag:  # else it is None when it is not given, and Typer loads pydantic to check that
            option.default = False
    return group
