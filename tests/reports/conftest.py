"""Contexts for the tests of reports: made up, but complete."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

from games.ankh_morpork import GAME
from games.ankh_morpork.match import Match
from games.ankh_morpork.text import log
from pbem.orders.outcome import Line, Problem
from pbem.protocol import Entry, Event, Finding, Goal, Seat, Suggestion, Untold
from pbem.questions.values import Answer
from pbem.reports import contexts
from pbem.reports.render import Renderer
from pbem.reports.samples import Samples

NOW = datetime(2026, 11, 29, 15, 0, tzinfo=UTC)
DUE = datetime(2026, 12, 1, 19, 0, tzinfo=UTC)
GOLDEN = Path(__file__).parent.parent / "golden"
AREAS = (
    ("Dolly Sisters", 6),
    ("Unreal Estate", 18),
    ("Dragon's Landing", 12),
    ("Small Gods", 18),
    ("The Scours", 6),
    ("The Hippo", 12),
    ("The Shades", 6),
    ("Dimwell", 6),
    ("Longwall", 12),
    ("Isle of Gods", 12),
    ("Seven Sleepers", 18),
    ("Nap Hill", 12),
)


def area(number: int, **changes: Any) -> dict[str, Any]:
    name, cost = AREAS[number - 1]
    plain = {
        "number": number,
        "name": name,
        "slug": name.lower().replace(" ", "-"),
        "cost": cost,
        "river": number not in (3, 6),
        "neighbours": [],
        "minions": {},
        "trolls": 0,
        "demons": 0,
        "building": None,
        "trouble": False,
        "card_gone": False,
        "controller": None,
    }
    return plain | changes


def seat(colour: str, **changes: Any) -> dict[str, Any]:
    plain = {
        "colour": colour,
        "money": 10,
        "minions": 3,
        "minions_left": 9,
        "buildings": [],
        "buildings_left": 6,
        "hand_size": 5,
        "hand_limit": 5,
        "city_cards": [],
        "loans": [],
        "stuck": [],
    }
    return plain | changes


def asked_rule() -> contexts.Answered:
    """A question that an answer of the game's answers, with another and a card near it."""
    rule = Entry(id="R-TRN-3", kind="rule", title="Play", text="The actor plays one card from hand.")
    told = Entry(
        id="R-TRN-3", kind="rule", title="Must I play?", text="Yes, if you can.", rests_on=("R-TRN-5",), answers=True
    )
    other = replace(told, id="R-TRN-4", title="When may I pass?")
    thing = Entry(id="gaspode", kind="card", title="Gaspode", text="It stays.")
    answer = Answer("rule", (told, other, thing), rule=rule)
    return contexts.Answered(question="do i have to play a card", answer=answer)


def asked_position() -> contexts.Answered:
    """A question on the position."""
    rule = Entry(id="R-SYM-CA", kind="rule", title="calm", text="Remove one trouble marker from any area.")
    finding = Finding("where_to_calm", {"areas": ["Dimwell", "The Shades"]}, ("R-SYM-CA",))
    return contexts.Answered(
        question="where could I calm?", answer=Answer("position", (rule,), finding=finding, rule=rule)
    )


def asked_secret() -> contexts.Answered:
    """A question that is not answered."""
    return contexts.Answered(question="what does Green hold?", answer=Answer("unanswerable", untold=Untold("hands")))


def card(name: str, *symbols: str, scroll: str | None = None, today: Any = ()) -> dict[str, Any]:
    return {
        "name": name,
        "id": name.lower(),
        "deck": "green",
        "symbols": list(symbols),
        "scroll": scroll,
        "interrupt": symbols == ("interrupt",),
        "today": [{"symbol": symbol, "targets": list(targets)} for symbol, targets in today],
    }


