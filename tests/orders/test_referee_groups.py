"""Several seats asked at once: answers stay secret and can be replaced until all have answered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from toy import GAME, ToyMatch

from pbem.orders.outcome import NO_PRESETS, GroupAnswer, Outcome, Presets
from pbem.orders.referee import answer_presets, carry_out, preview, take_bot, take_defaults
from pbem.protocol import Event, Match, Seat, decision_of

RED, GREEN, BLUE = Seat(0), Seat(1), Seat(2)
GIFTS = {GREEN: ("give coin", "place Mill"), BLUE: ("give Tax", "place Mill")}
#: Green's policy says what it gives and where it places a counter.
WILLING = {"give": {"say": "give coin"}, "place": {"say": "place Mill"}}


def table(card: str, counters: dict[str, str] | None = None) -> ToyMatch:
    return ToyMatch([[card, "Owl"], ["Baker"], ["Tax"]], ["Gull"] * 4, counters)


def write(match: Match, seat: Seat, *lines: str, presets: Presets = NO_PRESETS) -> Outcome:
    return carry_out(GAME, match, seat, lines, presets)


def answered(*seats: Seat, **more: Any) -> Presets:
    """These seats have given their gifts."""
    return Presets(answers={seat: GIFTS[seat] for seat in seats}, **more)


def choices(outcome: Outcome) -> list[tuple[int, str]]:
    return [(seat, text) for seat, text, _ in outcome.added]


def happened(events: Sequence[Event]) -> list[tuple[str, Any]]:
    return [(event.kind, event.data.get("at", event.data.get("what"))) for event in events]


@pytest.fixture
def fair() -> Match:
    """Green and Blue are to give something at the same time and to place a counter; then Red goes on."""
    return write(table("Fair"), RED, "play Fair").match


@pytest.fixture
def storm() -> Match:
    """Two counters of Green and one of Blue may be saved; then Red goes on."""
    counters = {"Mill": "Green", "Market": "Blue", "Old Bridge": "Green"}
    return write(table("Storm", counters), RED, "play Storm", presets=Presets(reactions="sealed")).match


@pytest.fixture
def storm_over_an_empty_hand() -> ToyMatch:
    """Red may play a storm, in which Blue has nothing to save its counter with."""
    return ToyMatch([["Storm"], ["Baker"], []], ["Gull"], {"Mill": "Green", "Market": "Blue"})


def test_all_of_a_group_are_asked_at_once() -> None:
    outcome = write(table("Fair"), RED, "play Fair")
    assert outcome.waiting == (GREEN, BLUE)
    assert choices(outcome) == [(RED, "play Fair")]
    assert outcome.revealed


def test_an_answer_is_kept_and_changes_nothing_while_another_is_missing(fair: Match) -> None:
    outcome = write(fair, GREEN, "give coin", "place Mill")
    assert outcome.answer == GroupAnswer(("give coin", "place Mill"), complete=True)
    assert outcome.accepted
    assert not outcome.changed
    assert not outcome.revealed
    assert outcome.match is fair
    assert (outcome.events, outcome.added) == ((), ())
    assert outcome.waiting == (BLUE,)


def test_an_answer_that_stops_half_way_is_not_complete(fair: Match) -> None:
    outcome = write(fair, GREEN, "give coin")
    assert outcome.answer == GroupAnswer(("give coin",), complete=False)
    assert outcome.waiting == (GREEN, BLUE)


def test_an_answer_that_stopped_half_way_goes_on(fair: Match) -> None:
    half = Presets(answers={GREEN: ("give Baker",)})
    outcome = write(fair, GREEN, "place Market", presets=half)
    assert outcome.answer == GroupAnswer(("give Baker", "place Market"), complete=True)
    assert not outcome.changed


def test_a_complete_answer_is_replaced_by_the_next(fair: Match) -> None:
    outcome = write(fair, GREEN, "give Baker", presets=answered(GREEN))
    assert outcome.answer == GroupAnswer(("give Baker",), complete=False)
    assert not outcome.changed


def test_nothing_of_a_replaced_answer_fills_the_new_one_in(storm: Match) -> None:
    sealed = Presets(reactions="sealed", answers={GREEN: ("save", "save")})
    assert write(storm, GREEN, "pass", presets=sealed).answer == GroupAnswer(("pass",), complete=False)


def test_a_wrong_line_leaves_the_answer_as_it_was(fair: Match) -> None:
    outcome = write(fair, GREEN, "give Baker", "place Narnia", presets=answered(GREEN))
    assert [line.verdict for line in outcome.lines] == ["set_aside", "refused"]
    assert not outcome.accepted


def test_a_wrong_line_for_the_rest_of_an_answer_is_refused(storm: Match) -> None:
    half = Presets(reactions="sealed", answers={GREEN: ("pass",)})
    outcome = write(storm, GREEN, "save Narnia", presets=half)
    assert outcome.refused is not None
    assert not outcome.accepted


def test_a_mail_without_an_order_is_no_answer(fair: Match) -> None:
    half = Presets(answers={GREEN: ("give coin",)})
    assert not write(fair, GREEN, "thanks a lot").accepted
    assert write(fair, GREEN, "thanks a lot", presets=half).answer == GroupAnswer(("give coin",), False)


def test_the_last_answer_closes_the_group(fair: Match) -> None:
    outcome = write(fair, BLUE, "give Tax", "place Market", presets=answered(GREEN))
    assert outcome.changed
    assert outcome.revealed
    assert outcome.answer is None
    assert outcome.waiting == (RED,)
    assert outcome.match.view(None)["counters"] == {"Mill": "Green", "Market": "Blue"}


def test_the_order_in_which_answers_arrive_changes_nothing(fair: Match) -> None:
    blue_last = write(fair, BLUE, *GIFTS[BLUE], presets=answered(GREEN))
    green_last = write(fair, GREEN, *GIFTS[GREEN], presets=answered(BLUE))
    assert choices(blue_last) == choices(green_last)
    assert choices(blue_last) == [(seat, text) for seat, texts in GIFTS.items() for text in texts]
    assert blue_last.match.digest() == green_last.match.digest()
    assert happened(blue_last.events) == happened(green_last.events)


def test_an_answer_that_an_earlier_seat_made_moot_shows_nothing(fair: Match) -> None:
    outcome = write(fair, BLUE, *GIFTS[BLUE], presets=answered(GREEN))
    assert happened(outcome.events) == [("Given", "give coin"), ("Placed", "Mill"), ("Given", "give Tax")]


def test_a_group_whose_last_answer_was_kept_before_closes_without_a_mail(fair: Match) -> None:
    assert not answer_presets(GAME, fair, answered(GREEN)).changed
    assert answer_presets(GAME, fair, answered(GREEN, BLUE)).waiting == (RED,)


def test_half_an_answer_does_not_close_a_group(fair: Match) -> None:
    outcome = answer_presets(GAME, fair, Presets(answers=GIFTS | {BLUE: ("give Tax",)}))
    assert not outcome.changed
    assert outcome.waiting == (BLUE,)


def test_an_answer_is_not_carried_over_to_the_next_group() -> None:
    fairs = write(table("Fairs"), RED, "play Fairs").match
    outcome = answer_presets(GAME, fairs, Presets(answers=dict.fromkeys(GIFTS, ("give coin", "skip"))))
    assert len(outcome.added) == 4
    assert outcome.waiting == (GREEN, BLUE)


def test_bots_and_policies_answer_in_a_group() -> None:
    presets = Presets(bots=frozenset((BLUE,)), policies={GREEN: WILLING})
    outcome = write(table("Fair"), RED, "play Fair", presets=presets)
    assert choices(outcome)[1:] == [
        (GREEN, "give coin"),
        (GREEN, "place Mill"),
        (BLUE, "give coin"),
        (BLUE, "place Mill"),
    ]
    assert outcome.waiting == (RED,)


def test_a_bot_alone_does_not_close_a_group() -> None:
    outcome = write(table("Fair"), RED, "play Fair", presets=Presets(bots=frozenset((BLUE,))))
    assert choices(outcome) == [(RED, "play Fair")]
    assert outcome.answer is None
    assert outcome.waiting == (GREEN,)


def test_a_seat_reads_what_its_policy_said_when_the_group_closes(fair: Match) -> None:
    outcome = write(fair, BLUE, *GIFTS[BLUE], presets=Presets(policies={GREEN: WILLING}))
    told = outcome.events[0]
    assert told.seen_by(GREEN)["answers"] == [{"said": "give coin"}, {"said": "place Mill"}]
    assert "answers" not in told.seen_by(BLUE)
    assert "answers" not in told.seen_by(None)


def test_orders_behind_a_group_are_carried_out_when_it_closes() -> None:
    everybody = Presets(policies={GREEN: WILLING, BLUE: WILLING})
    outcome = write(table("Fair"), RED, "play Fair", "place Market", presets=everybody)
    assert outcome.turn_over
    assert outcome.match.view(None)["counters"] == {"Mill": "Green", "Market": "Red"}


def test_orders_behind_an_open_group_are_set_aside() -> None:
    outcome = write(table("Fair"), RED, "play Fair", "place Market")
    assert [line.verdict for line in outcome.lines] == ["done", "set_aside"]
    assert outcome.waiting == (GREEN, BLUE)


def test_an_order_behind_a_group_that_is_wrong_by_then_undoes_nothing() -> None:
    everybody = Presets(policies={GREEN: WILLING, BLUE: WILLING})
    outcome = write(table("Fair"), RED, "play Fair", "place Mill", presets=everybody)
    assert outcome.refused is not None
    assert outcome.refused.problem.kind == "not_possible"
    assert outcome.changed


def test_who_opens_a_group_may_answer_it_in_the_same_mail_and_anew() -> None:
    outcome = write(table("Feast"), RED, "play Feast", "give coin", "place Mill", "place Market")
    assert choices(outcome) == [(RED, "play Feast")]
    assert outcome.answer == GroupAnswer(("give coin", "place Mill"), complete=True)
    assert [line.verdict for line in outcome.lines] == ["done", "done", "done", "set_aside"]
    assert outcome.waiting == (RED, GREEN, BLUE)
    assert [decision.kind for decision in outcome.match.pending] == ["give", "give", "give"]


def test_a_wrong_answer_to_a_group_that_the_mail_opens_undoes_the_mail() -> None:
    match = table("Feast")
    assert write(match, RED, "play Feast", "give coin", "place Narnia").match is match


def test_a_policys_answer_in_the_next_turn_is_not_the_seats_own() -> None:
    match = ToyMatch([["Baker"], ["Storm"], ["Storm"]], ["Gull"] * 4, {"Mill": "Blue"})
    saved = Presets(bots=frozenset((GREEN,)), policies={RED: {"shelter": {"say": "save"}}}, reactions="ask")
    outcome = write(match, RED, "play Baker", "place Market", presets=saved)
    assert len(outcome.match.pending) == 2
    assert outcome.waiting == (BLUE,)
    assert outcome.answer is None


# Reactions


def test_standing_reactions_answer_by_the_games_own_rule_what_no_policy_speaks_of(storm: Match) -> None:
    outcome = answer_presets(GAME, storm, Presets(reactions="standing"))
    assert choices(outcome) == [(GREEN, "save"), (GREEN, "save"), (BLUE, "save")]
    assert outcome.waiting == (RED,)


def test_sealed_reactions_ask_everybody_whom_a_window_concerns_policy_or_not(storm: Match) -> None:
    policies = {GREEN: {"shelter": {"say": "pass"}}}
    outcome = answer_presets(GAME, storm, Presets(reactions="sealed", policies=policies))
    assert not outcome.changed
    assert outcome.waiting == (GREEN, BLUE)


def test_sealed_reactions_go_on_asking_who_has_answered(storm: Match) -> None:
    outcome = write(storm, BLUE, "save", presets=Presets(reactions="sealed"))
    assert outcome.answer == GroupAnswer(("save",), complete=True)
    assert outcome.waiting == (GREEN, BLUE)


def test_sealed_reactions_ask_a_seat_that_can_only_pass_and_never_a_bot(storm_over_an_empty_hand: ToyMatch) -> None:
    sealed = Presets(reactions="sealed", bots=frozenset((GREEN,)))
    assert write(storm_over_an_empty_hand, RED, "play Storm", presets=sealed).waiting == (BLUE,)


def test_asked_reactions_pass_for_who_can_only_pass(storm_over_an_empty_hand: ToyMatch) -> None:
    outcome = write(storm_over_an_empty_hand, RED, "play Storm", presets=Presets(reactions="ask"))
    assert outcome.waiting == (GREEN,)
    assert outcome.answer is None


def test_a_window_of_ones_own_sequence_is_answered_by_ones_policy(storm: Match) -> None:
    saving = Presets(reactions="sealed", policies={GREEN: {"shelter": {"say": "save"}}})
    outcome = write(storm, GREEN, "pass", presets=saving)
    assert outcome.answer == GroupAnswer(("pass", "save"), complete=True)


def test_what_a_seat_wrote_comes_before_its_policy(storm: Match) -> None:
    passing = Presets(
        reactions="sealed", policies={GREEN: {"shelter": {"say": "save"}}}, answers={GREEN: ("pass", "pass")}
    )
    assert choices(write(storm, BLUE, "save", presets=passing))[:2] == [(GREEN, "pass"), (GREEN, "pass")]


# Silence


def test_who_stays_silent_in_a_group_gets_its_defaults_and_it_stays_open(fair: Match) -> None:
    outcome = take_defaults(GAME, fair, GREEN)
    assert outcome.answer == GroupAnswer(("give coin", "skip"), complete=True)
    assert not outcome.changed
    assert outcome.waiting == (BLUE,)


def test_defaults_complete_what_a_silent_seat_began_to_answer(fair: Match) -> None:
    outcome = take_defaults(GAME, fair, GREEN, Presets(answers={GREEN: ("give Baker",)}))
    assert outcome.answer == GroupAnswer(("give Baker", "skip"), complete=True)


def test_the_defaults_of_the_last_silent_seat_close_the_group(fair: Match) -> None:
    outcome = take_defaults(GAME, fair, BLUE, answered(GREEN))
    assert choices(outcome)[2:] == [(BLUE, "give coin"), (BLUE, "skip")]
    assert outcome.waiting == (RED,)


def test_a_bot_answers_for_a_silent_seat_of_a_group(fair: Match) -> None:
    assert take_bot(GAME, fair, GREEN, Presets()).answer == GroupAnswer(("give coin", "place Mill"), True)
    assert take_bot(GAME, fair, BLUE, answered(GREEN)).waiting == (RED,)


def test_a_silent_actor_whose_turn_opens_a_group_answers_it_too() -> None:
    outcome = take_defaults(GAME, table("Feast"), RED)
    assert choices(outcome) == [(RED, "play Feast")]
    assert outcome.answer == GroupAnswer(("give coin", "skip"), complete=True)
    assert outcome.waiting == (RED, GREEN, BLUE)


def test_the_policy_of_a_silent_seat_comes_before_its_defaults(storm: Match) -> None:
    saving = Presets(reactions="sealed", policies={GREEN: {"shelter": {"say": "save"}}})
    assert take_defaults(GAME, storm, GREEN, saving).answer == GroupAnswer(("save", "save"), complete=True)


def test_a_silent_seat_of_windows_passes_each(storm: Match) -> None:
    outcome = take_defaults(GAME, storm, GREEN, Presets(reactions="sealed"))
    assert outcome.answer == GroupAnswer(("pass", "pass"), complete=True)


# Previews


@pytest.mark.parametrize("others", [NO_PRESETS, answered(GREEN), Presets(policies={GREEN: WILLING})])
def test_a_preview_of_an_answer_reveals_nothing_of_the_others(fair: Match, others: Presets) -> None:
    outcome = preview(GAME, fair, BLUE, ["give Tax", "place Market"], others)
    assert [line.verdict for line in outcome.lines] == ["done", "done"]
    assert not outcome.stopped
    assert (outcome.events, outcome.answer, outcome.changed) == ((), None, False)
    assert outcome.ahead is not None
    assert outcome.ahead.reveals == fair.reveals
    assert outcome.ahead.view(BLUE) == fair.view(BLUE)


def test_a_preview_of_an_answer_goes_on_where_it_stopped(fair: Match) -> None:
    outcome = preview(GAME, fair, GREEN, ["place Mill"], Presets(answers={GREEN: ("give coin",)}))
    assert [line.option for line in outcome.lines] == ["place Mill"]
    assert outcome.ahead is not None
    assert decision_of(outcome.ahead, GREEN) is None


@pytest.mark.parametrize("card", ["Fair", "Feast"])
def test_a_preview_stops_before_a_group_opens(card: str) -> None:
    outcome = preview(GAME, table(card), RED, [f"play {card}", "give coin"])
    assert outcome.stopped
    assert [line.verdict for line in outcome.lines] == ["set_aside", "set_aside"]
