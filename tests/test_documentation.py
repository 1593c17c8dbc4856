"""Completeness: each command has help and is in the README, each setting is explained and in what `init` writes."""

from __future__ import annotations

import inspect
import re
import tomllib
from itertools import pairwise
from pathlib import Path

import pytest

from pbem import config
from pbem.cli import admin, main
from pbem.moderator.setup import provider_of, write_configuration

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SECTIONS = {"mail": config.Mail, "imap": config.Imap, "smtp": config.Smtp, "defaults": config.Defaults}
#: From the environment only, so that it never stands in a file.
SECRET = {"password"}


COMMANDS = {
    f"{program} {name}": command
    for program, group in (("pbem", main.group()), ("pbem admin", admin.app))
    for name, command in group.commands.items()
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_there_and_in_the_readme(name: str) -> None:
    assert COMMANDS[name].load().help
    assert re.search(rf"\b{name}\b", README)


def test_what_init_writes_has_every_setting_in_it_and_can_be_used_with_all_of_them(tmp_path: Path) -> None:
    written = tmp_path / "pbem.toml"
    write_configuration(written, "orders@example.org", "you@example.org", provider_of("example.org"))
    text = re.sub(r"^# (?=\w+ = )", "", written.read_text(encoding="utf-8"), flags=re.MULTILINE)
    settings = tomllib.loads(text)
    for section, model in SECTIONS.items():
        assert set(settings[section]) == set(model.model_fields) - SECRET, section
    written.write_text(text, encoding="utf-8")
    config.load(written)


@pytest.mark.parametrize("model", [config.Account, *SECTIONS.values()], ids=lambda model: model.__name__)
def test_every_setting_is_explained(model: type) -> None:
    lines = inspect.getsource(model).splitlines()
    bare = [
        line.strip()
        for above, line in pairwise(lines)
        if re.match(r"    \w+: ", line) and not above.startswith("    #: ")
    ]
    assert bare == []


def test_pre_commit_checks_what_the_gate_checks_before_the_tests() -> None:
    hooks = re.findall(r"entry: \.venv/bin/(.+)", (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    gate = (ROOT / ".ci" / "run").read_text(encoding="utf-8").replace('"$venv/bin/pip"', "")
    commands = [line.replace('"', "") for line in re.findall(r'^"\$venv/bin/(.+)', gate, re.MULTILINE)]
    assert hooks == [command for command in commands if "pytest" not in command]
