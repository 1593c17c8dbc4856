"""How people write, and what they mean: a table of lines, and of lines that must not be guessed at."""

from __future__ import annotations

import pytest
from city_words import AREAS, WORDS, asked, each
from pbem.orders.match import match_line

from games.ankh_morpork.text.words import VOCABULARY
from pbem.errors import Ambiguous, NotPossible, NotUnderstood, OrderError
from pbem.protocol import Decision, Vocabulary

HAND = ("Mr Boggis", "Groat", "Mr Pin & Mr Tulip", "The Royal Mint", "Here'n'Now", "Dr Cruces", "The Fools' Guild")
TURN = asked("turn", *each("play", HAND), "use Dimwell", "use The Shades")
NEAR = ("Dolly Sisters", "The Hippo", "The Shades", "Dimwell", "Small Gods", "Seven Sleepers")
MINION = asked("minion", *each("minion", NEAR), "skip", decline="skip")
TWELVE = asked(
    "minion",
    "minion The Hippo from Dimwell",
    "minion The Hippo from The Shades",
    "minion Dimwell from The Shades",
    "skip",
    decline="skip",
)
BUILD = asked("building", "build Dimwell", "build Nap Hill", "build Longwall", "use Nap Hill", "skip", decline="skip")
KILL = asked(
    "assassinate",
    "assassinate Red in Dimwell",
    "assassinate Blue in The Shades",
    "assassinate troll in The Shades",
    "assassinate Blue in Small Gods",
    "skip",
    decline="skip",
)
CALM = asked("calm", *each("calm", AREAS[:6]), "skip", decline="skip")
TARGET = asked("target", "target Red", "target Green", "target Blue", "skip", decline="skip")
MOVE = asked(
    "move",
    "move Red from Dimwell to The Shades",
    "move Red from Dimwell to Longwall",
    "move Red from The Scours to Dimwell",
    "move Blue from Dimwell to The Shades",
    "move troll from Nap Hill to Seven Sleepers",
    "skip",
    decline="skip",
)
SWAP = asked(
    "swap",
    "swap Red in Dimwell with Blue in The Hippo",
    "swap Red in Dimwell with Green in The Hippo",
    "swap Blue in Nap Hill with Blue in The Hippo",
    "skip",
    decline="skip",
)
DISCARD = asked("discard", *each("discard", ("Groat", "Modo", "Gaspode", "Mr Bent")), "done", decline="done")
BUILDING_SAFE = asked("react", "protect Red in Dimwell", "pass", decline="pass")
PAYS = asked("target", "Red pays Blue", "Blue pays Red", "Red pays Green", "skip", decline="skip", facts={"amount": 3})
REACT = asked(
    "react",
    "interrupt Gaspode",
    "interrupt Susan",
    "protect Red in Dimwell",
    "protect building in Dimwell",
    "pass",
    decline="pass",
)
SANCTUARY = asked("give", "give $1", "give Groat", "give Modo")
DEMAND = asked("pay", "pay", "refuse", facts={"amount": 5})

