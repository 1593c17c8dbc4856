"""Every mail of a player gets an answer, or the next mail to its seat says that it got none, and why. Machines get none."""

from __future__ import annotations

import email
from email.message import EmailMessage
from typing import Any

import pytest

from pbem.mail.handling import steps
from pbem.mail.handling.pipeline import handle
from pbem.mail.reading.values import Fetched
from pbem.play.advance import start_game
from pbem.play.table import UnitOfWork
from pbem.protocol import Seat
from pbem.store import GameSettings

POSITION = "3 players | red* $8 holds mr-boggis,groat,dr-whiteface | green $5 holds ruby | blue $5 | The Scours R G"


@pytest.fixture
def started(world: Any) -> Any:
    for person in world.start(3):
        person.skip()
    return world


def words(mail: Any) -> str:
    return " ".join(mail.text.split())


def told(person: Any) -> str:
    """What the only new mail says."""
    text = words(person.receives())
    person.receives_nothing()
    return text


def message(person: Any) -> EmailMessage:
    """An empty answer to the newest mail, to be filled."""
    return email.message_from_bytes(person.letter("."), _class=EmailMessage, policy=email.policy.default)


#: What is typed, and what the answer says to who is asked, and to who waits.
ANSWERED = [
    ("", "came without a word of yours", "came without a word of yours"),
    ("Good morning, everybody!", "Not read as orders: Good morning, everybody!", "we found no order"),
    ("minion The Ramtops", "one line could not be carried out", "You wrote: minion The Ramtops"),
    ("skip", "one line could not be carried out", "You wrote: skip"),
    ("yes", 'nothing that your "yes" confirms', 'nothing that your "yes" confirms'),
    ("ok", "we found no order", "we found no order"),
    ("undo", "You have done nothing yet", "It is not your turn now"),
    ("help", "this is how to play by mail", "this is how to play by mail"),
    ("status", "it is your move", "there is nothing for you to do now"),
    ("report", "it is your move", "there is nothing for you to do now"),
    ("history", "so far", "so far"),
    ("preview\nend", "this is only a preview", "asked for no orders"),
    ("standing", "these are your policies", "these are your policies"),
    ("standing Rincewind: perhaps", "not every policy could be read", "not every policy could be read"),
    ("resign", "do you really want to give up", "do you really want to give up"),
    ("address nobody@nowhere", "we cannot write to you at", "we cannot write to you at"),
]


@pytest.mark.parametrize("whose", ["asked", "waiting"])
def test_whatever_a_player_types_is_answered(started: Any, whose: str) -> None:
    person = started.whose() if whose == "asked" else started.others()[0]
    report = person.newest
    for typed, asked, waiting in ANSWERED:
        person.writes(typed, to=report)
        text = told(person)
        assert (asked if whose == "asked" else waiting) in text, typed


def test_a_mail_that_only_quotes_the_report_is_said_to_be_empty(started: Any) -> None:
    person = started.whose()
    quoted = "\n".join(f"> {line}" for line in person.newest.text.splitlines())
    person.writes(f"On Monday the game wrote:\n{quoted}")
    assert "came without a word of yours" in told(person)


def test_a_mail_with_nothing_but_an_attachment_is_said_to_have_no_text(started: Any) -> None:
    person = started.whose()
    mail = message(person)
    mail.set_content("")
    mail.add_attachment(b"%PDF-1.4", maintype="application", subtype="pdf", filename="orders.pdf")
    started.deliver(mail.as_bytes())
    assert "It was encrypted, or had no text in it" in told(person)


def test_an_encrypted_mail_is_said_to_be_unreadable(started: Any) -> None:
    person = started.whose()
    mail = message(person)
    mail.set_content(b"\x00", maintype="application", subtype="pkcs7-mime", params={"smime-type": "enveloped-data"})
    started.deliver(mail.as_bytes())
    assert "we could not read your mail" in told(person)


def test_a_mail_that_is_too_large_is_said_to_be_and_moves_nothing(started: Any) -> None:
    person = started.whose()
    raw = person.letter(started.orders())
    head = raw[: raw.index(b"\r\n\r\n") + 4]
    mail = Fetched(uid=99, uidvalidity=7, size=3_000_000, raw=head, oversize=True)
    assert handle(started.store, started.settings, mail, started.now) == "answered"
    started.post()
    assert "your mail is too large for us to read" in told(person)
    assert started.game.version == 1


def test_orders_to_an_older_mail_of_a_turn_that_is_over_are_said_to_be_past(started: Any) -> None:
    person = started.whose()
    question, orders = person.newest, started.first_order()
    started.play_turn()
    person.skip()
    assert person.writes(orders, to=question) == "answered"
    assert "what you answered is past" in told(person)