def made_view() -> dict[str, Any]:
    """What Red sees in the ninth turn of a game of three."""
    areas = [area(number) for number in range(1, 13)]
    areas[0] |= {"minions": {"Red": 1, "Green": 1, "Blue": 1}, "trouble": True}
    areas[1] |= {"minions": {"Red": 1}, "trolls": 1, "trouble": True}
    areas[3] |= {"minions": {"Red": 2}, "building": "Red", "controller": "Red"}
    areas[6] |= {"minions": {"Green": 2, "Blue": 1}, "demons": 1, "trouble": True}
    areas[7] |= {"minions": {"Red": 12, "Green": 11, "Blue": 10}, "trolls": 3, "demons": 4, "building": "Blue"}
    areas[11] |= {"minions": {"Red": 1}, "building": "Red", "controller": "Red"}
    return {
        "turn": 9,
        "actor": "Red",
        "seat": "Red",
        "reactions": False,
        "over": None,
        "areas": areas,
        "seats": [
            seat("Red", money=14, buildings=["Small Gods", "Nap Hill"], city_cards=["Small Gods", "Nap Hill"]),
            seat("Green", money=9, loans=["Mr Bent"]),
            seat("Blue", buildings=["Dimwell"], stuck=["Dr Whiteface"], hand_limit=4),
        ],
        "draw_pile": 41,
        "discards": ["The Dean", "Mr Boggis", "Groat"],
        "in_play": None,
        "events_left": 9,
        "events_used": ["Flood", "Fog", "Trolls"],
        "trouble_count": 3,
        "private": {
            "personality": {
                "name": "Lord Rust",
                "text": "You control enough areas.",
                "need": 5,
                "have": 2,
                "met": False,
                "progress": ["Small Gods", "Nap Hill"],
            },
            "hand": [
                card(
                    "Groat",
                    "minion",
                    today=[("minion", ["minion Dolly Sisters", "minion Unreal Estate", "minion Nap Hill"])],
                ),
                card("The Royal Mint", "building", "money:5", today=[("building", ["build Longwall"])]),
                card(
                    "Nobby Nobbs", "scroll", "play", scroll="Take $3 from a player you name (all they have, if less)."
                ),
                card("Gaspode", "interrupt", scroll="That minion stays where it is."),
            ],
            "powers": [
                {"area": "Small Gods", "text": "Pay the bank $3 for each piece.", "usable": False, "why": "turn"},
                {"area": "Nap Hill", "text": "Take $1 from the bank.", "usable": True, "why": None},
            ],
            "seen_personalities": ["Commander Vimes"],
        },
    }


def made_mail() -> dict[str, Any]:
    """What every mail knows."""
    return {
        "player": "Rosie",
        "now": NOW,
        "timezone": "Europe/Berlin",
        "code": "G042",
        "game": "Thursday night",
        "token": "N6JR3CVE",
    }


def made_game() -> dict[str, Any]:
    """What every mail about a game knows."""
    return made_mail() | {
        "colour": "Red",
        "seats": (
            contexts.Place(colour="Red", player="Rosie"),
            contexts.Place(colour="Green", player="Havelock"),
            contexts.Place(colour="Blue", player="a bot", bot=True),
        ),
        "turn": 9,
        "actor": "Red",
        "situation": contexts.Situation(kind="move", due_at=DUE),
    }


def made_question() -> contexts.Question:
    """Red's turn begins."""
    return contexts.Question(
        kind="turn",
        options=("play Groat", "play The Royal Mint", "play Nobby Nobbs", "use Nap Hill"),
        facts=log.asked(),
        default="play Groat",
        turns=(
            Suggestion(("play Groat", "minion Dolly Sisters"), ((), ("minion Unreal Estate", "minion Nap Hill"))),
            Suggestion(("play The Royal Mint", "build Longwall", "end")),
        ),
    )


def made_events() -> tuple[contexts.Happening, ...]:
    """What two others did."""
    told = (
        (7, "Green", "CardPlayed", {"colour": "Green", "card": "Mr Boggis"}),
        (7, "Green", "MoneyPaid", {"colour": "Red", "to": "Green", "amount": 2, "cause": "Mr Boggis"}),
        (7, "Green", "MinionPlaced", {"colour": "Green", "area": "Dimwell", "trouble": True}),
        (8, "Blue", "CardPlayed", {"colour": "Blue", "card": "The Dean"}),
        (8, "Blue", "EventDrawn", {"colour": "Blue", "event": "Flood", "left": 9}),
        (
            8,
            "Blue",
            "DiceRolled",
            {"colour": "Blue", "dice": [9, 6], "areas": ["Longwall", "The Hippo"], "cause": "Flood"},
        ),
        (8, "Blue", "AreaFlooded", {"area": "Longwall"}),
        (
            8,
            "Blue",
            "MinionMoved",
            {"by": "Flood", "colour": "Red", "area": "Longwall", "to": "Isle of Gods", "trouble": False},
        ),
        (8, "Blue", "CardsDrawn", {"colour": "Blue", "count": 1, "cause": "refill", "cards": None}),
    )
    return tuple(contexts.Happening(turn=turn, actor=actor, kind=kind, data=data) for turn, actor, kind, data in told)


