from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from sqlalchemy.exc import IntegrityError

from pbem.errors import StoreError
from pbem.protocol import Seat
from pbem.store import Game, NewInbound, NewOutbound, OutboundId, Store, Tx

HOUR = timedelta(hours=1)


def received(now: datetime, uid: int = 0, message_id: str = "<a@x>", digest: str = "d1") -> NewInbound:
    return NewInbound(
        b"From: ann\r\n\r\nend\r\n",
        now,
        uidvalidity=7,
        uid=uid,
        message_id=message_id,
        digest=digest,
        sender="Ann@example.org",
    )


def queue(tx: Tx, now: datetime, name: str, recipient: str = "ann@example.org") -> OutboundId:
    return tx.queue(NewOutbound(recipient, f"<{name}@x>", name, "report", b"raw " + name.encode()), now)


def test_a_mail_is_recognised_by_its_place_in_the_mailbox(store: Store, now: datetime) -> None:
    with store.transaction() as tx:
        kept = tx.record_inbound(received(now, uid=5))
        found = tx.seen_uid(7, 5)
        assert found is not None
        assert (found.id, found.raw, found.disposition) == (kept, b"From: ann\r\n\r\nend\r\n", None)
        assert tx.seen_uid(8, 5) is None


def test_a_mail_is_recognised_by_message_id_and_content(store: Store, now: datetime) -> None:
    with store.transaction() as tx:
        kept = tx.record_inbound(received(now, uid=5))
        found = tx.seen_message("<a@x>", "d1")
        assert found is not None
        assert found.id == kept
        assert tx.seen_message("<a@x>", "d2") is None
        assert tx.seen_message("", "d1") is None


def test_the_database_itself_refuses_a_mail_twice(store: Store, now: datetime) -> None:
    with store.transaction() as tx:
        tx.record_inbound(received(now, uid=5))
    with pytest.raises(IntegrityError), store.transaction() as tx:
        tx.record_inbound(received(now, uid=5, message_id="<b@x>"))
    with pytest.raises(IntegrityError), store.transaction() as tx:
        tx.record_inbound(received(now, uid=6))


def test_a_repeated_mail_is_kept_as_a_duplicate(store: Store, now: datetime) -> None:
    with store.transaction() as tx:
        first = tx.record_inbound(received(now, uid=5))
        for uid in (6, 7):
            again = tx.record_inbound(received(now, uid=uid), duplicate_of=first)
            tx.settle_inbound(again, "duplicate")
        found = tx.seen_message("<a@x>", "d1")
        assert found is not None
        assert found.id == first
        assert tx.inbound(again).duplicate_of == first


def test_mails_without_a_message_id_are_never_taken_for_one_another(store: Store, now: datetime) -> None:
    with store.transaction() as tx:
        tx.record_inbound(received(now, uid=5, message_id=""))
        tx.record_inbound(received(now, uid=6, message_id=""))
        assert len(tx.received()) == 2


def test_what_became_of_a_mail_is_kept_and_listed(store: Store, game: Game, now: datetime) -> None:
    with store.transaction() as tx:
        bad = tx.record_inbound(received(now, uid=5))
        good = tx.record_inbound(received(now, uid=6, message_id="<b@x>"))
        tx.settle_inbound(bad, "quarantined", kind="unsupported", reason="it raised", error="Traceback ...")
        tx.settle_inbound(good, "applied", kind="orders", game_id=game.id, version=1)
        assert [mail.id for mail in tx.received()] == [good, bad]
        (listed,) = tx.received("quarantined", "parked")
        assert (listed.id, listed.kind, listed.error, listed.raw) == (bad, "unsupported", "Traceback ...", b"")
        assert [mail.id for mail in tx.received(game_id=game.id)] == [good]
        assert tx.count_received("ann@EXAMPLE.org", now - HOUR) == 2
        assert tx.count_received("ann@example.org", now - HOUR, "quarantined") == 1
        assert tx.count_received("ann@example.org", now + HOUR) == 0


def test_a_received_mail_that_is_not_there_is_said(store: Store) -> None:
    with store.reading() as tx, pytest.raises(StoreError, match="no received mail 9"):
        tx.inbound(9)  # type: ignore[arg-type]


def test_what_was_queued_in_a_failed_transaction_is_not_sent(store: Store, now: datetime) -> None:
    def fail() -> None:
        with store.transaction() as tx:
            queue(tx, now, "one")
            tx.find_game("nowhere")

    with pytest.raises(StoreError, match="nowhere"):
        fail()
    with store.transaction() as tx:
        assert tx.lease(now) == ()


def test_a_leased_mail_is_nobody_elses_until_the_lease_ends(store: Store, now: datetime) -> None:
    with store.transaction() as tx:
        queue(tx, now, "one")
        (mail,) = tx.lease(now, seconds=60)
        assert (mail.raw, mail.attempts, mail.status) == (b"raw one", 1, "leased")
        assert tx.lease(now + timedelta(seconds=59)) == ()
        assert tx.next_sending() == now + timedelta(seconds=60)
        (again,) = tx.lease(now + timedelta(seconds=60))
        assert (again.id, again.attempts, again.message_id) == (mail.id, 2, mail.message_id)


def test_leases_are_taken_oldest_first_and_bounded(store: Store, now: datetime) -> None:
    with store.transaction() as tx:
        made = [queue(tx, now, f"m{number}") for number in range(5)]
        assert [mail.id for mail in tx.lease(now, limit=2)] == made[:2]
        assert [mail.id for mail in tx.lease(now, limit=9)] == made[2:]


