"""What `pbem demo` shows in the terminal: how the game goes."""

from collections import deque
from typing import Any

from rich.console import Console
from rich.live import Live
from rich.text import Text

from pbem.moderator.inspect import summary
from pbem.play.letters import happening
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
        if events := tx.events(game.id, after=self._last):
            self._last = events[-1].sequence
            seen = tuple(happening(event, event.turn, event.actor, None) for event in events)
            self._lines.extend(story(self._game_type, "happenings.j2", events=seen).splitlines())
        stands = summary(tx, game)
        asked = [f"{seat.name} ({seat.colour})" for seat in stands.seats if seat.colour in stands.waiting]
        whose = ", ".join(asked) or "nobody"
        head = f"turn {game.turn}, {whose} to move; {mails[0]} mails in, {mails[1]} out"
        self.display.update(Text("\n".join((head, *self._lines))), refresh=True)