MEANT: list[tuple[Decision, str, str]] = [
    # the card to play
    (TURN, "play Mr Boggis", "play Mr Boggis"),
    (TURN, "PLAY MR BOGGIS", "play Mr Boggis"),
    (TURN, "Play mister boggis", "play Mr Boggis"),
    (TURN, "play Mr. Boggis.", "play Mr Boggis"),
    (TURN, "play boggis", "play Mr Boggis"),
    (TURN, "play the boggis card please", "play Mr Boggis"),
    (TURN, "please play Groat", "play Groat"),
    (TURN, "Please play Groat, thanks!", "play Groat"),
    (TURN, "I'd like to play Groat", "play Groat"),
    (TURN, "I will play my Groat", "play Groat"),
    (TURN, "let's play groat", "play Groat"),
    (TURN, "ok, then play Groat", "play Groat"),
    (TURN, "- play Groat", "play Groat"),
    (TURN, "* play Groat", "play Groat"),
    (TURN, "• play Groat", "play Groat"),
    (TURN, "1. play Groat", "play Groat"),
    (TURN, "1) play Groat", "play Groat"),
    (TURN, "1 play Groat", "play Groat"),
    (TURN, "a) play Groat", "play Groat"),
    (TURN, "[x] play Groat", "play Groat"),
    (TURN, "> play Groat", "play Groat"),
    (TURN, "play: Groat", "play Groat"),
    (TURN, "play card Groat", "play Groat"),
    (TURN, "play \u201cGroat\u201d", "play Groat"),
    (TURN, "play 'Groat'", "play Groat"),
    (TURN, "ｐｌａｙ　Ｇｒｏａｔ", "play Groat"),
    (TURN, "play\u00a0Groat", "play Groat"),
    (TURN, "play Gro\u200bat", "play Groat"),
    (TURN, "play Gróat", "play Groat"),
    (TURN, "play Groat 🙂", "play Groat"),
    (TURN, "play graot", "play Groat"),
    (TURN, "play grat", "play Groat"),
    (TURN, "plya Groat", "play Groat"),
    (TURN, "Groat", "play Groat"),
    (TURN, "play gro", "play Groat"),
    (TURN, "play pin and tulip", "play Mr Pin & Mr Tulip"),
    (TURN, "play Mr Pin and Mr Tulip", "play Mr Pin & Mr Tulip"),
    (TURN, "play mr pin & mr tulip", "play Mr Pin & Mr Tulip"),
    (TURN, "play mr pin, mr tulip", "play Mr Pin & Mr Tulip"),
    (TURN, "play tulip", "play Mr Pin & Mr Tulip"),
    (TURN, "play mint", "play The Royal Mint"),
    (TURN, "play Royal Mint", "play The Royal Mint"),
    (TURN, "play the royal mimt", "play The Royal Mint"),
    (TURN, "play Here n Now", "play Here'n'Now"),
    (TURN, "play herennow", "play Here'n'Now"),
    (TURN, "play Here’n’Now", "play Here'n'Now"),
    (TURN, "play doctor cruces", "play Dr Cruces"),
    (TURN, "play cruces", "play Dr Cruces"),
    (TURN, "play fools guild", "play The Fools' Guild"),
    (TURN, "play the fool's guild", "play The Fools' Guild"),
    (TURN, "play guild", "play The Fools' Guild"),
    (TURN, "use dim", "use Dimwell"),
    (TURN, "use the shades", "use The Shades"),
    (TURN, "use shades power", "use The Shades"),
    (TURN, "activate Dimwell", "use Dimwell"),
    # placing a minion
    (MINION, "minion The Hippo", "minion The Hippo"),
    (MINION, "minion hippo", "minion The Hippo"),
    (MINION, "minion in hippo", "minion The Hippo"),
    (MINION, "minion to the Hippo", "minion The Hippo"),
    (MINION, "minion -> hippo", "minion The Hippo"),
    (MINION, "place a minion in The Hippo", "minion The Hippo"),
    (MINION, "put a guy in hippo", "minion The Hippo"),
    (MINION, "put one guy in the hippo pls", "minion The Hippo"),
    (MINION, "put my minion in the hippo", "minion The Hippo"),
    (MINION, "add minion at hippo", "minion The Hippo"),
    (MINION, "place hippo", "minion The Hippo"),
    (MINION, "hippo", "minion The Hippo"),
    (MINION, "minnion Hippo", "minion The Hippo"),
    (MINION, "min hippo", "minion The Hippo"),
    (MINION, "minion hipo", "minion The Hippo"),
    (MINION, "minion dimwel", "minion Dimwell"),
    (MINION, "minion dinwell", "minion Dimwell"),
    (MINION, "minion dim", "minion Dimwell"),
    (MINION, "minion dolly", "minion Dolly Sisters"),
    (MINION, "minion dolly sistrs", "minion Dolly Sisters"),
    (MINION, "minion DollySisters", "minion Dolly Sisters"),
    (MINION, "minion dolly-sisters", "minion Dolly Sisters"),
    (MINION, "minion sleepers", "minion Seven Sleepers"),
    (MINION, "minion 7 sleepers", "minion Seven Sleepers"),
    (MINION, "minion small god", "minion Small Gods"),
    (MINION, "minion sm gods", "minion Small Gods"),
    (MINION, "skip", "skip"),
    (MINION, "skip minion", "skip"),
    (MINION, "skip the minion", "skip"),
    (MINION, "skip this", "skip"),
    (MINION, "skip this one", "skip"),
    (MINION, "no minion", "skip"),
    (MINION, "minion none", "skip"),
    (MINION, "skip please", "skip"),
    (MINION, "skip, thanks", "skip"),
    (MINION, "pass", "skip"),
    (MINION, "no thanks", "skip"),
    (TWELVE, "minion hippo from dimwell", "minion The Hippo from Dimwell"),
    (TWELVE, "put a guy from the shades in hippo", "minion The Hippo from The Shades"),
    (TWELVE, "minion dimwell", "minion Dimwell from The Shades"),
    # building
    (BUILD, "build Dimwell", "build Dimwell"),
    (BUILD, "build in dimwell", "build Dimwell"),
    (BUILD, "build a house in Dimwell", "build Dimwell"),
    (BUILD, "building longwall", "build Longwall"),
    (BUILD, "build long wall", "build Longwall"),
    (BUILD, "build nap", "build Nap Hill"),
    (BUILD, "construct a building at Nap Hill", "build Nap Hill"),
    (BUILD, "use nap hill", "use Nap Hill"),
    (BUILD, "skip building", "skip"),
    (BUILD, "no building", "skip"),
    # killing
    (KILL, "assassinate Red in Dimwell", "assassinate Red in Dimwell"),
    (KILL, "kill red in dimwell", "assassinate Red in Dimwell"),
    (KILL, "kill red", "assassinate Red in Dimwell"),
    (KILL, "assassinate red dimwell", "assassinate Red in Dimwell"),
    (KILL, "assassinate dimwell red", "assassinate Red in Dimwell"),
    (KILL, "assassinate in Dimwell", "assassinate Red in Dimwell"),
    (KILL, "assassinate the red minion in Dimwell", "assassinate Red in Dimwell"),
    (KILL, "murder Red's minion at Dimwell", "assassinate Red in Dimwell"),
    (KILL, "asassinate red in dimwel", "assassinate Red in Dimwell"),
    (KILL, "kill the troll", "assassinate troll in The Shades"),
    (KILL, "kill blue in gods", "assassinate Blue in Small Gods"),
    (KILL, "red in dimwell", "assassinate Red in Dimwell"),
    # calming
    (CALM, "calm scours", "calm The Scours"),
    (CALM, "remove trouble in Dolly Sisters", "calm Dolly Sisters"),
    (CALM, "remove trouble marker from the scours", "calm The Scours"),
    (CALM, "calm dragon", "calm Dragon's Landing"),
    (CALM, "calm dragons landing", "calm Dragon's Landing"),
    (CALM, "calm u", "calm Unreal Estate"),
    (CALM, "calm estate", "calm Unreal Estate"),
    # naming
    (TARGET, "target Blue", "target Blue"),
    (TARGET, "Blue", "target Blue"),
    (TARGET, "choose blue", "target Blue"),
    (TARGET, "target gren", "target Green"),
    (TARGET, "target b", "target Blue"),
    # moving
    (MOVE, "move Red from Dimwell to The Shades", "move Red from Dimwell to The Shades"),
    (MOVE, "move red dimwell shades", "move Red from Dimwell to The Shades"),
    (MOVE, "move red minion in dimwell to shades", "move Red from Dimwell to The Shades"),
    (MOVE, "move red to shades", "move Red from Dimwell to The Shades"),
    (MOVE, "move red to dimwell", "move Red from The Scours to Dimwell"),
    (MOVE, "move red to longwall from dimwell", "move Red from Dimwell to Longwall"),
    (MOVE, "move from dimwell to shades blue", "move Blue from Dimwell to The Shades"),
    (MOVE, "shift the troll", "move troll from Nap Hill to Seven Sleepers"),
    (MOVE, "move blue", "move Blue from Dimwell to The Shades"),
    (MOVE, "send the red guy from dimwell into longwall", "move Red from Dimwell to Longwall"),
    # swapping
    (SWAP, "swap Red in Dimwell with Blue in The Hippo", "swap Red in Dimwell with Blue in The Hippo"),
    (SWAP, "swap Blue in The Hippo with Red in Dimwell", "swap Red in Dimwell with Blue in The Hippo"),
    (SWAP, "exchange red dimwell and green hippo", "swap Red in Dimwell with Green in The Hippo"),
    (SWAP, "swap red and blue", "swap Red in Dimwell with Blue in The Hippo"),
    (SWAP, "swap blue in nap hill", "swap Blue in Nap Hill with Blue in The Hippo"),
    # cards
    (DISCARD, "discard Groat", "discard Groat"),
    (DISCARD, "throw away modo", "discard Modo"),
    (DISCARD, "discard dent", "discard Mr Bent"),
    (DISCARD, "discard bent", "discard Mr Bent"),
    (DISCARD, "done", "done"),
    (DISCARD, "discard nothing", "done"),
    (DISCARD, "nothing", "done"),
    (SANCTUARY, "give $1", "give $1"),
    (SANCTUARY, "give 1 dollar", "give $1"),
    (SANCTUARY, "give one dollar", "give $1"),
    (SANCTUARY, "give groat", "give Groat"),
    # payments and reactions
    (PAYS, "Red pays Blue", "Red pays Blue"),
    (PAYS, "red pay blue", "Red pays Blue"),
    (PAYS, "blue pays red", "Blue pays Red"),
    (PAYS, "red gives green", "Red pays Green"),
    (PAYS, "red pays $3 to blue", "Red pays Blue"),
    (MOVE, "move my minion to the shades", "move Red from Dimwell to The Shades"),
    (REACT, "protect my minion", "protect Red in Dimwell"),
    (TURN, "play tulip & pin", "play Mr Pin & Mr Tulip"),
    (DEMAND, "pay", "pay"),
    (DEMAND, "pay please", "pay"),
    (DEMAND, "pay $5", "pay"),
    (DEMAND, "pay 5 dollars", "pay"),
    (DEMAND, "refuse", "refuse"),
    (REACT, "interrupt gaspode", "interrupt Gaspode"),
    (REACT, "gaspode", "interrupt Gaspode"),
    (REACT, "protect red in dimwell", "protect Red in Dimwell"),
    (REACT, "protect building in dimwell", "protect building in Dimwell"),
    (REACT, "save my building", "protect building in Dimwell"),
    (REACT, "pass", "pass"),
    (REACT, "no", "pass"),
]

