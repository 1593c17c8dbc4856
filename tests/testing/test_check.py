"""Every planted fault is found, with the promise that it breaks, the choices that lead there and the file."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import broken_games
import pytest
from broken_games import Broken

from pbem.protocol import Game, game_named, templates_folder
from pbem.testing import RESERVED, PromiseBroken, check, quick

#: The promise that each fault breaks.
PROMISES = {
    "DefaultIsNoOption": "The default of a decision is one of its options.",
    "DeclineIsNoOption": "The decline of a decision is one of its options.",
    "TwoOptionsOfOneText": "Distinct options have distinct texts.",
    "NoOptions": "A decision has options.",
    "OptionOnTwoLines": "The text of an option is one line of words with single blanks.",
    "OptionIsACommand": "No option is called like a mail command (pbem.testing.RESERVED has the words).",
    "FactsAreNoJson": "`facts` of the decision bid holds JSON-able values with text as keys.",
    "SetIterated": "The same choices lead to the same match in every process: no set is iterated, and no hash used.",
    "DealFromElsewhere": "The same seed makes the same match.",
    "OrderFromElsewhere": "The same choice leads from the same state to the same match.",
    "NoTurnEvent": "Every turn begins with the event TurnBegan; without it neither `turn` nor `actor` changes.",
    "NoTurnEventInTheOpening": "Every turn begins with the event TurnBegan; the first one is told in the opening.",
    "TurnGoesBack": "TurnBegan holds `turn`, a number from 1 that only grows.",
    "TurnOfNobody": "TurnBegan holds `colour`: that of a seat of the match, or None where all play at once.",
    "KeysDiffer": "All events of one kind have the same keys.",
    "StartOfTurnDrawnAnew": "After new entropy the turn still begins as it did.",
    "StartOfTurnKeepsBids": "turn_start() is the match as it was when the turn began.",
    "EntropyForgotten": "New entropy is a choice of seat -1, with the entropy as its text.",
    "EntropyNotStored": "A match whose hidden part was drawn anew is restored as it is.",
    "PrizeSeenAhead": "What nobody may have seen changes nothing that anybody is shown.",
    "KeyMissingFromThePublicView": "Every view has the same keys, the public one too.",
    "ViewWithNumbersAsKeys": "A view holds JSON-able values with text as keys.",
    "BidShownInViews": "Until a group closes nothing of its answers shows: not in views, events or `reveals`.",
    "BidTold": "Until a group closes nothing of its answers shows: not in views, events or `reveals`.",
    "BidReveals": "Until a group closes nothing of its answers shows: not in views, events or `reveals`.",
    "ClosingIsNoReveal": "Closing a group counts as a reveal.",
    "BidEndsTheGroup": "An answer in a group changes nothing for the other seats that are asked.",
    "FirstBidWinsTies": "The order in which the seats of a group answer changes nothing.",
    "ChoicesTheOtherWayRound": "choices() holds those of a closed group seat by seat, in the order of the group.",
    "RestoreForgets": "restore(snapshot()) makes the same match again.",
    "RestoreRemembersTooMuch": "A restored match begins with no choices(), but for the answers of an open group.",
    "ForkIsTheSame": "fork() makes an independent match.",
    "IllegalIsTaken": "A choice that is not legal raises ValueError.",
    "IllegalChanges": "A choice that is not legal changes nothing.",
    "IllegalIsAKeyError": "What the protocol allows raises no error.",
    "RevealsShrink": "`reveals` only grows.",
    "Endless": "A match comes to an end.",
    "RaisesAmidTheMatch": "What the protocol allows raises no error.",
    "NoChoicesKept": "choices() holds every choice since the match was made.",
    "ResultTooSoon": "A match has a result when nothing is pending, and only then.",
    "AskedTwice": "Each seat of the match has at most one pending decision.",
    "WinnerWithoutASeat": "The winners are seats of the match, each once.",
    "WinnerTwice": "The winners are seats of the match, each once.",
    "ScoreMissing": "A result has a score a seat.",
    "DetailsMissing": "`seats` in the details of a result holds a mapping a seat.",
    "ForcedWithAChoice": "`forced` holds decisions with one option.",
    "PrivateForNobody": "`Event.private` is for seats of the match.",
    "WindowWithoutItsSeat": "`seats` of a window names every seat concerned, the one that is asked among them.",
    "ForkSharesTheHands": "Looking, storing, forking and refused choices change nothing.",
    "ForkRemembers": "A fork begins with no choices(), but for the answers of an open group.",
    "RevealsShrinkByEntropy": "`reveals` only grows.",
    "OutlookChanges": "Looking, storing, forking and refused choices change nothing.",
}
#: The same for faults of the game itself.
OF_GAMES = {
    "BotMakesThingsUp": "The bot takes an option of the decision.",
    "BotCounts": "The bot takes the same option for the same bytes.",
    "VocabularyWithoutTheVerb": "Every option begins with a verb of the vocabulary, or with a name that one follows.",
    "ColourTwice": "There is a colour of its own for each seat.",
    "NoSeats": "`seats` is the smallest and the largest number of seats.",
    "SettingWithoutValues": "A setting has values, the usual one first.",
    "VerbAloneUnknown": "Verbs that stand alone are verbs of the vocabulary.",
    "InfixOfNoNames": "Verbs behind a name are for a kind of names of the vocabulary.",
    "NotEveryTable": "What the protocol allows raises no error.",
    "LookupKnowsEverything": "lookup() is None for what is not there.",
    "Secretive": "What a seat cannot see changes nothing that it is shown.",
    "PolicyOfAnything": "A policy that cannot be read is an OrderError.",
    "PolicyMakesThingsUp": "A policy takes an option of the decision.",
    "PolicyWithoutASubject": "A policy in force has subject, terms, held and set.",
}


@pytest.mark.parametrize("game", [Broken(), broken_games.WithPolicies()])
def test_a_game_without_a_fault_is_passed(game: Broken) -> None:
    assert check(game).matches == 4


@pytest.mark.parametrize("fault", PROMISES)
def test_every_fault_is_found_by_the_promise_that_it_breaks(fault: str) -> None:
    with pytest.raises(PromiseBroken) as found:
        check(Broken(getattr(broken_games, fault)))
    assert found.value.promise == PROMISES[fault]
    assert "broken_games.py" in found.value.file
    assert found.value.played is not None
    assert all(text in str(found.value) for text in (found.value.promise, "seed", "choices:", "file:"))


@pytest.mark.parametrize("fault", OF_GAMES)
def test_every_fault_of_the_game_itself_is_found(fault: str) -> None:
    with pytest.raises(PromiseBroken) as found:
        check(getattr(broken_games, fault)())
    assert found.value.promise == OF_GAMES[fault]
    assert fault == "Secretive" or "broken_games.py" in found.value.file


def test_the_table_has_every_fault() -> None:
    own = {name: kind for name, kind in vars(broken_games).items() if isinstance(kind, type)}
    faults = {name for name, kind in own.items() if kind.__module__ == "broken_games"}
    assert faults - {"Asking", "Ended", "Broken", "WithPolicies"} == {*PROMISES, *OF_GAMES}


def test_the_choices_that_are_named_lead_to_the_fault() -> None:
    with pytest.raises(PromiseBroken) as found:
        check(Broken(broken_games.NoTurnEvent))
    assert found.value.played is not None
    assert len(found.value.played.choices) == 2


def test_an_option_may_be_called_yes_or_card_but_not_like_another_command() -> None:
    assert RESERVED.isdisjoint({"yes", "card"})
    assert {"help", "undo", "rules", "standing", "status", "resign"} <= RESERVED


def installed(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game of this name with templates of its own, as if it were installed; the folder of its templates."""
    package = folder / name
    templates = shutil.copytree(templates_folder() / "goofspiel", package / "templates")
    source = f'class Own(Broken):\n    name = "{name}"\n\n\nGAME = Own()\n'
    (package / "__init__.py").write_text(f"from broken_games import Broken\n\n\n{source}")
    metadata = folder / f"{name}-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text(f"[pbem.games]\n{name} = {name}:GAME\n")
    monkeypatch.syspath_prepend(str(folder))
    return templates