def test_the_same_orders_in_a_second_mail_are_answered_and_done_once(started: Any) -> None:
    person, orders = started.whose(), started.first_order()
    question = person.newest
    person.writes(orders, to=question)
    person.skip()
    version = started.game.version
    person.writes(orders, to=question)
    assert "one line could not be carried out" in told(person)
    assert started.game.version == version


def test_the_same_mail_once_more_is_answered_by_the_answer_that_went_out(started: Any) -> None:
    person = started.whose()
    raw = person.letter(started.first_order())
    started.deliver(raw)
    told(person)
    assert started.deliver(raw) == "duplicate"
    person.receives_nothing()
    person.writes("status")
    assert "not answered" not in told(person)


@pytest.mark.parametrize(
    ("typed", "said"), [("end", "this game is over"), ("hello", "we found no order"), ("undo", "this game is over")]
)
def test_mail_after_the_end_is_told_that_the_game_is_over(world: Any, typed: str, said: str) -> None:
    people = world.start(2, seed=b"\2" * 32)
    while world.game.status == "running":
        world.whose().writes(world.orders())
    people[0].skip()
    people[0].writes(typed)
    text = told(people[0])
    assert said in text
    assert "game is over" in text


def test_orders_in_a_paused_game_are_carried_out_and_said_to_be_in_one(started: Any) -> None:
    with started.store.transaction() as tx:
        tx.pause_game(started.game_id, started.now)
    person = started.whose()
    assert person.writes(started.first_order()) == "applied"
    assert "paused by the moderator" in told(person)


def test_orders_in_a_window_that_is_not_theirs_are_said_back(started: Any) -> None:
    started.set_to(POSITION)
    ann, bob, cid = (started.people[f"{name}@example.org"] for name in ("ann", "bob", "cid"))
    ann.writes("play Dr Whiteface; target Green")
    cid.skip()
    assert cid.writes("pay") == "answered"
    assert "asked for no orders" in told(cid)
    bob.skip()
    assert bob.writes("pay") == "applied"
    assert "your answer is in" in told(bob)


def test_mail_from_another_address_of_the_player_is_answered_there(started: Any) -> None:
    person, second = started.whose(), started.person("Second", "second@example.org")
    player = next(one for one in started.table.players.values() if one.name == person.name)
    with started.store.transaction() as tx:
        tx.use_address(player.id, second.address)
        tx.use_address(player.id, person.address)
    assert person.writes(started.first_order(), sender=second.address) == "applied"
    assert "Your turn goes on" in told(second)


def test_orders_with_a_code_that_was_given_away_are_offered(started: Any) -> None:
    person, orders = started.whose(), started.first_order()
    given = person.newest
    person.writes("status", cc="eve@example.com")
    person.skip()
    assert person.writes(orders, to=given) == "parked"
    assert "carried out, as far as they are still possible" in told(person)


@pytest.mark.parametrize(
    ("typed", "said"), [("hello", "we found no order"), ("yes", "in a way that we cannot trust"), ("undo", "void")]
)
def test_a_mail_without_a_code_is_answered(started: Any, typed: str, said: str) -> None:
    person = started.whose()
    person.writes(typed, subject="my move")
    assert said in told(person)


# -- what gets no answer is said in the next mail


def test_whose_hour_has_no_more_answers_reads_in_the_next_mail_which_mails_got_none(started: Any) -> None:
    person = started.whose()
    for _ in range(started.settings.mail.answers_per_hour):
        person.writes("status")
    assert "This is the last answer in this hour" in words(person.newest)
    assert "This is the last answer in this hour" not in words(person.inbox[-2])
    person.skip()
    for typed in ("status", "good evening", "undo"):
        person.writes(typed)
    person.receives_nothing()
    assert person.writes(started.first_order()) == "applied"
    text = told(person)
    assert "3 mails of yours, from Monday 30 November, 12:31 UTC to Monday 30 November, 12:33 UTC, were not" in text
    assert "nothing of them was done: nobody gets more answers in an hour" in text
    person.writes("undo")
    assert "not answered" not in told(person), "it is said once"


def test_the_next_mail_to_the_seat_says_it_whatever_it_is_about(started: Any) -> None:
    person = started.others()[0]
    for _ in range(started.settings.mail.answers_per_hour + 1):
        person.writes("hello")
    person.skip()
    started.play_turn()
    text = words(person.receives())
    assert "Your mail of Monday 30 November, 12:31 UTC was not answered, and nothing of it was done" in text
    assert all(
        "not answered" not in words(mail) for other in started.others() for mail in other.inbox if other != person
    )


def test_a_policy_that_is_set_is_told_of_however_many_answers_there_were(started: Any) -> None:
    person = started.whose()
    for _ in range(started.settings.mail.answers_per_hour):
        person.writes("status")
    person.skip()
    assert person.writes("standing Gaspode: never") == "applied"
    assert "your policies are noted" in told(person)