REFUSED: list[tuple[Decision, str, type[OrderError]]] = [
    (TURN, "play mr", Ambiguous),
    (TURN, "use", Ambiguous),
    (TURN, "play", Ambiguous),
    (TURN, "play Gaspode", NotPossible),
    (TURN, "play Dr Whiteface", NotPossible),
    (TURN, "play Hex", NotPossible),
    (TURN, "play Xyzzy", NotUnderstood),
    (TURN, "play Pseudopolis Yard", NotUnderstood),
    (TURN, "minion hippo", NotPossible),
    (TURN, "use Nap Hill", NotPossible),
    (TURN, "Dimwell to Shades", OrderError),
    (MINION, "minion", Ambiguous),
    (MINION, "minion d", Ambiguous),
    (MINION, "minion h", Ambiguous),  # Nap Hill, though it is not on offer
    (MINION, "minion s", Ambiguous),
    (MINION, "minion the", Ambiguous),
    (MINION, "minion Longwall", NotPossible),
    (MINION, "minion Longwal", NotPossible),
    (MINION, "minion Isle of Gods", NotPossible),
    (MINION, "minion i", NotPossible),
    (MINION, "minion Narnia", NotUnderstood),
    (MINION, "minion Groat", NotPossible),
    (MINION, "minion hippo shades", OrderError),
    (MINION, "minion hippo or shades", NotUnderstood),
    (MINION, "do not minion hippo", OrderError),
    (MINION, "dont place hippo", OrderError),
    (MINION, "never minion hippo", OrderError),
    (TURN, "don't play Groat", OrderError),
    (TURN, "should I play Groat", OrderError),
    (TURN, "play Groat or Dr Cruces", OrderError),
    (MINION, "assassinate Red in Dimwell", NotPossible),
    (MINION, "build Dimwell", NotPossible),
    (MINION, "skip building", NotPossible),
    (MINION, "skip build", NotPossible),
    (TWELVE, "minion hippo", Ambiguous),
    (TWELVE, "minion from dimwell to shades", NotPossible),
    (BUILD, "nap hill", Ambiguous),
    (KILL, "kill blue", Ambiguous),
    (KILL, "kill in the shades", Ambiguous),
    (KILL, "kill yellow in Dimwell", NotPossible),
    (KILL, "kill red in the shades", NotPossible),
    (KILL, "red", OrderError),
    (TARGET, "target Yellow", NotPossible),
    (TARGET, "target", Ambiguous),
    (TARGET, "red or blue", NotUnderstood),
    (MOVE, "move red", Ambiguous),
    (MOVE, "move red from dimwell", Ambiguous),
    (MOVE, "move to the shades", Ambiguous),
    (MOVE, "move red from shades to dimwell", NotPossible),
    (MOVE, "move red shades dimwell", NotPossible),
    (SWAP, "swap blue", Ambiguous),
    (SWAP, "swap red in dimwell", Ambiguous),
    (SWAP, "swap red in the hippo with blue in dimwell", NotPossible),
    (DISCARD, "discard", Ambiguous),
    (DISCARD, "discard Susan", NotPossible),
    (PAYS, "red pays", Ambiguous),
    (PAYS, "Green pays Red", NotPossible),
    (REACT, "protect", Ambiguous),
    (BUILDING_SAFE, "protect building in Dimwell", OrderError),
    (MINION, "put 2 guys in hippo", NotUnderstood),
    (MINION, "minion hippo instead of dimwell", NotPossible),
    (TARGET, "blue pays", OrderError),
    (DEMAND, "do not refuse", OrderError),
    (DISCARD, "discard all", NotUnderstood),
    (DISCARD, "discard groat modo", NotPossible),
    (REACT, "interrupt igor", OrderError),
]


VOCABULARIES = pytest.mark.parametrize("vocabulary", [WORDS, VOCABULARY], ids=["sample", "ankh-morpork"])


@VOCABULARIES
@pytest.mark.parametrize(("decision", "line", "text"), MEANT, ids=[line for _, line, _ in MEANT])
def test_a_line_is_read_as_its_writer_meant_it(
    vocabulary: Vocabulary, decision: Decision, line: str, text: str
) -> None:
    assert match_line(line, decision, vocabulary, me="Red").option.text == text


@VOCABULARIES
@pytest.mark.parametrize(("decision", "line", "error"), REFUSED, ids=[line for _, line, _ in REFUSED])
def test_a_line_that_could_mean_two_things_or_none_is_refused(
    vocabulary: Vocabulary, decision: Decision, line: str, error: type[OrderError]
) -> None:
    with pytest.raises(error) as refused:
        match_line(line, decision, vocabulary, me="Red")
    legal = {option.text for option in decision.options}
    assert refused.value.suggestions
    assert legal.issuperset(refused.value.suggestions)
