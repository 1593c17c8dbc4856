"""A game's templates: that all are there, can be compiled, and can say whatever happens in a match."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jinja2 import TemplateError, TemplateNotFound

from pbem.protocol import Decision, Event, Game, HasRules, Match, Seat
from pbem.reports import contexts
from pbem.reports.filters import LONG_MENU
from pbem.reports.render import NEEDED, Renderer, environment, game_folder
from pbem.reports.samples import Samples
from pbem.testing.promises import PromiseBroken, canonical, place_of


def compiled(game: Game) -> None:
    """Compile every template of a game, for text and for HTML.

    Raises PromiseBroken for one that is broken or missing.
    """
    topics = tuple(game.topics()) if isinstance(game, HasRules) else ()
    needed = [f"{name}.j2" for name in (*NEEDED, *(f"rules/{topic}" for topic in topics))]
    for kind in ("text", "html"):
        templates = environment(game.name, kind)
        for name in [*templates.list_templates(extensions=["j2"]), *needed]:
            try:
                templates.get_template(name)
            except TemplateNotFound as error:
                folder = game_folder(game.name)
                raise PromiseBroken(
                    "A game has a template for everything that it is asked to word.",
                    f"{error.name} is missing",
                    file=str(folder / name),
                ) from error
            except (TemplateError, UnicodeDecodeError) as error:
                raise PromiseBroken(
                    "Every template can be compiled.", f"{name}: {error}", file=place_of(error)
                ) from error


class Letters:
    """Renders what a match shows, and remembers what was rendered."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.renderer = Renderer(game.name, "games@example.org")
        self.decisions: set[str] = set()
        self.mails = 0

    def ask(self, samples: Samples, match: Match, decision: Decision) -> None:
        """Put a decision to its seat, unless one like it was put before."""
        long = len(decision.options) > LONG_MENU
        key = canonical([decision.kind, decision.window, decision.facts, long])
        if key not in self.decisions:
            self.decisions.add(key)
            self.render([samples.report(match, decision.seat)])

    def tell(self, samples: Samples, match: Match, events: Sequence[Event], *, complete: bool) -> None:
        """A report with all that happened, or every kind of mail, to every seat and to somebody without one."""
        for reader in (None, *map(Seat, range(samples.seats))):
            self.render(
                samples.every_kind(match, reader, events)
                if complete
                else [samples.report(match, reader, events)]
            )

    def look_up(self, samples: Samples, match: Match) -> None:
        """The rules and all that can be looked up."""
        self.render(samples.reference(match))

    def render(self, mails: Iterable[contexts.Mail]) -> None:
        for mail in mails:
            try:
                self.renderer.render(mail)
            except TemplateNotFound as error:
                raise PromiseBroken(
                    "A game has a template for everything that it is asked to word.",
                    f"{error.name} is missing, for the mail `{mail.template}`",
                    file=str(game_folder(self.game.name) / str(error.name)),
                ) from error
            except Exception as error:
                raise PromiseBroken(
                    "Every template can word whatever happens in the game.",
                    f"{type(error).__name__}: {error}, in the mail `{mail.template}`",
                    file=place_of(error),
                ) from error
            self.mails += 1