def made_turn() -> tuple[contexts.Happening, ...]:
    """What Red's own orders did, and what came then, in which Red's policies had a part."""
    kept = {"fired": None, "kept": [{"subject": "Gaspode", "why": "never"}]}
    fired = {"fired": "Igor", "kept": [{"subject": "Susan", "why": "another"}]}
    told = (
        (9, "Red", "CardPlayed", {"colour": "Red", "card": "Nobby Nobbs"}),
        (9, "Red", "MoneyPaid", {"colour": "Green", "to": "Red", "amount": 3, "cause": "Nobby Nobbs"}),
        (9, "Red", "CardsDrawn", {"colour": "Red", "count": 1, "cause": "refill", "cards": ["Igor"]}),
        (10, "Green", "CardPlayed", {"colour": "Green", "card": "Mr Gryle"}),
        (
            10,
            "Green",
            "MinionRemoved",
            {"by": "Green", "colour": "Red", "area": "Dolly Sisters", "cause": "Mr Gryle", "answers": [kept]},
        ),
        (10, "Green", "CardPlayed", {"colour": "Green", "card": "The Agony Aunts"}),
        (10, "Green", "InterruptPlayed", {"colour": "Red", "card": "Igor", "answers": [fired]}),
    )
    return tuple(contexts.Happening(turn=turn, actor=actor, kind=kind, data=data) for turn, actor, kind, data in told)


def made_policies() -> tuple[dict[str, Any], ...]:
    """As they are before anybody says anything."""
    return tuple(
        {"subject": subject, "terms": {"act": "default"}, "held": subject in ("Gaspode", "Small Gods"), "set": False}
        for subject in ("Small Gods", "Wallace Sonky", "Gaspode", "Susan", "Fresh Start Club", "Igor")
    )


def made_course() -> contexts.Course:
    """Green was nearest, and fell back; Blue is after something else since the eighth turn."""
    figures = ((6, 3, "Chrysoprase", 30), (7, 5, "Chrysoprase", 44), (8, 2, "Lord Rust", 1))
    moments = [
        contexts.Moment(
            turn=turn,
            actor="",
            view=made_view(),
            drawing=GAME.drawing(made_view()),
            goals=(None, Goal("Lord Selachii", green, 5), Goal(name, blue, 50 if name == "Chrysoprase" else 5)),
            events=tuple(event for event in made_events() if event.turn == turn),
        )
        for turn, green, name, blue in figures
    ]
    reaction = contexts.Reaction(turn=8, colour="Green", order="interrupt Susan")
    return contexts.Course(moments=tuple(moments), reactions=(reaction,), windows=12)


def made_board() -> dict[str, Any]:
    """What every mail that shows the whole state knows."""
    return made_game() | {
        "view": made_view(),
        "events": made_events(),
        "question": made_question(),
        "policies": made_policies(),
    }


def asked(kind: str, *options: str, window: bool = False, **facts: Any) -> contexts.Question:
    return contexts.Question(
        kind=kind, options=options, facts=log.threatened(**facts) if window else log.asked(**facts), default=options[-1]
    )


