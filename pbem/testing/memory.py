"""What was seen of a game in all its matches so far: a mail, a decision or an order is looked at when it is new."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.protocol import Decision, Event, Game, Match
from pbem.reports.contexts import Mail
from pbem.reports.filters import LONG_MENU
from pbem.reports.render import Renderer
from pbem.reports.samples import Samples
from pbem.testing.promises import no_error
from pbem.testing.states import canonical, readers


class Memory:
    """The mails of a game that were rendered, as text and HTML, and the words that it was found to use."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.renderer = Renderer(game.name, "games@example.org")
        self.mails = 0
        #: The decisions that were put to a seat, and the numbers of seats for which every kind of mail was written.
        self.decisions: set[str] = set()
        self.sizes: set[int] = set()
        #: The keys of the events of each kind, and of views; the option texts whose reading was tried.
        self.keys: dict[str, list[str]] = {}
        self.read: set[str] = set()

    def ask(self, samples: Samples, match: Match, decision: Decision) -> None:
        """Put a decision to its seat."""
        key = canonical([decision.kind, decision.window, decision.facts, len(decision.options) > LONG_MENU])
        if key not in self.decisions:
            self.decisions.add(key)
            self.render([samples.report(match, decision.seat)])

    def tell(self, samples: Samples, match: Match, events: Sequence[Event]) -> None:
        """Every kind of mail for the first match of so many seats, else a report at the end; to seats and others."""
        for reader in readers(samples.seats):
            if samples.seats not in self.sizes:
                self.render(samples.every_kind(match, reader, events))
            elif match.result is not None:
                self.render([samples.report(match, reader, events)])
        if match.result is not None:
            self.sizes.add(samples.seats)

    def render(self, mails: Iterable[Mail]) -> None:
        """Render mails, and count them."""
        for mail in mails:
            promise, where = "Every template can word whatever happens in the game.", f", in the mail `{mail.template}`"
            with no_error(promise, where):
                self.renderer.render(mail)
            self.mails += 1
