"""The first pass over a whole mail: what each clause is, before anything is carried out.

A clause is lexically an order, wholly social, carries a topic of its own, corrects or vetoes an order, or is a doubt.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from pbem.orders.lattice import ALL, EXCEPT, PERSONS, Lattice, union
from pbem.orders.words import SENTENCE_MARKS

#: What a clause is. `frame` is what may stand before an order and a colon, or alone: function words.
Sort: TypeAlias = Literal["order", "chat", "correction", "doubt"]

#: Kinds of doubt that count though the clause has one other subject.
GRAVE = ("withdraw", "draft")
#: Kinds that say nothing beside a greeting: `Well done last turn`.
PASSING = frozenset(("late", "vague", "said"))
#: Kinds of doubt that count less where somebody is spoken to, and words that do so: `Hope you are well`.
WEAK = PASSING | {"hedge"}
YOU = frozenset(("you", "youre", "your", "youll", "youve", "yourself"))
#: Kinds that turn back: before the first order there is nothing to turn back to.
BACKWARD = ("withdraw", "correct", "earlier")
#: Words with which a question begins that is about the game, and no order.
QUESTIONS = frozenset(
    ["what", "whats", "who", "whos", "whose", "which", "where", "wheres", "when", "why", "how", "hows", "does", "did"]
)
#: Those that have the word behind in them.
CONTRACTED = frozenset(["whats", "whos", "wheres", "hows"])
#: Words behind which make a question of them, with or without its mark.
AUXILIARIES = frozenset(["does", "do", "did", "is", "are", "was", "has", "have", "can", "will", "should", "would"])
#: Words for what else the mail says: a clause that has one needs more than a passing subject to be about something else.
BACK = frozenset(("it", "its", "this", "that", "thats"))
#: Words with which a reason begins, up to the next mark: it says nothing of what is to be done.
REASONS = frozenset(("because", "since", "weil", "denn", "parce", "porque", "perche", "omdat"))
#: What is said of somebody to whom something goes: `you get the Clacks from me`.
GETTING = frozenset(("get", "can", "may"))
#: Words that make `all` an answer.
WHOLE = frozenset(("it", "them", "these", "those", "everything", "lot"))
#: Words that turn back, or decline.
NO = frozenset(("no", "nope", "nah", "nee", "nein", "non", "nej", "nie", "nao"))
#: Who begins so says how somebody is: `they're no use to me anyway`.
DESCRIBING = frozenset(("theyre", "hes", "shes"))
#: Words between two clauses on which a clause may end as well.
JOINTS = frozenset(("but", "so", "because", "and", "then"))


@dataclass(frozen=True, slots=True)
class Clause:
    """Some words between two marks."""

    sort: Sort
    mask: int
    #: The words of it that an option has to explain.
    meant: int = 0
    #: The mark behind it.
    mark: str = "\n"
    #: Kinds of doubt in it.
    doubts: frozenset[str] = frozenset()
    #: The words of it that say what is not to be: `not the Hippo but`, `rather than Groat`.
    veto: int = 0


@dataclass(slots=True)
class Statement:
    """A mail's clauses."""

    clauses: list[Clause] = field(default_factory=list)

    def meant(self) -> int:
        """The words that options have to explain."""
        return sum(clause.meant for clause in self.clauses if clause.sort in ("order", "correction"))

    def asking(self) -> bool:
        """Whether it asks something and orders nothing."""
        return not self.meant() and all(c.doubts <= {"asking"} for c in self.clauses if c.sort == "doubt")

    def doubtful(self) -> int:
        """The words of the clauses in doubt."""
        return sum(clause.mask for clause in self.clauses if clause.sort == "doubt")


def state(lattice: Lattice) -> Statement:
    """What the clauses of a mail are."""
    clauses = [_aside(lattice, judged(lattice, mask, mark)) for mask, mark in _pieces(lattice)]
    return Statement(_in_context(lattice, clauses))


def affirmed(lattice: Lattice, statement: Statement) -> int:
    """The words of clauses that say yes, and nothing else."""
    mask = 0
    yes = lattice.union("yes")
    light = lattice.light | yes
    for clause, following in zip(statement.clauses, [*statement.clauses[1:], None], strict=False):
        remark = bool(clause.mark == "," and following and following.mask & ~light)
        if clause.sort == "chat" and clause.mask & yes and not clause.mask & ~light and not remark:
            mask |= clause.mask & yes
        elif clause.sort == "chat" and clause.mask & lattice.persons and not clause.mask & ~lattice.persons:
            mask |= clause.mask
    return mask


