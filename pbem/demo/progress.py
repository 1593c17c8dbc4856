"""What `pbem demo` shows in the terminal: how the game goes, and how it ended."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.live import Live
from rich.text import Text

from pbem.play.verify import Verdict
from pbem.reports.contexts import Happening
from pbem.reports.layout import finish
from pbem.reports.render import environment
from pbem.store import Game, SeatRecord, Tx

#: Events that stay on the display.
SHOWN = 8


STORY = '{% import "format.j2" as f %}{% include "happenings.j2" %}'


@dataclass(frozen=True, slots=True)
class Public:
    """What the story of a game is told from, to somebody who sits at no seat."""

    events: Sequence[Happening]
    colour: None = None


class Progress:
    """A display that follows a game; it shows what everybody at the table may know."""

    def __init__(self, game_type: str, quiet: bool) -> None:
        self._story = environment(game_type, "text").from_string(STORY)
        self._lines: deque[str] = deque(maxlen=SHOWN)
        self._last = 0
        self._live = None if quiet else Live(console=Console(), transient=True, auto_refresh=False)

    def __enter__(self) -> Progress:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._live is not None:
            self._live.stop()

    def show(self, tx: Tx, game: Game, mails: tuple[int, int]) -> None:
        """Show the game as it now stands."""
        if self._live is None:
            return
        seats = tx.seats(game.id)
        if events := tx.events(game.id, after=self._last):
            self._last = events[-1].sequence
            colours = {turn: self._actor(tx, game, turn) for turn in {event.turn for event in events}}
            seen = tuple(
                Happening(turn=one.turn, actor=colours[one.turn], kind=one.kind, data=one.seen_by(None))
                for one in events
            )
            self._lines.extend(finish(self._story.render(m=Public(seen))).splitlines())
        asked = [seats[ask.seat] for ask in tx.open_asks(game.id) if ask.kind in ("turn", "window")]
        whose = f"{asked[-1].name} ({asked[-1].colour})" if asked else "nobody"
        head = f"turn {game.turn}, {whose} to move; {mails[0]} mails in, {mails[1]} out"
        self._live.update(Text("\n".join((head, *self._lines))), refresh=True)

    def _actor(self, tx: Tx, game: Game, turn: int) -> str:
        """The colour of the seat whose turn that was, as its first event tells."""
        began = next((one for one in tx.events(game.id, turn=turn) if one.kind == "TurnBegan"), None)
        return str(began.data.get("colour", "")) if began else ""


def tell_end(
    game: Game,
    seats: Sequence[SeatRecord],
    final: str,
    verdict: Verdict,
    mails: tuple[int, int],
    directory: Path,
) -> None:
    """Print who won and why, the scores, and where everything lies. `final` is the final report of one player."""
    console = Console(markup=False, highlight=False, soft_wrap=True)
    if game.status == "over":
        # Its first sections tell the result; the last turns and the city follow.
        console.print(final.partition("\nTHE LAST TURNS")[0].partition("\nTHE CITY")[0])
    else:
        console.print(f"Stopped in turn {game.turn}, before the end.")
    console.print(f"Mails: {mails[0]} in, {mails[1]} out. {verdict.sentence}")
    console.print(f"Everything lies in {directory}:")
    console.print(f"  pbem.db and pbem.toml    the database; try `pbem admin show {game.code}` there")
    for seat in seats:
        console.print(f"  mail/{seat.name.lower()}    {seat.colour}'s mails, as Maildir/ and as text/")


def tell_left(game: Game, directory: Path) -> None:
    """Print what remains of a game whose player has left."""
    console = Console(markup=False, highlight=False, soft_wrap=True)
    console.print(f"\nYou left {game.code}. Its database and your mails lie in {directory}")