def test_questions_beyond_the_most_of_one_mail_are_said_to_be_left(started: Any) -> None:
    person = started.whose()
    person.writes("help\nstatus\nhistory\nrules money\ncard Groat\ncard Ruby")
    assert len(person.inbox) - person.read == 5
    person.skip()
    person.writes("status")
    assert "12:01 UTC was answered only in part: nobody gets more answers at once" in told(person)


def test_chat_from_an_address_that_is_not_registered_is_said_at_the_one_that_is(started: Any) -> None:
    person, eve = started.whose(), started.person("Eve", "eve@evil.example")
    assert person.writes("Shall we meet?", sender=eve.address) == "ignored"
    eve.receives_nothing()
    person.receives_nothing()
    person.writes("status")
    assert "was not answered, and nothing of it was done: the address is not registered for you" in told(person)


def test_a_wish_to_resign_that_comes_too_often_is_said_to_have_got_no_question(started: Any) -> None:
    person = started.whose()
    for _ in range(6):
        person.writes("resign")
    assert len(person.inbox) - person.read == 5
    person.skip()
    person.writes("status")
    assert 'nobody is asked for more such "yes" in a day' in told(person)


def test_a_late_yes_of_a_new_address_is_said_to_the_player(started: Any) -> None:
    person, new = started.whose(), started.person("New", "new@example.org")
    person.writes(f"address {new.address}")
    person.writes("yes", to=person.newest)
    question = new.receives("is this your address")
    person.skip()
    started.pass_time(24 * 8)
    assert new.writes("yes", to=question) == "ignored"
    new.receives_nothing()
    person.writes("status")
    assert 'the time for the "yes" was over' in words(person.newest)


def test_mail_before_the_game_begins_is_told_of_in_the_welcome(world: Any) -> None:
    ann = world.person("Ann", "ann@example.org")
    with world.store.transaction() as tx:
        game = tx.add_game("Friday", "ankh_morpork", GameSettings(), b"\1" * 32, world.now)
        player = tx.add_player("Ann", ann.address, world.now)
        tx.add_seat(game.id, Seat(0), "Red", player.id)
        tx.add_seat(game.id, Seat(1), "Green", None, "Bot")
    assert ann.writes("When do we start?") == "ignored"
    ann.receives_nothing()
    with world.store.transaction() as tx:
        start_game(UnitOfWork(tx, world.settings, world.now), game.id)
    world.post()
    text = words(ann.receives("the game begins"))
    assert "Your mail of Monday 30 November, 12:01 UTC was not answered" in text
    assert "the game had not begun" in text


def test_a_mail_that_a_failure_of_ours_stopped_is_told_of(started: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    person = started.whose()

    def broken(incoming: Any) -> None:
        raise RuntimeError("a fault of ours")

    with monkeypatch.context() as patched:
        patched.setattr("pbem.mail.handling.pipeline.STEPS", (broken, *steps.STEPS))
        assert person.writes(started.first_order()) == "quarantined"
    person.receives_nothing()
    person.writes("status")
    assert "something of ours failed, and the moderator was told" in told(person)


def test_a_new_player_of_a_seat_reads_nothing_of_the_old_ones_mails(started: Any) -> None:
    person = started.whose()
    for _ in range(started.settings.mail.answers_per_hour + 1):
        person.writes("status")
    seat = started.table.match.actor
    with started.store.transaction() as tx:
        other = tx.add_player("Eve", "eve@example.org", started.now)
        tx.reseat(started.game_id, seat, other.id)
    eve = started.person("Eve", "eve@example.org")
    eve.writes("status", subject="G001")
    assert "not answered" not in told(eve)


@pytest.mark.parametrize(
    "headers",
    [{"Auto-Submitted": "auto-replied"}, {"Precedence": "bulk", "List-Id": "<x.example.org>"}],
    ids=["auto-reply", "bulk"],
)
def test_machine_mail_gets_no_answer_and_is_not_spoken_of(started: Any, headers: dict[str, str]) -> None:
    person = started.whose()
    assert person.writes("I am away until Friday.", headers=headers) == "ignored"
    person.receives_nothing()
    person.writes("status")
    assert "not answered" not in told(person)


def test_orders_that_were_marked_as_spam_are_spoken_of_in_the_next_mail(started: Any) -> None:
    person, spam = started.whose(), {"X-Spam-Flag": "YES"}
    assert person.writes(started.orders(), headers=spam) == "ignored"
    person.receives_nothing()
    person.writes("status")
    assert "was not answered, and nothing of it was done: marked as spam by a filter" in told(person)
    person.writes("Win a prize!", headers=spam, subject="An offer")
    person.writes("status")
    assert "not answered" not in told(person)
