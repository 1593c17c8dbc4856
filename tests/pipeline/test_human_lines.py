"""Lines as people write them, read by the pipeline and carried out in a real match: orders, slips, doubts, remarks."""

from __future__ import annotations

import pytest

from games.ankh_morpork.game import GAME
from games.ankh_morpork.match import Match
from games.ankh_morpork.why_not import REASONS
from pbem.config import Mail
from pbem.mail.handling.comparing import parse_settings
from pbem.mail.reading.parse import parse_mail
from pbem.orders.commands import Sorted, sort_typed
from pbem.orders.referee import Outcome, carry_out
from pbem.protocol import Seat

#: A turn begins; Groat has one symbol, a minion.
TURN = (
    "3 players | red* $8 | red holds mr-boggis, groat, captain-carrot, the-royal-mint, dr-cruces | green $5"
    " | green holds 5 | blue $1 | blue holds 5 | The Shades R G B ! | The Scours R G B ! | Dimwell R"
)
#: What is written before a line, so that the line answers the question that it is about.
MINION = "play Groat"
BUILD = "play The Royal Mint"
KILL = "play Dr Cruces"
POWER = (
    "red* $9 | red holds groat, captain-carrot, death | green holds 3 | Dimwell R[R] | The Shades R G ! | Longwall R"
)

