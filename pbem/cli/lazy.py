"""Groups of commands that are loaded when they are called: a list of commands loads none of them."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command


class LazyCommand(TyperCommand):
    """A command that is known by its line of help until it is called, completed, or asked for its help.

    Its module holds a function of its name, whose docstring goes on from the line of help, or a whole group as `app`.
    """

    def __init__(self, name: str, module: str, line: str) -> None:
        super().__init__(name, help=line)
        self.module = module

    def load(self) -> Any:
        """The command itself."""
        module, name = import_module(self.module), str(self.name)
        app = getattr(module, "app", None)
        if app is None:
            function = getattr(module, name.replace("-", "_"))
            more = f"\n\n{function.__doc__}" if function.__doc__ else ""
            app = typer.Typer(add_completion=False, rich_markup_mode="rich")
            app.command(name, help=f"{self.help}{more}")(function)
        return app if isinstance(app, TyperGroup) else get_command(app)

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        return self.load().make_context(info_name, args, parent, **extra)


def filled(group: Any, package: str, commands: Mapping[str, tuple[str, str]]) -> Any:
    """A group with these commands: name -> its module in the package, and its help in one line."""
    for name, (module, line) in commands.items():
        group.add_command(LazyCommand(name, f"{package}.{module}", line))
    for option in group.get_params(typer.Context(group)):
        if option.is_flag:  # else it is None when it is not given, and Typer loads pydantic to check that
            option.default = False
    return group