LINES = (
    Line(text="play Nobby Nobs", verdict="corrected", option="play Nobby Nobbs"),
    Line(text="target Green", verdict="done", option="target Green"),
    Line(text="", verdict="automatic", option="money"),
    Line(text="See you on Thursday!", verdict="chat"),
)
REFUSED = (
    Line(text="play Groat", verdict="set_aside"),
    Line(
        text="minion Dimwel",
        verdict="refused",
        problem=Problem(
            kind="not_possible",
            reason="not_this",
            suggestions=("minion The Hippo", "minion Small Gods", "minion The Scours"),
            facts={"kind": "minion", "verb": "minion", "names": ["build Longwall"], "unknown": []},
        ),
    ),
)
WINDOW = asked(
    "react",
    "interrupt Gaspode",
    "pass",
    window=True,
    threat="remove",
    card="Inigo Skimmer",
    symbol="assassinate",
    by="Green",
    area="Small Gods",
    piece="Red",
)
GREEN_MOVES = {"question": None, "actor": "Green", "situation": contexts.Situation(kind="waiting", due_at=DUE)}
REACT = {"question": WINDOW, "actor": "Green", "situation": contexts.Situation(kind="react", due_at=DUE)}


def made_samples() -> dict[str, contexts.Mail]:
    """At least one mail of every kind."""
    game, board = made_game(), made_board()
    waiting = board | GREEN_MOVES
    return {
        "report": contexts.Report(**board),
        "report-waiting": contexts.Report(**waiting),
        "report-reactions": contexts.Report(
            **waiting | {"situation": contexts.Situation(kind="reactions", due_at=DUE, paused=True)}
        ),
        "report-reaction": contexts.Report(**board | REACT),
        "report-waited": contexts.Report(**board, lines=REFUSED[1:]),
        "report-next": contexts.Report(**board, occasion="next", lines=LINES),
        "report-missed": contexts.Report(**board, occasion="missed"),
        "report-again": contexts.Report(**board, occasion="again"),
        "reminder": contexts.Report(**board, occasion="reminder"),
        "welcome": contexts.Welcome(**board | {"events": ()}, commitment="5f" * 32, turn_hours=72, reaction_hours=24.0),
        "acknowledgement": contexts.Acknowledgement(
            **waiting | {"events": made_turn()}, lines=LINES, complete=True, revealed=True
        ),
        "acknowledgement-asked": contexts.Acknowledgement(
            **board | REACT | {"events": made_turn()}, lines=LINES[1:3], complete=True, revealed=True
        ),
        "acknowledgement-open": contexts.Acknowledgement(
            **board
            | {
                "events": made_turn()[:2],
                "question": asked("minion", "minion Dimwell", "skip", card="Groat", symbol="minion"),
                "situation": contexts.Situation(kind="continues", due_at=DUE),
            },
            lines=LINES[:2],
            complete=False,
            token_retired=True,
        ),
        "acknowledgement-waiting": contexts.Acknowledgement(
            **board
            | {
                "events": made_turn()[:2],
                "question": None,
                "situation": contexts.Situation(kind="reactions", due_at=DUE),
            },
            lines=(*LINES[:2], Line(text="end", verdict="set_aside")),
            complete=False,
            revealed=True,
        ),
        "acknowledgement-owed": contexts.Acknowledgement(
            **board
            | {
                "events": made_turn()[:2],
                "question": None,
                "situation": contexts.Situation(kind="group", group=("Green",), due_at=DUE),
            },
            lines=(*LINES[:2], Line(text="skip", verdict="done", option="skip", about="building"), REFUSED[0]),
            complete=False,
            revealed=True,
        ),
        "acknowledgement-stopped": contexts.Acknowledgement(
            **board | {"events": made_turn()[:2], "situation": contexts.Situation(kind="continues", due_at=DUE)},
            lines=LINES[:2] + REFUSED[1:],
            complete=False,
            revealed=True,
        ),
        "acknowledgement-group": contexts.Acknowledgement(
            **waiting
            | {
                "events": (),
                "question": replace(
                    asked("subsidence", "burn Dimwell", "burn Nap Hill", cause="Subsidence", left=1),
                    answer=("burn Nap Hill",),
                ),
                "situation": contexts.Situation(kind="answered", due_at=DUE, group=("Red", "Blue")),
            },
            lines=(Line(text="burn nap hill", verdict="done", option="burn Nap Hill"),),
            complete=True,
        ),
        "report-group": contexts.Report(
            **waiting | {"situation": contexts.Situation(kind="group", due_at=DUE, group=("Green", "Blue"))}
        ),
        "refusal": contexts.Refusal(**board, lines=REFUSED),
        "nothing-empty": contexts.Nothing(**board, what="empty"),
        "nothing-unsupported": contexts.Nothing(**board, what="unsupported"),
        "nothing-oversize": contexts.Nothing(**board, what="oversize"),
        "nothing-yes": contexts.Nothing(**board, what="yes"),
        "nothing-no": contexts.Nothing(**board, what="no"),
        "nothing-unanswered": contexts.Nothing(
            **board,
            what="chat",
            unanswered=tuple(
                contexts.Unanswered(why=why, first=NOW, last=NOW + timedelta(hours=number), count=1 + number)
                for number, why in enumerate(get_args(contexts.Silence))
            ),
        ),
        "nothing-chat": contexts.Nothing(**board, what="chat", lines=LINES[3:]),
        "preview": contexts.Preview(**board | {"events": made_turn()[:1]}, lines=LINES[:1], stops_at="target Green"),
        "preview-whole": contexts.Preview(
            **board | {"events": made_turn()[:2]},
            lines=LINES,
            next=contexts.Question(kind="play", options=("play Groat", "skip"), facts=log.asked("Nobby Nobbs", "play")),
        ),
        "preview-wrong": contexts.Preview(**board, lines=REFUSED),
        "undone": contexts.Undone(**board, choices=("play Groat", "minion Dimwell")),
        **{f"undone-{late}": contexts.Undone(**board, choices=(), late=late) for late in get_args(contexts.TooLate)},
        "undone-too-late": contexts.Undone(
            **board, choices=(), late="revealed", lines=(Line(text="play Groat", verdict="set_aside"),)
        ),
        "rolled-back": contexts.RolledBack(**board, from_turn=11, reason="A typing error of mine."),
        "rolled-back-restored": contexts.RolledBack(**board, from_turn=11, restored=True),
        "status": contexts.Status(**game, view=made_view(), question=made_question()),
        "help": contexts.Help(**game, topics=("turn", "trouble"), question=made_question()),
        "aid": contexts.Aid(**game),
        "rules": contexts.Rules(**game, topic="turn", asked="turns", topics=("turn", "trouble")),
        "rules-none": contexts.Rules(**game, topic=None, asked="cheating", topics=("turn", "trouble")),
        "rules-list": contexts.Rules(**game, topic=None, topics=("turn", "trouble")),
        "card-none": contexts.Card(**game, asked="Grot", found=None, suggestions=("Groat", "Ruby")),
        "answers": contexts.Answers(**game, answered=(asked_rule(), asked_position()), more=True),
        "answers-untold": contexts.Answers(**game, answered=(asked_secret(),)),
        "acknowledgement-with-question": contexts.Acknowledgement(
            **board, lines=LINES[:1], complete=False, answered=(asked_position(),)
        ),
        "history": contexts.History(**game, events=made_events()),
        "history-empty": contexts.History(**game, events=()),
        "standing": contexts.Standing(**game, lines=(), policies=made_policies()),
        "final": contexts.Final(
            **waiting,
            reason="pile",
            scores=(
                contexts.Score(
                    colour="Red",
                    player="Rosie",
                    winner=True,
                    points=62,
                    details={"personality": "Lord Rust", "minions": 30, "buildings": 24, "money": 8, "loans_unpaid": 0},
                ),
                contexts.Score(
                    colour="Green",
                    player="Havelock",
                    winner=False,
                    points=-3,
                    details={
                        "personality": "Lord Selachii",
                        "minions": 5,
                        "buildings": 0,
                        "money": 7,
                        "loans_unpaid": 1,
                        "hand": ["Groat", "Ruby"],
                    },
                ),
                contexts.Score(
                    colour="Blue", player="a bot", winner=True, points=62, details={"personality": "Chrysoprase"}
                ),
            ),
            seed="ab" * 32,
            commitment="5f" * 32,
            course=made_course(),
            set_policies={"Red": [{"subject": "Gaspode", "terms": {"act": "never"}, "held": True, "set": True}]},
            page="g042-replay.html",
        ),
        "no-seat": contexts.NoSeat(**made_mail() | {"token": None, "code": "", "game": ""}),
        "parked-last": contexts.Parked(**game | {"last_answer": True}, orders=("play Groat",), why="token"),
        "parked": contexts.Parked(**game, orders=("play Groat", "end"), why="address", sender="rosie@work.example"),
        "parked-token": contexts.Parked(**game, orders=(), void=("resign yes",), why="token", offered=False),
        "parked-lost": contexts.Parked(**game, orders=("play Groat", "end"), why="lost"),
        "parked-quoted": contexts.Parked(**game, orders=("play Groat", "end"), why="quoted"),
        "parked-failed": contexts.Parked(**game, orders=(), why="failed"),
        **{f"stale-{why}": contexts.Stale(**board, why=why, orders=("end",)) for why in WHYS},  # type: ignore[arg-type]
        "confirm-resign": contexts.ConfirmResign(**game),
        **{
            f"new-address-{what}": contexts.NewAddress(
                **game,
                what=what,  # type: ignore[arg-type]
                address="rosie@work.example",
                from_when=made_mail()["now"] + timedelta(days=1),
            )
            for what in get_args(contexts.AddressStep)
        },
        **{
            f"notice-{what}": contexts.Notice(
                **game,
                what=what,  # type: ignore[arg-type]
                about="Green",
                name="Havelock",
                reason="So be it.",
                settings={"turn_hours": 24.0, "reaction_hours": 12.0, "nmr": "default", "reactions": "sealed"}
                | {"timezone": "Asia/Tokyo"},
            )
            for what in NOTICES
        },
        **{
            f"moderator-{what}": contexts.ModeratorNotice(
                **made_mail() | {"token": None},
                what=what,
                facts={"seat": "Red", "name": "Rosie", "error": "550 no"},  # type: ignore[arg-type]
            )
            for what in MODERATOR
        },
    }


