"""A game in which turns do not go round the table, and whose options look like other things."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from pbem.protocol import Event, Match, Option, Seat, game_named
from pbem.testing import PromiseBroken, check
from pbem.testing.check import begun, tables
from pbem.testing.trial import Trial


def played(seed: int) -> tuple[Match, list[Any]]:
    """A match of three to its end, always with the first option; and what happened."""
    match = game_named("last_one").new(3, bytes([seed]) * 32, {})
    events = list(match.opening())
    while match.pending:
        (decision,) = match.pending
        events += match.choose(decision.seat, decision.options[0])
    return match, events


def test_the_game_keeps_its_promises() -> None:
    figures = check(game_named("last_one"), games=3)
    assert (figures.events, figures.secrets, figures.untold, figures.unseen) == (4, True, (), ())


def broken_promise(kind: type[Match]) -> str:
    """The promise that is broken by Last One with such a match."""
    import last_one

    class Game(last_one.LastOne):
        match = kind

    with pytest.raises(PromiseBroken) as found:
        check(Game(), games=3)
    return found.value.promise


def test_a_die_that_is_told_before_it_is_rolled_is_found() -> None:
    import last_one

    class Foreseeing(last_one.Match):
        def choose(self, seat: Seat, option: Option) -> list[Event]:
            told = super().choose(seat, option)
            die = last_one.number(bytes.fromhex(self.state.seed), "roll", self.state.rolls + 1)
            return [*told, Event("Foreseen", {"die": die})]

    assert broken_promise(Foreseeing).startswith("A choice shows nothing of what nobody may have seen")


def test_a_roll_that_is_not_counted_is_found_whichever_option_leads_to_it() -> None:
    import last_one

    class Uncounted(last_one.Match):
        def choose(self, seat: Seat, option: Option) -> list[Event]:
            told = super().choose(seat, option)
            self.state.reveals -= option.text == "1"
            return told

    assert broken_promise(Uncounted).endswith("keep it hidden, or count it in `reveals`.")


def test_entropy_that_changes_no_die_is_found() -> None:
    import last_one

    class Stubborn(last_one.Match):
        def rollback_entropy(self, entropy: bytes) -> None:
            self.since.append((-1, entropy.hex()))
            self.recorded.append([-1, entropy.hex(), []])

    assert broken_promise(Stubborn).startswith("rollback_entropy() draws anew what is to come")


@pytest.mark.slow
def test_entropy_that_leaves_some_dice_as_they_are_does_no_harm() -> None:
    import last_one

    class Loaded(last_one.Match):
        def rollback_entropy(self, entropy: bytes) -> None:
            seed = self.state.seed
            super().rollback_entropy(entropy)
            self.state.seed = self.state.seed if self.state.rolls > 1 else seed

    class Game(last_one.LastOne):
        match = Loaded

    memory = begun(Game())
    for table in tables(memory.game, 0, 3):
        Trial(memory, table).play()
    assert memory.alike is None


def test_a_seat_that_was_right_may_take_the_next_turn_too() -> None:
    _, events = played(1)
    actors = [event.data["colour"] for event in events if event.kind == "TurnBegan"]
    assert any(one == next_one for one, next_one in itertools.pairwise(actors))


@pytest.mark.parametrize("seed", range(5))
def test_a_seat_that_is_out_has_no_more_turns(seed: int) -> None:
    match, events = played(seed)
    for at, event in enumerate(events):
        if event.kind == "WentOut":
            later = [one.data["colour"] for one in events[at:] if one.kind == "TurnBegan"]
            assert event.data["colour"] not in later
    assert match.result is not None
    assert len(match.result.winners) == 1


def test_only_the_seat_itself_sees_the_card_that_it_put_down() -> None:
    match = game_named("last_one").new(2, bytes(32), {})
    (event,) = match.choose(Seat(0), match.pending[0].options[0])
    assert "card" in event.seen_by(0)
    assert "card" not in event.seen_by(1)
    assert "card" not in event.seen_by(None)


def test_its_options_look_like_a_confirmation_a_number_and_a_command() -> None:
    match = game_named("last_one").new(2, bytes(32), {})
    asked = set()
    while match.pending:
        (decision,) = match.pending
        asked |= {option.text for option in decision.options}
        match.choose(decision.seat, decision.options[0])
    assert {"card 1", "4", "yes"} <= asked
