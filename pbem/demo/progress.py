"""What `pbem demo` shows in the terminal: how the game goes, and how it ended."""

from collections import deque
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.live import Live
from rich.text import Text

from pbem.play.letters import scores
from pbem.play.table import Table
from pbem.play.verify import Comparison
from pbem.reports.contexts import Happening
from pbem.reports.layout import finish
from pbem.reports.render import environment
from pbem.store import Game, Tx

#: Events that stay on the display.
SHOWN = 8


def story(game_type: str, template: str, **known: Any) -> str:
    """A part of the game's mails, by itself, for somebody who sits at no seat."""
    text = environment(game_type, "text").from_string(
        f'{{% import "format.j2" as f %}}{{% import "words.j2" as w %}}{{% include "{template}" %}}'
    )
    return finish(text.render(m=known | {"colour": None}))


class Progress:
    """A display that follows a game; it shows what everybody at the table may know."""

    def __init__(self, game_type: str) -> None:
        self._game_type = game_type
        self._lines: deque[str] = deque(maxlen=SHOWN)
        self._last = 0
        self.display = Live(console=Console(), transient=True, auto_refresh=False)

    def show(self, tx: Tx, game: Game, mails: tuple[int, int]) -> None:
        """Show the game as it now stands."""
        seats = tx.seats(game.id)
        if events := tx.events(game.id, after=self._last):
            self._last = events[-1].sequence
            seen = tuple(
                Happening(turn=event.turn, actor=event.actor, kind=event.kind, data=event.seen_by(None))
                for event in events
            )
            self._lines.extend(story(self._game_type, "happenings.j2", events=seen).splitlines())
        asked = {seats[ask.seat] for ask in tx.open_asks(game.id) if ask.due_at and not ask.answered}
        whose = ", ".join(f"{seat.name} ({seat.colour})" for seat in seats if seat in asked) or "nobody"
        head = f"turn {game.turn}, {whose} to move; {mails[0]} mails in, {mails[1]} out"
        self.display.update(Text("\n".join((head, *self._lines))), refresh=True)


def tell_end(table: Table, comparison: Comparison, mails: tuple[int, int], directory: Path) -> None:
    """Print how the match ended, and where everything lies."""
    console = Console(markup=False, highlight=False, soft_wrap=True)
    game = table.game
    if result := table.match.result:
        known = {"reason": result.reason, "scores": scores(table, table.match), "view": table.match.view(None)}
        console.print(story(game.game_type, "result.j2", **known))
    else:
        console.print(f"Stopped in turn {game.turn}, before the end.")
    console.print(f"Mails: {mails[0]} in, {mails[1]} out. {comparison.sentence}")
    console.print(f"Everything lies in {directory}:")
    console.print(f"  pbem.db and pbem.toml    the database; try `pbem admin show {game.code}` there")
    for seat in table.seats:
        console.print(f"  mail/{seat.name.lower()}    {seat.colour}'s mails, as Maildir/ and as text/")