@pytest.mark.parametrize(
    ("template", "old", "new", "promise"),
    [
        ("events.j2", "d.highest[0]", "d.hihgest[0]", "Every template can word whatever happens in the game."),
        ("question.j2", "stakes", "steaks", "Every template can word whatever happens in the game."),
        ("result.j2", "m.scores", "m.points", "Every template can word whatever happens in the game."),
        ("rules/ties.j2", "Ties", "{{ ties }}", "Every template can word whatever happens in the game."),
        ("private.j2", "{% endif %}", "", "Every template can be compiled."),
    ],
)
def test_a_mistake_in_a_template_is_found(
    template: str, old: str, new: str, promise: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"mistake_in_{Path(template).stem}"
    file = installed(name, tmp_path, monkeypatch) / template
    file.write_text(file.read_text().replace(old, new, 1))
    with pytest.raises(PromiseBroken) as found:
        check(game_named(name))
    assert found.value.promise == promise
    assert found.value.file.startswith(str(file))


@pytest.mark.parametrize("template", ["question.j2", "events.j2", "rules/points.j2"])
@pytest.mark.parametrize("looking", [check, quick], ids=["check", "quick"])
def test_a_missing_template_is_found(
    template: str,
    looking: Callable[[Game], object],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    name = f"without_{Path(template).stem}_{request.node.callspec.id[:5]}"
    file = installed(name, tmp_path, monkeypatch) / template
    file.unlink()
    with pytest.raises(PromiseBroken, match="A game has a template for everything") as found:
        looking(game_named(name))
    assert found.value.file == str(file)


def test_the_cheap_part_finds_what_shows_at_once() -> None:
    with pytest.raises(PromiseBroken, match="Distinct options"):
        quick(Broken(broken_games.TwoOptionsOfOneText))


def test_the_cheap_part_passes_every_installed_game_that_keeps_its_promises() -> None:
    quick(game_named("goofspiel"))
