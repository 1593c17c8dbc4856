"""One mail on its way through the steps of the pipeline: what is known about it so far."""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, TypeVar

from pbem.address import address_key
from pbem.mail.handling.identify import Holder, Identity, Stranger, Trusted
from pbem.mail.reading.values import ParsedMail
from pbem.orders.commands import Sorted, sort_typed
from pbem.play.letters import Answering, Letters
from pbem.play.table import Table, UnitOfWork, load
from pbem.protocol import Decision, Seat
from pbem.questions.mails import NOTHING_ASKED, Asking
from pbem.reports import contexts
from pbem.store import Ask, Disposition, InboundId

#: Kinds of our mails that answer one of a player's without anything having moved; these are limited.
ANSWERS = (
    *("again", "refusal", "nothing", "preview", "undone", "status", "help", "rules", "card", "answers", "history"),
    *("standing", "stale", "address_first", "address_asked", "address_moderator", "address_wrong"),
    *("address_letters", "address_often"),
)
#: Kinds of those whose token is for one `yes`.
CONFIRMING = ("confirm_resign", "confirm_address", "newcomer")
#: The share that mail without proof has of these, and of offers of parked orders besides: whoever forges a player's
#: mail must not use up that player's answers.
UNPROVEN_SHARE = 3
#: Kinds that answer orders which were not carried out, and how many times the answers of an hour they may be: more only a
#: robot causes, which sends our mails back.
NOT_DONE, ROBOTS = ("refusal", "stale"), 4

NO_LINES = Sorted((), (), ())
Wanted = TypeVar("Wanted")


def sorted_lines(mail: ParsedMail, table: Table, decision: Decision | None, *, offered: bool) -> Sorted:
    """The lines of a mail to who is asked this, or was offered something; of one that cannot be read all are chat."""
    typed = [(line.text, line.kind == "order") for line in mail.typed if line.kind != "withdrawn"]
    if not typed:
        return NO_LINES._replace(chat=mail.chat)
    return sort_typed(typed, table.rules.vocabulary, decision, table.names, offered=offered)


@dataclass(frozen=True, slots=True)
class Handled:
    """What became of a mail."""

    disposition: Disposition
    #: Why, in a word or two for the moderator.
    reason: str = ""
    #: The version it made.
    version: int | None = None
    #: Why nothing was written to its player, when nothing was.
    silence: contexts.Silence = "often"


@dataclass(slots=True)
class Incoming:
    """A mail, who wrote it, and what it asks for; each step fills in what it finds out."""

    work: UnitOfWork
    inbound_id: InboundId
    mail: ParsedMail
    identity: Identity = field(default_factory=lambda: Stranger("not looked at"))
    lines: Sorted = NO_LINES
    #: Typed lines that are no orders.
    chat: tuple[str, ...] = ()
    #: The parked mail whose orders these are, once its player has said yes to them.
    approved: InboundId | None = None
    #: Whether the mail went to others too, so that its tokens are worth nothing any more.
    retired: bool = False
    #: What it asks in plain words.
    asking: Asking = NOTHING_ASKED
    #: Whether some of its questions were not answered.
    answered_in_part: bool = False
    #: The game of its seat, as it stands by now; not there before its seat is known.
    table: Table = field(init=False)

    def wanted(self, *kinds: type[Wanted]) -> list[Wanted]:
        """The commands of these kinds, in the order written."""
        return [command for command in self.lines.commands if isinstance(command, kinds)]

    @property
    def holder(self) -> Holder:
        """The seat this mail is about."""
        assert not isinstance(self.identity, Stranger), "strangers are sent away first"
        return self.identity.holder

    @property
    def seat(self) -> Seat:
        return self.holder.seat

    @property
    def proof(self) -> Trusted:
        """What lets it change something."""
        assert isinstance(self.identity, Trusted), "only a trusted mail may change something"
        return self.identity

    def reload(self) -> None:
        """Take the game from the store again, after something about its seats has changed."""
        self.table = load(self.work, self.table.game.id)

    def letters(self) -> Letters:
        """What writes to its player, as the game stands by now."""
        return Letters.seen_by(self.work, self.table, self.seat)

    def answer(
        self, mail: type[contexts.GameMail], letters: Letters | None = None, ask: Ask | None = None, **fields: Any
    ) -> None:
        """Answer its player with a mail of this kind, with the token of `ask` or that of what is pending. The last one of
        an hour says so."""
        letters, kind = letters or self.letters(), fields.get("kind", mail.template)
        left = [self._answers_left] if isinstance(self.identity, Trusted) and kind in ANSWERS else []
        left += [self._refusals_left] if kind in NOT_DONE else [self._offers_left] if kind == "parked" else []
        fields["last_answer"] = 1 in left
        letters.post(self.seat, mail, ask=ask or letters.pending(self.seat), answering=self.answering, **fields)

    def ask_present(self, mail: type[contexts.GameMail], ask: Ask | None, **fields: Any) -> None:
        """Ask where reports go now, whatever address this mail came from."""
        present = self.holder.player.address
        from_there = present is not None and address_key(present.address) == address_key(self.mail.sender)
        self.letters().post(self.seat, mail, ask=ask, answering=self.answering if from_there else None, **fields)

    @property
    def own_address(self) -> bool:
        """Whether it came from an address that is registered for the seat's player."""
        return self.holder.player.owns(self.mail.sender)

    @property
    def answering(self) -> Answering | None:
        """How an answer finds back: only ever to a registered address."""
        mail = self.mail
        asked = self.asking.beside
        answering = Answering(self.inbound_id, mail.sender, mail.message_id, self.chat, self.retired, asked)
        return answering if self.own_address else None

    @property
    def may_answer(self) -> bool:
        """Whether this address has not had its share of answers yet in the last hour (so that no loop lives)."""
        return self._answers_left > 0

    @property
    def _answers_left(self) -> int:
        share = self._limit if isinstance(self.identity, Trusted) else max(1, self._limit // UNPROVEN_SHARE)
        return share - self._answered(*ANSWERS)

    @property
    def may_refuse(self) -> bool:
        """Whether orders with a token that counts may be answered in this hour when they are not carried out."""
        return self._refusals_left > 0

    @property
    def _refusals_left(self) -> int:
        return ROBOTS * self._limit - self._answered(*NOT_DONE)

    @property
    def may_offer(self) -> bool:
        """Whether its player may be offered more parked orders in this hour."""
        return self._offers_left > 0

    @property
    def _offers_left(self) -> int:
        return max(1, self._limit // UNPROVEN_SHARE) - self._answered("parked")

    @property
    def _limit(self) -> int:
        return self.work.settings.mail.answers_per_hour

    def _answered(self, *kinds: str) -> int:
        """How many mails of these kinds went in the last hour where an answer would go."""
        known = self.holder.player.address
        to = self.mail.sender if self.own_address else known.address if known else ""
        return self.work.tx.count_queued(to, self.work.now - timedelta(hours=1), *kinds)