WHYS = get_args(get_type_hints(contexts.Stale)["why"])
NOTICES = get_args(get_type_hints(contexts.Notice)["what"])
MODERATOR = get_args(get_type_hints(contexts.ModeratorNotice)["what"])
SAMPLES = made_samples()
for what, which, facts in (
    *(("silence", "all", {"count": 3}), ("held", "all", {"hours": 5}), ("held", "back", {"back": 5})),
    ("mismatch", "all", {"error": "KeyError"}),
):
    SAMPLES[f"moderator-{what}-{which}"] = contexts.ModeratorNotice(
        **made_mail() | {"token": None, "code": "", "game": ""}, what=what, facts=facts
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """`sample` is each of the mails above in turn."""
    if "sample" in metafunc.fixturenames:
        metafunc.parametrize(("name", "sample"), SAMPLES.items(), ids=SAMPLES)


@pytest.fixture
def board() -> dict[str, Any]:
    """What every mail that shows the whole state knows."""
    return made_board()


@pytest.fixture
def game() -> dict[str, Any]:
    """What every mail about a game knows."""
    return made_game()


@pytest.fixture(scope="session")
def renderer() -> Renderer:
    return Renderer("ankh_morpork", "game@example.org")


@pytest.fixture
def samples() -> dict[str, contexts.Mail]:
    """All the made-up mails by name."""
    return SAMPLES


@pytest.fixture
def mail() -> dict[str, Any]:
    """What every mail knows."""
    return made_mail()


@pytest.fixture
def report_of(mail: dict[str, Any]) -> Callable[..., contexts.Report]:
    """What a seat is sent in the state of a real match; without a deadline."""

    def made(match: Match, seat: int, events: Sequence[Event] = ()) -> contexts.Report:
        state = Samples(GAME, match.seats).on_the_state(match, Seat(seat), events)
        names = dict(zip(GAME.colours, ("Rosie", "Havelock", "Sam", "Sybil"), strict=True))
        places = tuple(replace(place, player=names[place.colour]) for place in state["seats"])
        situation = replace(state["situation"], due_at=None)
        own = {"player": places[seat].player, "seats": places, "situation": situation}
        return contexts.Report(**state | mail | own)

    return made


@pytest.fixture
def golden() -> Callable[[str, str], str]:
    """The stored mail of a name; with GOLDEN_MAILS=write in the environment it is first written anew."""

    def stored(name: str, found: str) -> str:
        path = GOLDEN / name
        if os.environ.get("GOLDEN_MAILS") == "write":
            path.write_text(found, encoding="utf-8")
        return path.read_text(encoding="utf-8")

    return stored