#: What is written before, the line, and what it is: the options taken; `chat`; `asked`, which does nothing and asks.
ORDERS = [
    ("", "please play groat", "play Groat"),
    ("", "Please, play Groat.", "play Groat"),
    ("", "pls play groat", "play Groat"),
    ("", "then play groat", "play Groat"),
    ("", "ok play groat", "play Groat"),
    ("", "OK, play Groat!", "play Groat"),
    ("", "I play groat", "play Groat"),
    ("", "play groat\n\nBest,\nSusan", "play Groat"),
    ("", "I'm playing groat", "play Groat"),
    ("", "Groat is what I play", "play Groat"),
    ("", "Instead of carrot, play groat", "play Groat"),
    ("", "I'll play Groat", "play Groat"),
    ("", "I’ll play Groat", "play Groat"),
    ("", "I'd like to play groat", "play Groat"),
    ("", "I would like to play groat, please", "play Groat"),
    ("", "I want to play Groat this turn", "play Groat"),
    ("", "I am going to play groat", "play Groat"),
    ("", "Let me play groat", "play Groat"),
    ("", "Let's play Groat :)", "play Groat"),
    ("", "we play groat", "play Groat"),
    ("", "First play groat", "play Groat"),
    ("", "first play groat, then minion shades", "play Groat, minion The Shades"),
    ("", "First, play groat and then put a guy in the shades please", "play Groat, minion The Shades"),
    ("", "My move: play groat", "play Groat"),
    ("", "My orders: play Groat; minion Shades", "play Groat, minion The Shades"),
    ("", "my move is play groat", "play Groat"),
    ("", "My move - play groat", "play Groat"),
    ("", "For my turn I'll play groat", "play Groat"),
    ("", "Turn 5: play Groat, thanks", "play Groat"),
    ("", "Here are my orders: play groat", "play Groat"),
    ("", "Hi all, please play groat", "play Groat"),
    ("", "Hi all, play groat", "play Groat"),
    ("", "Sorry for the delay! Please play groat.", "play Groat"),
    ("", "Sorry for the delay, please play groat", "play Groat"),
    ("", "Could you please play Groat", "play Groat"),
    ("", "yes, play groat", "play Groat"),
    ("", "- please play groat", "play Groat"),
    ("", "*please* play groat", "play Groat"),
    ("", "next: play Groat", "play Groat"),
    ("", "Thanks Tom. I play groat.", "play Groat"),
    ("", "Good evening, play groat", "play Groat"),
    ("", "Hmm... play groat!", "play Groat"),
    ("", "Ignore my last mail. Play mr. boggis", "play Mr Boggis"),
    ("", "plaese play groat", "play Groat"),
    ("", "Sorry I'm late - play groat", "play Groat"),
    (MINION, "and minion shades", "minion The Shades"),
    (MINION, "minions shades", "minion The Shades"),
    (MINION, "Shades", "minion The Shades"),
    (MINION, "in the Shades", "minion The Shades"),
    (MINION, "and then the shades please", "minion The Shades"),
    (MINION, "and then put a guy in the shades", "minion The Shades"),
    (MINION, "then the minion goes to the shades, put it in the shades", "asked"),
    (MINION, "Secondly put a minion in The Shades, thanks!", "minion The Shades"),
    (MINION, "my turn: put man in shades", "minion The Shades"),
    (MINION, "skip the minion", "skip"),
    (MINION, "and skip", "skip"),
    (MINION, "please skip this", "skip"),
    (MINION, "no minion please", "skip"),
    (MINION, "and end", "end"),
    (MINION, "end the turn", "end"),
    (MINION, "ok, end turn please", "end"),
    (MINION, "That's it, thanks!", "end"),
    (BUILD, "then build dimwell", "build Dimwell"),
    (BUILD, "skip the building", "skip"),
    (BUILD, "please put a house in dimwell", "build Dimwell"),
    (KILL, "please kill blue in the shades", "assassinate Blue in The Shades"),
    (KILL, "and murder Blue in Shades", "assassinate Blue in The Shades"),
    (KILL, "blue in the shades, not green", "assassinate Blue in The Shades"),
]
CORRECTED = [
    ("", "paly groat", "play Groat"),
    ("", "plya Groat", "play Groat"),
    ("", "captian", "play Captain Carrot"),
    ("", "please paly groat", "play Groat"),
    (MINION, "minoin shades", "minion The Shades"),
    (MINION, "minon Shades", "minion The Shades"),
    (MINION, "then minnion in the shades", "minion The Shades"),
    (MINION, "palce a guy in the shades", "minion The Shades"),
    (BUILD, "biuld dimwell", "build Dimwell"),
    (BUILD, "buidl house in dimwell", "build Dimwell"),
    (BUILD, "and bulid Dimwell", "build Dimwell"),
    (KILL, "assasinate blue in shades", "assassinate Blue in The Shades"),
    (KILL, "asassinat blue in shades", "assassinate Blue in The Shades"),
    (KILL, "assasinete green in the scours", "assassinate Green in The Scours"),
]
ASKED = [
    ("", "paly the watch", "not held"),
    ("", "ply groat", "too short for a slip"),
    ("", "biuld longwall", "not asked now"),
    ("", "minoin hippo", "not asked now"),
    (BUILD, "biuld hippo", "no minion there"),
    (KILL, "assasinate red", "not a victim"),
    ("", "maybe play groat", "not decided"),
    ("", "I think I'll play groat", "not decided"),
    ("", "I might play groat", "not decided"),
    ("", "Perhaps I play Groat, who knows", "not decided"),
    ("", "Can I play groat?", "a question"),
    ("", "Play groat?", "a question"),
    ("", "If you can, play groat", "a condition"),
    ("", "I want to play groat next turn", "later"),
    ("", "Tom wants to play groat", "somebody else"),
    ("", "please play groat, boggis or carrot", "several"),
    (MINION, "please minion atlantis", "no such area"),
    (MINION, "then put a nice man in the shades", "a word too many"),
    (BUILD, "I will build my house in Dimwell one day :)", "later"),
    (BUILD, "then build in atlantis", "no such area"),
    (MINION, "minoin atlantis", "no such area"),
    ("", "Should I play groat", "a question"),
    ("", "What if I play Groat", "a question"),
    ("", "you play groat", "somebody else"),
    ("", "unless Blue moves, play groat", "a condition"),
]
CHAT = [
    ("", "Playing tonight was fun"),
    ("", "Thanks for the game, see you at the hippo!"),
    ("", "Use of this mail is confidential"),
    ("", "End of the week suits me"),
    ("", "Good move, Red"),
    ("", "Nice move Red!"),
    ("", "Pay attention to Dimwell"),
    ("", "Kill joy!"),
    ("", "Well done, Blue!"),
    ("", "Well done"),
    ("", "Hi all, sorry for the delay!"),
    ("", "Hello"),
    ("", "Hello Red, hello Blue"),
    ("", "Dear all,"),
    ("", "Cheers, Tom"),
    ("", "Best wishes from the Shades"),
    ("", "What does Groat do?"),
    ("", "what does groat do"),
    ("", "Who owns Dimwell?"),
    ("", "No trouble at all"),
    ("", "Please reply by Sunday"),
    ("", "More next week"),
    ("", "Time for a drink in the Drum"),
    ("", "What a turn, that was close"),
    ("", "How do I play groat?"),
    ("", "Take your time"),
    (MINION, "Good move, Red"),
    (MINION, "See you in The Shades"),
    (KILL, "Kill joy!"),
]
#: Remarks that name something of the game, or turn something round: nobody can be sure that they are none of it.
REMARKS = [
    ("", "boggys"),
    ("", "no play groat"),
    ("", "play groat, no carrot"),
    (MINION, "no minion Dimwell"),
    (MINION, "minion next to Dimwell"),
    (KILL, "kill my guy in the shades"),
    (KILL, "kill me in the shades"),
    ("", "no way!"),
    ("", "Susan"),
    ("", "I played groat last time"),
    ("", "I placed a guy in Dimwell by mistake"),
    ("", "I put a guy in dimwell last turn"),
    ("", "Don't play groat, Ann"),
    ("", "I will not play groat"),
    ("", "I won't play groat"),
    ("", "never play groat"),
    ("", "Should I have played Groat?"),
    ("", "Love Dimwell!"),
    ("", "Please note that Groat is a good card"),
    ("", "Mr Boggis is my favourite"),
    ("", 'Ann said "Groat is useless" :)'),
    ("", "The Hippo is full of trolls again"),
    ("", "Just played groat"),
    ("", "I hope Blue does not play groat"),
    ("", "Clay Smith"),
    (MINION, "Susan"),
    (MINION, "Nice place, the Shades"),
    (BUILD, "I like the house in Dimwell"),
    (KILL, "Blue was nice to me in the Shades"),
    (KILL, "I did not kill Blue in The Shades"),
    ("", "I will build my house in Dimwell one day :)"),
]