def _pieces(lattice: Lattice) -> list[tuple[int, str]]:
    """The words between marks, with the mark behind; a correction begins a new piece."""
    pieces: list[tuple[int, str]] = []
    mask = 0
    correcting = lattice.speech["correct"]
    for place, token in enumerate(lattice.tokens):
        bit = 1 << place
        corrects = correcting & bit and mask & lattice.game and not correcting & bit >> 1
        if token.is_mark or (mask and token.text in REASONS) or (corrects and _goes_on(lattice, place)):
            if mask:
                pieces.append((mask, token.text if token.is_mark else ","))
            elif pieces and token.text in SENTENCE_MARKS | {":"} and pieces[-1][1] not in "?:":
                pieces[-1] = (pieces[-1][0], token.text)
            mask = 0
        if not token.is_mark:
            mask |= bit
    return pieces if not mask else [*pieces, (mask, "\n")]


def _goes_on(lattice: Lattice, place: int) -> bool:
    """Whether the game is spoken of between a place and the next mark."""
    while place < len(lattice.tokens) and not lattice.tokens[place].is_mark:
        if lattice.game >> place & 1:
            return True
        place += 1
    return False


def _aside(lattice: Lattice, clause: Clause) -> Clause:
    """The clause; in brackets what is no whole order is a remark: `(too noisy anyway)`."""
    start = (clause.mask & -clause.mask).bit_length() - 1
    before = lattice.texts[:start]
    if before.count("(") <= before.count(")"):
        return clause
    strange = clause.mask & ~(lattice.game | lattice.light | lattice.weak)
    if (clause.sort == "order" and strange) or (
        clause.sort == "doubt" and clause.doubts <= WEAK and not clause.mask & lattice.game
    ):
        return Clause("chat", clause.mask, 0, clause.mark)
    return clause


