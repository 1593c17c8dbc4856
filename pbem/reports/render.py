"""A context and its templates -> subject, text and HTML.

Each mail is written once, in terms of a small set of macros (`format.j2`) that exists twice, for text and for
HTML: so both parts always say the same. Never sees the store, the clock or the network.

A template is looked for in the game's folder before `base`, and in `text` or `html` there before the folder itself.
A game brings at least the templates `NEEDED` and a `rules/TOPIC` for each of its topics; `map`, `goal`, `private`,
`lookup`, `policies` and `help_standing` where it has such a thing. It may word anything of `base` anew.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateError
from jinja2.runtime import Context, Macro
from markupsafe import Markup

from pbem.orders import marks
from pbem.protocol import HasRules, installed_games, templates_folder
from pbem.questions.values import Answer
from pbem.reports import filters, layout, retold, story
from pbem.reports.contexts import GameMail, Mail

#: What a game's folder must hold.
NEEDED = ("events", "question", "table", "result", "help_orders", "welcome_rules")

#: What templates call by its own name.
FILTERS: tuple[Callable[..., Any], ...] = (
    *(layout.wrap, layout.cut, layout.sentences, layout.brickwork),
    *(filters.local, filters.span, filters.menu, filters.listed),
    *(filters.remarks, filters.by_lead, filters.by_verb, filters.objects, story.story),
    *(retold.nearest, retold.turning_points, retold.share),
)

#: Longest name of a game in a subject.
LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class Rendered:
    """A mail's words."""

    #: One line without control characters; nothing secret in it.
    subject: str
    #: The text/plain part, at most 72 columns.
    text: str
    #: The text/html part, with the same content.
    html: str


class Variables(Context):
    """What a template knows. Macros are called without a look at what else may be callable: they are most calls."""

    def call(__self, __obj: Any, *args: Any, **kwargs: Any) -> Any:
        if type(__obj) is not Macro:
            return super().call(__obj, *args, **kwargs)
        kwargs.pop("_loop_vars", None)
        kwargs.pop("_block_vars", None)
        return __obj(*args, **kwargs)


class Templates(Environment):
    """An environment in which `area.name` looks into a dict first: views are dicts, and raise no error for it."""

    context_class = Variables

    def getattr(self, obj: Any, attribute: str) -> Any:
        try:
            return obj[attribute] if type(obj) is dict else getattr(obj, attribute)
        except (AttributeError, KeyError):
            return super().getattr(obj, attribute)


def game_folder(game: str) -> Path:
    """Where a game's templates lie: beside ours, or in the package of the game."""
    ours = templates_folder() / game
    if not ours.is_dir():
        for point in entry_points(group="pbem.games", name=game):
            spec = find_spec(point.module)
            for place in (spec.submodule_search_locations or ()) if spec else ():
                return Path(place) / "templates"
    return ours


def look_up(game: str) -> Callable[[str], Mapping[str, Any] | None]:
    """What a game says about a card or another thing of its own by its name; nothing in a game that looks nothing up."""
    rules = installed_games().get(game)
    return rules.lookup if isinstance(rules, HasRules) else lambda name: None


def drawing(templates: Environment) -> Callable[[str, Mapping[str, Any]], str]:
    """What draws a template that depends on some JSON-able values alone, and remembers it: the same map goes to
    every seat, and a card says the same in every hand."""

    @lru_cache(maxsize=512)
    def known(name: str, values: str) -> str:
        made = templates.get_template(name).render(json.loads(values))
        return Markup(made) if templates.autoescape else made

    return lambda name, values: known(name, json.dumps(values))


@lru_cache(maxsize=16)
def environment(game: str, kind: str) -> Templates:
    """The compiled templates of a game for `text` or `html`; made once, kept in memory."""
    base, own = templates_folder() / "base", game_folder(game)
    made = Templates(
        loader=FileSystemLoader([own / kind, own, base / kind, base]),
        undefined=StrictUndefined,
        autoescape=kind == "html",
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        cache_size=-1,
        extensions=["jinja2.ext.do"],
    )
    made.filters.update(
        {function.__name__: function for function in FILTERS},
        glue=layout.glue if kind == "text" else str,
        records=layout.records,
        wrapped=lambda text, width: layout.wrapped(text, width=width),
        toml=json.dumps,  # for pbem.toml.j2, which lies in base too: `pbem doctor` compiles all that is there
    )
    made.globals.update(BLANK=layout.BLANK, drawn=drawing(made), lookup=lru_cache(maxsize=256)(look_up(game)))
    return made


@lru_cache(maxsize=16)
def compile_all(game: str) -> None:
    """Compile every template of a game now, which takes a second; a broken one fails where it is used."""
    for kind in ("text", "html"):
        templates = environment(game, kind)
        for name in templates.list_templates(extensions=["j2"]):
            with suppress(TemplateError):
                templates.get_template(name)


@dataclass(frozen=True, slots=True)
class Renderer:
    """Writes the mails of one game's server address."""

    #: The game's entry-point name, which is also its folder of templates.
    game: str
    #: Where orders go.
    address: str
    #: Whether reply links carry the token in the address.
    plus_addressing: bool = False
    #: The lines round the section to fill in.
    begin_marker: str = "==== ORDERS START ===="
    end_marker: str = "==== ORDERS END ===="

    def render(self, context: Mail) -> Rendered:
        """Subject, text and HTML of a mail."""
        mail = filters.cleaned(context)
        markers = (self.begin_marker, self.end_marker)
        values = {"m": mail, "link": self.links(mail), "markers": markers, "address": self.address}
        text = environment(self.game, "text")
        html = environment(self.game, "html")
        name = f"{mail.template}.j2"
        return Rendered(
            subject=self.subject(mail),
            text=filters.clean_lines(layout.finish(text.get_template(name).render(values))),
            html=filters.clean_lines(html.get_template(name).render(values)),
        )

    def said(self, answer: Answer, mail: Mail) -> str:
        """What an answer says to the reader of a mail, on one line."""
        template = environment(self.game, "text").get_template("said_alone.j2")
        return " ".join(layout.finish(template.render(m=filters.cleaned(mail), answer=answer)).split())

    def subject(self, mail: Mail) -> str:
        """The subject line: code and name of the game, what it is about, the token last."""
        short = layout.cut(mail.game, LONGEST_NAME)
        words = environment(self.game, "text").get_template("subject.j2").render(m=mail, game=short)
        return filters.clean(" ".join(words.split()))

    def links(self, mail: Mail) -> filters.Links:
        """Reply links that carry the mail's token and the mark of what it asks."""
        address = self.address
        if self.plus_addressing and mail.token:
            local, _, host = address.rpartition("@")
            address = f"{local}+{mail.token}@{host}"
        turn, mark = getattr(mail, "turn", None), ""
        if isinstance(mail, GameMail) and mail.question:
            answered = mail.situation.kind == "answered"
            mark = marks.mark(mail.question.options, () if answered else mail.question.answer)
        subject = environment(self.game, "text").get_template("reply_subject.j2")
        return filters.Links(address, subject.render(m=mail, turn=turn, mark=mark).strip())
