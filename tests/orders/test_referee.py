"""What becomes of a mail's orders: all or nothing until something is revealed, and never two answers for one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toy import GAME, ToyMatch

from pbem.orders.outcome import NO_PRESETS, Outcome, Presets
from pbem.orders.referee import answer_presets, carry_out, preview, take_bot, take_defaults
from pbem.protocol import Seat

RED, GREEN, BLUE = Seat(0), Seat(1), Seat(2)
PASSING = Presets(
    policies={RED: {"react": {"say": "pass"}}, GREEN: {"react": {"say": "pass"}, "give": {"say": "give coin"}}}
)
SAVING = Presets(policies={GREEN: {"react": {"say": "save"}}})


def table(*hand: str, counters: Mapping[str, str] | None = None, pile: int = 4, other: str = "Baker") -> ToyMatch:
    return ToyMatch([list(hand), [other]], ["Gull"] * pile, counters)


def write(match: ToyMatch, *lines: str, presets: Presets = NO_PRESETS, **more: Any) -> Outcome:
    return carry_out(GAME, match, RED, lines, presets, **more)


def said(outcome: Outcome) -> list[tuple[str, str | None]]:
    return [(line.verdict, line.option) for line in outcome.lines]


def test_lines_answer_one_decision_after_another() -> None:
    outcome = write(table("Sweep"), "play Sweep", "place Mill", "place Market")
    assert said(outcome) == [("done", "play Sweep"), ("done", "place Mill"), ("done", "place Market")]
    assert outcome.turn_over
    assert outcome.waiting == (GREEN,)
    assert outcome.match.view(None)["counters"] == {"Mill": "Red", "Market": "Red"}


def test_the_match_that_was_given_is_never_touched() -> None:
    match = table("Sweep")
    write(match, "play Sweep", "place Mill", "place Market")
    assert match.digest() == table("Sweep").digest()


def test_several_orders_stand_on_one_line() -> None:
    assert write(table("Sweep"), "play Sweep; place Mill; place Market").turn_over
    assert write(table("Sweep"), "play sweep, place mill and put a counter in market pls").turn_over
    assert write(table("Sweep"), "play sweep place mill then place market").turn_over


def test_a_list_picks_several_things_and_is_complete() -> None:
    outcome = write(table("Ferry", "Baker", "Tax", "Owl"), "play Ferry", "drop Baker, Tax", "place Mill")
    assert said(outcome) == [
        ("done", "play Ferry"),
        ("done", "drop Baker"),
        ("done", "drop Tax"),
        ("automatic", "done"),
        ("done", "place Mill"),
    ]


def test_a_mail_that_ends_early_is_done_as_far_as_it_goes() -> None:
    outcome = write(table("Sweep"), "play Sweep", "place Mill")
    assert outcome.changed
    assert not outcome.revealed
    assert outcome.waiting == (RED,)


def test_a_wrong_line_undoes_the_mail_when_nothing_was_revealed() -> None:
    match = table("Sweep")
    outcome = write(match, "play Sweep", "place Mill", "place Mill", "end", "bye")
    assert outcome.match is match
    assert not outcome.changed
    assert outcome.events == ()
    assert [line.verdict for line in outcome.lines] == ["set_aside", "set_aside", "refused", "set_aside", "chat"]
    assert outcome.lines[0].option == "play Sweep"
    assert outcome.refused is not None
    assert outcome.refused.problem.kind == "not_possible"
    assert outcome.refused.problem.suggestions == ("place Old Bridge", "place New Bridge", "place Market")


def test_an_ambiguous_line_is_never_guessed_at() -> None:
    outcome = write(table("Sweep"), "play Sweep", "place bridge")
    assert outcome.refused is not None
    assert outcome.refused.problem.kind == "ambiguous"
    assert outcome.refused.problem.suggestions == ("place Old Bridge", "place New Bridge")


def test_after_a_reveal_what_came_before_stands() -> None:
    taken = {"Mill": "Green"}
    outcome = write(table("Owl", counters=taken, pile=2), "play Owl", "draw", "place Mill", "end")
    assert said(outcome) == [("done", "play Owl"), ("done", "draw"), ("refused", None), ("set_aside", None)]
    assert outcome.changed
    assert outcome.revealed
    assert outcome.waiting == (RED,)


def test_a_name_that_nobody_knows_keeps_the_whole_mail_from_being_done_though_it_stands_behind_a_reveal() -> None:
    match = table("Owl", pile=2)
    outcome = write(match, "play Owl", "draw", "place Narnia", "end")
    assert outcome.match is match
    assert outcome.proposal == ("play Owl", "draw")
    assert outcome.refused
    assert outcome.refused.text == "place Narnia"


def test_gains_are_taken_when_the_next_line_answers_something_else() -> None:
    outcome = write(table("Tax"), "play Tax", "place Mill")
    assert said(outcome) == [("done", "play Tax"), ("automatic", "coin"), ("done", "place Mill")]


def test_gains_are_taken_when_the_lines_run_out() -> None:
    assert said(write(table("Gull"), "play Gull", "place Mill"))[-1] == ("automatic", "coin")
    assert write(table("Gull"), "play Gull", "place Mill").turn_over


def test_a_gain_that_is_skipped_is_not_taken() -> None:
    assert said(write(table("Tax"), "play Tax", "skip", "place Mill"))[1] == ("done", "skip")


def test_nothing_is_drawn_for_a_line_that_cannot_be_read() -> None:
    match = table("Owl")
    outcome = write(match, "play Owl", "place Atlantis")
    assert outcome.match is match
    assert [line.verdict for line in outcome.lines] == ["set_aside", "refused"]


def test_end_declines_what_is_left_and_takes_the_gains() -> None:
    outcome = write(table("Gull"), "play Gull", "end")
    assert said(outcome) == [("done", "play Gull"), ("done", "end"), ("automatic", "skip"), ("automatic", "coin")]
    assert outcome.turn_over


def test_end_does_not_decline_what_is_compulsory() -> None:
    three = ToyMatch([["Beggar"], ["Baker"], ["Baker"]], ["Gull"])
    stopped = carry_out(GAME, three, RED, ["play Beggar", "end"], PASSING)
    assert stopped.changed
    assert stopped.waiting == (RED,)


def test_end_alone_is_refused_where_a_card_must_be_played() -> None:
    outcome = write(table("Sweep"), "end")
    assert outcome.refused is not None
    assert outcome.refused.problem is not None
    assert outcome.refused.problem.reason == "compulsory"


def test_words_behind_end_are_part_of_the_mail() -> None:
    outcome = write(table("Sweep"), "play Sweep", "end turn", "place Mill", "see you")
    assert said(outcome) == [
        ("done", "play Sweep"),
        ("done", "end"),
        ("automatic", "skip"),
        ("done", "place Mill"),
        ("chat", None),
    ]
    assert outcome.match.view(None)["counters"] == {"Mill": "Red"}


def test_an_order_behind_end_that_cannot_be_done_keeps_the_mail_from_being_done() -> None:
    outcome = write(table("Baker"), "play Baker", "place Mill", "end", "place Market")
    assert not outcome.changed
    assert outcome.refused is not None
    assert outcome.refused.text == "place Market"


def test_end_after_the_last_order_is_well_even_if_the_turn_was_over_by_then() -> None:
    outcome = write(table("Baker"), "play Baker", "place Mill", "end", "thanks")
    assert [line.verdict for line in outcome.lines] == ["done", "done", "done", "chat"]


def test_chat_among_the_orders_stops_nothing() -> None:
    outcome = write(table("Baker"), "play nice everyone", "play Baker", "place Mill")
    assert [line.verdict for line in outcome.lines] == ["chat", "done", "done"]


def test_a_window_is_answered_from_its_seats_policies() -> None:
    outcome = write(
        table("Rogue", counters={"Mill": "Green"}), "play Rogue", "take Green", "place Mill", presets=PASSING
    )
    assert outcome.turn_over
    assert outcome.match.view(None)["counters"] == {"Mill": "Red"}


def test_no_policy_moves_in_its_own_turn() -> None:
    placing = Presets(policies={RED: {"place": {"say": "place Mill"}}})
    match = write(table("Baker"), "play Baker").match
    assert not answer_presets(GAME, match, placing).changed


def test_a_seat_without_a_policy_is_asked_and_the_rest_is_set_aside() -> None:
    outcome = write(table("Rogue", counters={"Mill": "Green"}), "play Rogue", "take Green", "place Market")
    assert outcome.waiting == (GREEN,)
    assert outcome.revealed
    assert [line.verdict for line in outcome.lines] == ["done", "corrected", "set_aside"]
    answered = carry_out(GAME, outcome.match, GREEN, ["save"])
    assert answered.waiting == (RED,)
    assert answered.match.view(None)["counters"] == {"Mill": "Green"}


def test_a_saved_piece_makes_a_later_line_wrong_without_undoing_what_stands() -> None:
    outcome = write(
        table("Rogue", counters={"Mill": "Green"}), "play Rogue", "take Green", "place Mill", presets=SAVING
    )
    assert [line.verdict for line in outcome.lines] == ["done", "corrected", "refused"]
    assert outcome.changed


def test_ones_own_window_is_not_answered_by_what_was_written_before_it_opened() -> None:
    match = table("Rogue", counters={"Mill": "Red"})
    outcome = write(match, "play Rogue", "take Red in Mill", "save", "place Market")
    assert [line.verdict for line in outcome.lines] == ["done", "done", "set_aside", "set_aside"]
    assert outcome.waiting == (RED,)
    answered = carry_out(GAME, outcome.match, RED, ["save", "place Market"])
    assert [line.verdict for line in answered.lines] == ["done", "done"]
    assert answered.match.view(None)["counters"] == {"Mill": "Red", "Market": "Red"}


def test_one_is_asked_in_ones_own_turn_when_no_line_and_no_policy_answers() -> None:
    match = table("Rogue", counters={"Mill": "Red"})
    outcome = write(match, "play Rogue", "take Red in Mill", "place Market", "end")
    assert outcome.waiting == (RED,)
    assert outcome.changed
    assert [line.verdict for line in outcome.lines] == ["done", "done", "set_aside", "set_aside"]


def test_end_stops_at_a_window_that_must_be_asked() -> None:
    match = table("Rogue", counters={"Mill": "Red"})
    outcome = write(match, "play Rogue", "take Red in Mill", "end")
    assert outcome.waiting == (RED,)


def test_the_newest_menu_is_answered_by_number() -> None:
    menu = ("play Baker", "play Tax")
    assert said(write(table("Baker", "Tax"), "2", "place Mill", menu=menu))[0] == ("done", "play Tax")
    assert write(table("Baker", "Tax"), "3", menu=menu).refused is not None
    assert write(table("Baker", "Tax"), "1", "2", menu=menu).refused is not None


def test_bots_move_on_until_a_person_must_be_asked() -> None:
    outcome = write(table("Baker"), "play Baker", "place Mill", presets=Presets(frozenset((GREEN,)), b"toy"))
    assert outcome.waiting == (RED,)
    assert outcome.match.turn == 3


def test_presets_answer_windows_only() -> None:
    match = write(table("Rogue", counters={"Mill": "Green"}), "play Rogue", "take Green").match
    assert answer_presets(GAME, match, NO_PRESETS).waiting == (GREEN,)
    assert not answer_presets(GAME, match, NO_PRESETS).changed
    answered = answer_presets(GAME, match, PASSING)
    assert answered.waiting == (RED,)
    assert answered.revealed


def test_an_actor_who_stays_silent_gets_the_default_of_each_decision() -> None:
    outcome = take_defaults(GAME, table("Tax"), RED)
    assert outcome.turn_over
    assert outcome.waiting == (GREEN,)


def test_a_silent_owner_declines_the_window_and_the_turn_goes_on() -> None:
    match = write(table("Rogue", counters={"Mill": "Green"}), "play Rogue", "take Green").match
    outcome = take_defaults(GAME, match, GREEN)
    assert outcome.waiting == (RED,)
    assert outcome.match.view(None)["counters"] == {}


def test_a_silent_owner_is_asked_when_another_window_follows() -> None:
    counters = {"Mill": "Green", "Market": "Green"}
    asking = Presets(reactions="ask")
    match = write(table("Storm", counters=counters), "play Storm", presets=asking).match
    outcome = take_defaults(GAME, match, GREEN, asking)
    assert [text for _, text, _ in outcome.added] == ["pass"]
    assert outcome.waiting == (GREEN,)


def test_a_bot_moves_for_a_silent_player() -> None:
    outcome = take_bot(GAME, table("Sweep"), RED, Presets(randomness=b"toy"))
    assert outcome.match.view(None)["counters"] == {"Mill": "Red", "Old Bridge": "Red"}
    assert outcome.waiting == (GREEN,)


def test_a_preview_changes_nothing_and_says_what_would_be() -> None:
    match = table("Sweep")
    outcome = preview(GAME, match, RED, ["play Sweep", "place Mill"])
    assert outcome.match is match
    assert not outcome.changed
    assert outcome.ahead is not None
    assert outcome.ahead.view(None)["counters"] == {"Mill": "Red"}
    assert not outcome.stopped


def test_a_preview_stops_before_anything_is_revealed() -> None:
    outcome = preview(GAME, table("Owl"), RED, ["play Owl", "draw", "place Mill"])
    assert outcome.stopped
    assert said(outcome) == [("done", "play Owl"), ("set_aside", "draw"), ("set_aside", None)]
    assert outcome.ahead is not None
    assert outcome.ahead.reveals == 0


def test_a_preview_stops_where_somebody_else_could_react_whatever_they_hold() -> None:
    match = table("Rogue", counters={"Mill": "Green"})
    outcome = preview(GAME, match, RED, ["play Rogue", "take Green", "place Mill"], PASSING)
    assert outcome.stopped
    assert said(outcome)[1:] == [("set_aside", "take Green in Mill"), ("set_aside", None)]


def test_a_preview_never_ends_the_turn() -> None:
    outcome = preview(GAME, table("Baker", "Tax", "Owl", "Gull"), RED, ["play Baker", "place Mill"])
    assert outcome.stopped
    assert said(outcome)[-1] == ("set_aside", "place Mill")


def test_an_order_for_which_the_turn_has_no_room_keeps_the_mail_from_being_done() -> None:
    for match in (table("Baker"), table("Baker", "Tax", "Owl", "Gull")):  # a full hand draws nothing
        outcome = write(match, "play Baker", "place Mill", "place Market")
        assert [line.verdict for line in outcome.lines] == ["set_aside", "set_aside", "refused"]
        assert not outcome.changed
        assert outcome.proposal == ("play Baker", "place Mill")