def judged(lattice: Lattice, mask: int, mark: str) -> Clause:
    """What a clause is by its own words."""
    speech = lattice.speech
    first = lattice.texts[(mask & -mask).bit_length() - 1]
    second = lattice.texts[(mask & mask - 1 & -(mask & mask - 1)).bit_length() - 1] if mask & mask - 1 else ""
    free = lattice.light & ~lattice.firm
    said_no = lattice.union("no")
    game = lattice.game & mask
    named = lattice.named & mask
    doubts = frozenset(
        kind
        for kind in ("correct", "withdraw", "earlier", "draft", "condition", "hedge", "vague", "late", "said")
        if speech[kind] & mask & ~game
    )
    if not mask & ~lattice.union("yes"):
        return Clause("chat", mask, 0, mark)  # `si`, `all right`
    if doubts == {"hedge"} and named and lattice.words(mask)[-2:] in (["i", "think"], ["i", "guess"]):
        doubts, free = frozenset(), free | speech["hedge"]  # `Dimwell I think`
    if doubts == {"said"} and said_no & mask and named:
        doubts = frozenset()  # `Hex, and nothing built`
    if first in REASONS and doubts <= WEAK | {"correct"}:
        return Clause("chat", mask, 0, mark)
    if first in DESCRIBING and not (doubts or named or mark == "?"):
        return Clause("chat", mask, 0, mark)
    behind = mask & ~speech["social"]
    if not doubts and behind != mask and behind & -behind > mask & -mask and lattice.words(behind)[:1] == ["for"]:
        return Clause("chat", mask, 0, mark)  # `Thanks for the two dollars`
    if doubts == {"said"} and first == "as" and not named:
        return Clause("chat", mask, 0, mark)  # `as Bob suggested`
    if doubts == {"vague"} and (game or mark == ":"):
        doubts, free = frozenset(), free | speech["vague"]
    topics = speech["topics"] & mask & ~game
    unknown = mask & ~game & ~lattice.heard & ~lattice.union("yes") & ~lattice.weak & ~lattice.titles
    weak = mask & lattice.weak & ~game
    meant = mask & (~free | lattice.all) & ~lattice.union("yes") & ~speech["correct"]
    if topics and not game & ~(speech["topics"] | lattice.light):
        game = named = 0  # `Did anyone watch the football?`
    acting = game & ~lattice.persons & ~lattice.named & ~free & ~said_no & ~lattice.matters
    strangers = (topics | unknown).bit_count()
    asks = first in QUESTIONS and (
        second in AUXILIARIES or first in CONTRACTED or (mark == "?" and not speech["hedge"] & mask & -mask)
    )
    spoken_of = BACK.union(PERSONS).isdisjoint(lattice.words(mask))
    if asks and (game & ~free or not spoken_of) and not topics:
        return Clause("doubt", mask, 0, mark, frozenset(("asking",)))
    points_back = not BACK.isdisjoint(lattice.words(mask))
    if doubts:
        subject = topics.bit_count() > bool(doubts & set(GRAVE)) + (points_back and not doubts <= PASSING)
        subject = subject or bool(doubts <= PASSING and (speech["social"] & mask or unknown.bit_count() > 1))
        subject = subject or bool(doubts <= WEAK and not (YOU.isdisjoint(lattice.words(mask)) or points_back))
        if not named and subject and not (acting and (mark == ":" or game & lattice.persons)):
            return Clause("chat", mask, 0, mark, frozenset())
        if doubts == {"correct"}:
            return Clause("correction", mask, meant & (game | weak | unknown | topics), mark, doubts)
        return Clause("doubt", mask, 0, mark, doubts)
    if mark == "?" and named and _requests(lattice, mask):
        mark = "."
    # `Is that wise?`
    of_the_orders = points_back and topics.bit_count() < 2 and not (unknown | speech["social"] & mask)
    if mark == "?" and ((game & ~free and not topics) or of_the_orders):
        return Clause("doubt", mask, 0, mark, frozenset(("question",)))
    if first == "you" and second not in GETTING and acting & (mask & mask - 1) & -(mask & mask - 1) and named:
        return Clause("doubt", mask, 0, mark, frozenset(("attributed",)))  # `you play Groat`
    said = mask & ~free
    begins = bool(
        (acting | lattice.mistyped & ~lattice.matters) & said & -said
    )  # `play The Ramtop Mountains` is an order, if a wrong one
    low = mask & -mask
    if named and not acting and speech["social"] & low and speech["social"] & low << 1 and _placed(lattice, mask):
        return Clause("chat", mask, 0, mark)  # `See you in the Shades`
    if named or (begins and unknown) or (acting and topics and not (topics & ~lattice.named_too | unknown)):
        return Clause("order", mask, meant, mark)
    nots = sum(1 << place for place, text in enumerate(lattice.texts) if text == "not") & game
    denied = (
        mask & ~(nots | said_no) & (~lattice.light | lattice.numbers) if nots and not game & ~free & ~said_no else 0
    )
    if denied and (of_the_orders or not (unknown | topics | speech["social"] & mask)):
        return Clause("doubt", mask, 0, mark, frozenset(("correct",)))  # `Not the first one`, `Do not carry this out`
    both = lattice.union("yes") & ~lattice.bare_no() & mask and lattice.bare_no() & ~lattice.union("yes") & mask
    if both and not mask & ~(lattice.light | said_no | lattice.union("yes")) and "and" in lattice.words(mask):
        return Clause("doubt", mask, 0, mark, frozenset(("vague",)))  # `yes and no`
    if topics or (acting and not begins and unknown.bit_count() > 1):
        return Clause("chat", mask, 0, mark)
    if acting or (game & lattice.matters and not unknown) or (game & said_no & ~free and strangers < 2):
        return Clause("order", mask, meant, mark)
    if game & lattice.persons & ~speech["social"]:
        social = speech["social"] & mask
        return Clause("chat" if social or strangers else "order", mask, 0 if social or strangers else meant, mark)
    if weak and not unknown and weak.bit_count() <= 2 and not speech["social"] & mask:
        return Clause("order", mask, meant, mark)
    if unknown and not unknown & ~lattice.numbers and not speech["social"] & mask:
        return Clause("order", mask, unknown, mark)
    if unknown or weak:
        return Clause("chat", mask, 0, mark)
    everything = mask & lattice.all
    if everything and not mask & ~(lattice.light | everything) and not WHOLE.isdisjoint(lattice.words(mask)):
        return Clause("order", mask, everything, mark)  # `all of them`
    if speech["neutral"] & mask and not speech["social"] & mask:
        return Clause("doubt", mask, 0, mark, frozenset(("vague",)))
    return Clause("chat", mask, 0, mark)


def _requests(lattice: Lattice, mask: int) -> bool:
    """Whether a clause asks for something to be done: `could you play Groat?`. One that may be about what is allowed does
    so with a word of politeness besides: `can you build there please?`"""
    begins = lattice.words(mask)[:2]
    polite = lattice.speech["please"] & mask
    if not polite & mask & -mask or begins[1:] != ["you"]:
        return False
    return begins[0] != "can" or bool(polite & ~_first(mask, 2))


