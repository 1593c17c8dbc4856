"""Writing a small complete game to begin one's own with: the files of `templates/new_game`, under another name."""

import keyword
import re
from pathlib import Path

from pbem.errors import ConfigError
from pbem.protocol import game_names, templates_folder

#: The name that the files of the template folder have for the game: as a package, as people read it, as a class.
NAMES = ("new_game", "New Game", "NewGame")


def write_game(name: str, folder: Path) -> list[Path]:
    """Write the game into `folder/NAME`; the files written.

    Raises ConfigError for a name that cannot be that of a package or is taken, and for a folder that is there already.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise ConfigError(f"{name!r} cannot be the name of a package; write it like: blue_moon")
    if name in game_names() or (templates_folder() / name).is_dir():
        raise ConfigError(f'the name "{name}" is taken; `pbem game list` shows the games that are installed')
    target = folder / name
    if target.exists():
        raise ConfigError(f"{target} is there already; name another folder with --folder")
    words = name.replace("_", " ").title()
    names = (name, words, words.replace(" ", ""))
    source = templates_folder() / NAMES[0]
    written = []
    for file in sorted(source.rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts:
            path = target / renamed(str(file.relative_to(source)), names)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(renamed(file.read_text(encoding="utf-8"), names), encoding="utf-8")
            written.append(path)
    return written


def renamed(text: str, names: tuple[str, str, str]) -> str:
    """A text with the names of another game."""
    for old, new in zip(NAMES, names, strict=True):
        text = text.replace(old, new)
    return text
