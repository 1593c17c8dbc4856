"""What `pbem demo` shows in the terminal: how the game goes, and how it ended."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from pbem.reports.contexts import Happening
from pbem.reports.render import environment
from pbem.store import Game, SeatRecord, Tx
from pbem.verify import Verdict

#: Events that stay on the display.
SHOWN = 8


class Progress:
    """A display that follows a game; it shows what everybody at the table may know."""

    def __init__(self, game_type: str, quiet: bool) -> None:
        self._words = environment(game_type, "text").get_template("events.j2").module
        self._events: deque[str] = deque(maxlen=SHOWN)
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
        for event in tx.events(game.id, after=self._last):
            self._last = event.sequence
            seen = Happening(turn=event.turn, actor="", kind=event.kind, data=event.seen_by(None))
            if words := " ".join(str(self._words.tell(seen, None, None)).split()):  # type: ignore[attr-defined]
                self._events.append(words)
        seats = {seat.seat: seat for seat in tx.seats(game.id)}
        asked = [seats[ask.seat] for ask in tx.open_asks(game.id) if ask.kind in ("turn", "window")]
        whose = f"{asked[-1].name} ({asked[-1].colour})" if asked else "nobody"
        head = Table.grid(padding=(0, 2))
        head.add_row("turn", str(game.turn), "to move", whose)
        head.add_row("mails in", str(mails[0]), "mails out", str(mails[1]))
        self._live.update(
            Group(head, *(Text(f"  {one}", overflow="ellipsis") for one in self._events)), refresh=True
        )


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
    console.print("  pbem.db and pbem.toml    the database; try `pbem admin show` there")
    for seat in seats:
        console.print(f"  mail/{seat.name.lower()}    {seat.colour}'s mails, as Maildir/ and as text/")