def _first(mask: int, count: int) -> int:
    """The first words of a mask."""
    rest = mask
    for _ in range(count):
        rest &= rest - 1
    return mask & ~rest


def _placed(lattice: Lattice, mask: int) -> bool:
    """Whether names in a clause only say where something is."""
    placed = 0
    for edges in lattice.names.values():
        for edge in edges:
            placed |= edge.mask if edge.role else 0
    return not lattice.named & mask & ~placed


def _in_context(lattice: Lattice, clauses: list[Clause]) -> list[Clause]:
    """The clauses, judged by what stands before and behind them."""
    judged_now: list[Clause] = []
    for number, clause in enumerate(clauses):
        if clause.mark == ":" and number == len(clauses) - 1 and not clause.meant and "said" in clause.doubts:
            clause = Clause(
                "chat", clause.mask, 0, clause.mark
            )  # whose words a quote holds, which is not here any more
        called = clause.sort == "order" and not clause.meant & ~lattice.persons
        if called and clause.mark == "," and number + 1 < len(clauses) and clauses[number + 1].sort == "chat":
            clause = replace(clause, sort="chat", meant=0)  # called by name: `Bob, that hurt`
        if number and number == len(clauses) - 1 and not clause.mask & ~lattice.initials:
            clause = Clause("chat", clause.mask, 0, clause.mark)  # signed `M`
        clause = _without_vetoes(lattice, _without_the_called(lattice, clause))
        ordered = any(one.sort == "order" and one.meant for one in judged_now)
        following = next((one for one in clauses[number + 1 :] if one.sort != "chat"), None)
        if clause.mark == ":" and clause.doubts - {"correct"} and following and following.sort == "order":
            clause = replace(clause, sort="doubt")
        elif clause.doubts and clause.doubts <= set(BACKWARD) and not ordered and _harmless(clause, clauses):
            sort: Sort = "order" if clause.meant & lattice.named else "chat"
            clause = Clause(sort, clause.mask, clause.meant if sort == "order" else 0, clause.mark)
        elif (
            clause.mark == ":"
            and clause.sort != "correction"
            and following
            and following.sort == "order"
            and _attributes(lattice, clause)
        ):
            clause = Clause("doubt", clause.mask, 0, clause.mark, frozenset(("attributed",)))
        elif ordered and _denies_name(lattice, clause) and judged_now[-1].mark == ",":
            clause = Clause("doubt", clause.mask, 0, clause.mark, frozenset(("correct",)))  # `kills Green, no Blue`
        elif _only_names(lattice, clause) and judged_now and _remarks(lattice, judged_now[-1]):
            clause = Clause("doubt", clause.mask, 0, clause.mark, frozenset(("vague",)))  # `Nice place, the Shades`
        elif (
            clause.sort == "order"
            and not clause.meant & ~(lattice.named | lattice.persons | lattice.initials | lattice.weak)
            and ordered
            and not following
            and judged_now[-1].sort == "chat"
            and judged_now[-1].mask & lattice.speech["closing"]
        ):
            clause = replace(clause, sort="chat", meant=0)  # `Best, Rosie`
        elif clause.sort == "order" and clause.meant and not clause.meant & ~lattice.bare_no():
            behind = clauses[number + 1] if clause.mark == "," and number + 1 < len(clauses) else None
            if ordered and (_says_nothing_known(lattice, judged_now[-1], ",") or _says_nothing_known(lattice, behind)):
                clause = Clause("doubt", clause.mask, 0, clause.mark, frozenset(("correct",)))  # `aspetta, no`
            elif (
                ordered and following and following.sort == "order" and clause.mark != "\n" and _is_no(lattice, clause)
            ):
                clause = Clause("correction", clause.mask, 0, clause.mark, frozenset(("correct",)))
            elif not ordered and any(later.meant for later in clauses[number + 1 :]):
                clause = Clause("order", clause.mask, 0, clause.mark)
        elif clause.sort == "order" and not clause.meant & ~lattice.persons and judged_now:
            before = judged_now[-1]
            if before.sort == "chat" and before.mark == "," and before.mask & ~lattice.union("yes"):
                # called by name: `Well done, Red`
                clause = replace(clause, sort="chat", meant=0)
        judged_now.append(clause)
    return judged_now