def sorted_lines(text: str) -> Sorted:
    mail = parse_mail(
        f"From: ann@example.org\nSubject: Re: [N6JR3CVE]\nContent-Type: text/plain; charset=utf-8\n\n{text}\n".encode(),
        parse_settings(Mail(address="orders@play.example.org", moderator="mod@example.org")),
    )
    return sort_typed([(line.text, line.kind == "order") for line in mail.typed], GAME.vocabulary)


def outcome_of(before: str, line: str, position: str = TURN) -> tuple[Outcome, Sorted]:
    """What becomes of a mail of these, and which lines count in it."""
    lines = sorted_lines(f"{before}\n{line}" if before else line)
    return carry_out(GAME, Match.from_position(position), Seat(0), lines.orders), lines


def taken(outcome: Outcome, before: str) -> str:
    """The options taken for the lines behind the first."""
    told = [one for one in outcome.lines if one.verdict in ("done", "corrected")]
    return ", ".join(one.option or "" for one in told[1 if before else 0 :])


@pytest.mark.parametrize(("before", "line", "expected"), ORDERS)
def test_an_order_in_a_persons_words_is_carried_out(before: str, line: str, expected: str) -> None:
    outcome, _ = outcome_of(before, line)
    if expected == "asked":
        assert outcome.refused
    else:
        assert outcome.refused is None
        assert taken(outcome, before) == expected


@pytest.mark.parametrize(("before", "line", "expected"), CORRECTED)
def test_a_mistyped_order_is_carried_out_and_said_back(before: str, line: str, expected: str) -> None:
    outcome, _ = outcome_of(before, line)
    assert outcome.refused is None
    last = [one for one in outcome.lines if one.verdict in ("done", "corrected")][-1]
    assert last.option == expected
    if last.text.split()[0].lower() not in ("assasinate", "asassinat"):  # so common that the game knows it
        assert last.verdict == "corrected"


@pytest.mark.parametrize(("before", "line", "why"), ASKED)
def test_what_may_be_an_order_is_asked_about_and_nothing_is_done(before: str, line: str, why: str) -> None:
    outcome, _ = outcome_of(before, f"{line}\nend")
    assert not outcome.changed
    assert outcome.refused, why
    problem = outcome.refused.problem
    assert problem is not None
    assert problem.suggestions or problem.reason in REASONS


@pytest.mark.parametrize(("before", "line"), CHAT)
def test_a_remark_moves_nothing_and_is_said_back(before: str, line: str) -> None:
    outcome, lines = outcome_of(before, line)
    assert outcome.refused is None
    assert taken(outcome, before) == ""
    said = [*lines.chat, *(one.text for one in outcome.lines if one.verdict == "chat")]
    assert said == [line]


@pytest.mark.parametrize(("before", "line"), REMARKS)
def test_a_remark_about_the_game_is_asked_about_and_nothing_is_done(before: str, line: str) -> None:
    outcome, _ = outcome_of(before, line)
    assert not outcome.changed
    assert outcome.refused