def test_a_sent_mail_is_not_sent_again(store: Store, now: datetime) -> None:
    with store.transaction() as tx:
        mail = queue(tx, now, "one")
        tx.lease(now)
        tx.mark_sent([mail], now)
        assert tx.lease(now + 24 * HOUR) == ()
        assert tx.next_sending() is None
        assert tx.outbound(mail).sent_at == now


def test_a_mail_that_failed_for_now_waits_and_holds_no_other(store: Store, now: datetime) -> None:
    with store.transaction() as tx:
        slow, other = queue(tx, now, "slow"), queue(tx, now, "other", "bob@example.org")
        tx.lease(now)
        tx.mark_retry(slow, "451 try later", now + HOUR)
        tx.release([other])
        (mail,) = tx.lease(now)
        assert (mail.id, mail.attempts) == (other, 1)
        tx.mark_sent([other], now)
        (mail,) = tx.lease(now + HOUR)
        assert (mail.id, mail.attempts, mail.last_error) == (slow, 2, "451 try later")


def test_a_mail_that_is_brought_forward_is_due_as_if_it_had_not_been_tried(store: Store, now: datetime) -> None:
    with store.transaction() as tx:
        refused = queue(tx, now, "refused")
        tx.lease(now)
        tx.mark_retry(refused, "553 5.7.1 not your address", now + HOUR)
        tx.make_due([refused], now)
        assert [(mail.id, mail.attempts) for mail in tx.lease(now)] == [(refused, 1)]


def test_a_mail_that_failed_for_good_is_listed_and_can_be_sent_again(store: Store, now: datetime) -> None:
    with store.transaction() as tx:
        mail = queue(tx, now, "one")
        tx.lease(now)
        tx.mark_failed(mail, "550 no such user")
        assert tx.lease(now + 24 * HOUR) == ()
        assert [one.last_error for one in tx.sent("failed")] == ["550 no such user"]
        tx.resend(mail, now)
        assert [one.id for one in tx.lease(now)] == [mail]


def test_a_bounce_leads_back_to_its_mail(store: Store, now: datetime) -> None:
    with store.transaction() as tx:
        mail = queue(tx, now, "one")
        found = tx.sent_message("<one@x>")
        assert found is not None
        assert (found.id, found.recipient) == (mail, "ann@example.org")
        assert tx.sent_message("<two@x>") is None


def test_answers_to_an_address_are_counted(store: Store, now: datetime) -> None:
    with store.transaction() as tx:
        queue(tx, now - 2 * HOUR, "old")
        queue(tx, now, "new", "ANN@example.org")
        assert tx.count_queued("ann@example.org", now - HOUR) == 1
        assert tx.count_queued("ann@example.org", now - HOUR, "help") == 0


def test_old_mails_are_forgotten_but_not_those_that_wait(store: Store, now: datetime) -> None:
    with store.transaction() as tx:
        done = tx.record_inbound(received(now, uid=5))
        tx.settle_inbound(done, "applied")
        waiting = tx.record_inbound(received(now, uid=6, message_id="<b@x>"))
        tx.settle_inbound(waiting, "quarantined")
        mail = queue(tx, now, "one")
        unsent = queue(tx, now, "two")
        tx.mark_sent([mail], now)
        assert tx.forget_mails(now + HOUR) == 2
        assert tx.forget_mails(now + HOUR) == 0
        assert (tx.inbound(done).raw, tx.outbound(mail).raw) == (b"", b"")
        assert tx.inbound(waiting).raw
        assert tx.outbound(unsent).raw
        assert tx.seen_uid(7, 5) is not None


def test_a_mail_full_of_what_no_database_takes_is_kept(store: Store, now: datetime) -> None:
    with store.transaction() as tx:
        odd = NewInbound(b"\0\xff", now, message_id="<\udcff\0@x>", digest="d", sender="\udc80@x", subject="a\0b")
        kept = tx.record_inbound(odd)
        tx.settle_inbound(kept, "quarantined", error="\udcff")
        assert tx.inbound(kept).raw == b"\0\xff"
        found = tx.seen_message("<\udcff\0@x>", "d")
        assert found is not None
        assert (found.id, found.subject) == (kept, "a?b")
        assert tx.count_received("\udc80@x", now) == 1
        assert tx.players_at("\udc80@x") == ()
        assert tx.sent_message("<\udcff@x>") is None


def test_a_mail_that_got_no_answer_is_given_once_and_not_to_who_takes_the_seat_over(
    store: Store, now: datetime, game: Game
) -> None:
    with store.transaction() as tx:
        for uid in (1, 2):
            mail = tx.record_inbound(received(now, uid=uid, message_id=f"<{uid}@x>"))
            tx.settle_inbound(mail, "ignored", game_id=game.id, seat=0, unanswered="often")
        assert tx.take_unanswered(game.id, Seat(1)) == ()
        assert [mail.uid for mail in tx.take_unanswered(game.id, Seat(0))] == [1, 2]
        assert tx.take_unanswered(game.id, Seat(0)) == ()
        mail = tx.record_inbound(received(now, uid=3, message_id="<3@x>"))
        tx.settle_inbound(mail, "ignored", game_id=game.id, seat=0, unanswered="often")
        tx.reseat(game.id, Seat(0), None, "Bot")
        assert tx.take_unanswered(game.id, Seat(0)) == ()