def _without_the_called(lattice: Lattice, clause: Clause) -> Clause:
    """A refusal without whom it speaks to: `no way Ann`, `no thanks Bob`; a bare `no Ann` may mean that it is not Ann."""
    refusal, people = clause.meant & lattice.union("no"), clause.meant & lattice.persons
    called = refusal.bit_count() > 1 and people > refusal and not clause.meant & ~(refusal | people)
    return replace(clause, meant=refusal) if clause.sort == "order" and called else clause


def _is_no(lattice: Lattice, clause: Clause) -> bool:
    """Whether a clause is a bare `no`: who says `no thanks` or `nothing` declines what is offered."""
    return len(words := lattice.words(clause.meant)) == 1 and words[0] in NO


def _denies_name(lattice: Lattice, clause: Clause) -> bool:
    """Whether a clause says `no` and a name, so that it may be either of the two."""
    first = clause.meant & -clause.meant
    names = (lattice.named | lattice.persons) & ~union(lattice.nouns.values())
    return bool(
        first & lattice.bare_no() and not clause.veto and clause.meant & names and not clause.meant & ~(names | first)
    )


def _says_nothing_known(lattice: Lattice, clause: Clause | None, mark: str = "") -> bool:
    """Whether a clause consists of words that nobody knows, and ends in a mark."""
    if clause is None or clause.sort != "chat" or (mark and clause.mark != mark):
        return False
    return not clause.mask & (lattice.heard | lattice.union("yes"))


def _only_names(lattice: Lattice, clause: Clause) -> bool:
    """Whether a clause is nothing but names."""
    return (
        clause.sort == "order"
        and bool(clause.meant & lattice.named)
        and not clause.meant & ~(lattice.named | lattice.initials)
    )


def _remarks(lattice: Lattice, clause: Clause) -> bool:
    """Whether a clause talks of something, and goes on behind a comma."""
    return clause.sort == "chat" and clause.mark == "," and bool(clause.mask & lattice.speech["topics"])


def _without_vetoes(lattice: Lattice, clause: Clause) -> Clause:
    """The clause with what it says is not to be apart: `not X but Y`, `not X`, `rather than X`, `instead of X`."""
    names = lattice.named | lattice.persons
    if clause.sort == "chat" or not clause.mask & names:
        return clause
    places = [place for place in range(clause.mask.bit_length()) if clause.mask >> place & 1]
    texts = lattice.words(clause.mask)
    veto = 0
    refusing = {edge.start for edges in lattice.refusals.values() for edge in edges if edge.mask & clause.mask}
    for number, text in enumerate(texts):
        end = len(texts)
        if places[number] in refusing and lattice.all:
            pass  # `hang on to Gaspode, discard the rest`
        elif text == "not" and "but" in texts[number:]:
            end = number + texts[number:].index("but") + 1
        elif text == "not" and number:
            if sum(1 << place for place in places[number + 1 :]) & lattice.game & ~names:
                continue  # `I will not play Groat`
        elif text in EXCEPT and not ALL.isdisjoint(texts[:number]):
            pass  # `everything but Modo`
        elif text not in ("instead", "not") and texts[number : number + 2] != ["rather", "than"]:
            continue
        for place in places[number:end]:
            veto |= 1 << place
    if (
        not veto & names
        or clause.doubts - {"correct", "hedge", "condition"}
        or (clause.doubts & {"hedge", "condition"} and ALL.isdisjoint(texts))
    ):
        return clause
    meant = clause.mask & (lattice.game & ~lattice.light | lattice.all)
    return replace(clause, sort="order", meant=meant, veto=veto, doubts=frozenset())


def _harmless(clause: Clause, clauses: list[Clause]) -> bool:
    """Whether there is nothing in the mail that words at its head can take back, or they speak of another mail."""
    return "earlier" in clause.doubts or clause.doubts == {"correct"} or not any(one.meant for one in clauses)


def _attributes(lattice: Lattice, clause: Clause) -> bool:
    """Whether what stands before a colon may say that the words behind it are somebody else's, or not meant."""
    if clause.sort == "chat":
        free = lattice.light | lattice.speech["neutral"] | lattice.union("yes")
        rest = clause.mask & ~free
        strangers = rest & ~(lattice.speech["said"] | lattice.persons | lattice.union("no"))
        if lattice.speech["topics"] & rest and strangers.bit_count() > 1 and strangers == rest:
            return False  # `work is mad this week, so just this:`
        return any(not lattice.tokens[place].is_number for place in range(rest.bit_length()) if rest >> place & 1)
    no = lattice.union("no")
    return not clause.meant & ~(lattice.persons | no)
