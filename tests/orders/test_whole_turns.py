"""Random whole turns, written as mails: exactly what was written is chosen, or the writer is asked."""

from __future__ import annotations

import random
import time

import pytest

from games.ankh_morpork.game import GAME
from games.ankh_morpork.match import Match
from pbem.orders.lexicon import lexicon
from pbem.orders.outcome import Play, Presets
from pbem.orders.referee import CAUSES, carry_out
from pbem.protocol import Option

WORDS = GAME.vocabulary
SEPARATORS = ("\n", "\n", "; ", ", ", " then ", " and ", ". ")
#: Symbols of which each is offered even where another could not be done, so that a bare `skip` may mean either.
GAINS = ("money", "scroll")


def start_of_a_turn(chance: random.Random) -> Match:
    """A game some turns old, at the beginning of a turn."""
    match = Match.new(chance.choice((2, 3, 4)), chance.randbytes(32))
    turns = chance.randrange(1, 14)
    while match.pending and (
        match.turn < turns or match.pending[0].kind != "turn" or match.pending[0].seat != match.actor
    ):
        decision = match.pending[0]
        bold = chance.random() < 0.2
        bot = GAME.bot(match.view(decision.seat), decision, chance.randbytes(32))
        match.choose(decision.seat, chance.choice(decision.options) if bold else bot)
    return match


class Written:
    """A turn played at random, and what its player writes: what goes by itself only now and then."""

    def __init__(self, match: Match, chance: random.Random) -> None:
        self.chosen: list[str] = []
        self.said: list[str] = []
        #: Whether something came up that nobody could write about.
        self.foreign = False
        own: set[object] = set()
        unsaid: list[tuple[list[str], str]] = []
        play = Play(GAME, match, match.actor, Presets())
        while play.match.pending and not play.turn_over:
            decision = play.decision
            if decision is None:
                if not play.preset_others():
                    break
                continue
            causes = {decision.facts[fact] for fact in CAUSES if decision.facts.get(fact)}
            if not play.just_begun and (decision.window or (play.revealed and not causes <= own)):
                self.foreign = True
                option = play.preset(decision)
                if option is None:
                    break
                play.take(option)
                continue
            options = [o for o in decision.options if decision.kind not in GAINS or o is not decision.decline]
            option = chance.choice(options)
            own |= {mention.name for mention in lexicon(WORDS).phrase(option.text).mentions}
            if decision.auto is not None and option.text == decision.auto.text and chance.random() < 0.6:
                unsaid.append(([o.text for o in decision.options], option.text))
            else:
                while any(option.text in offered for offered, _ in unsaid):
                    self.said.append(unsaid.pop(0)[1])  # else this would be read as the answer to that
                unsaid.clear()
                self.said.append(option.text)
            self.chosen.append(option.text)
            play.take(Option(option.text))

    def mail(self, chance: random.Random) -> list[str]:
        """The lines of a mail."""
        separator = chance.choice(SEPARATORS)
        return separator.join(form(text, chance) for text in self.said).split("\n")


def form(text: str, chance: random.Random) -> str:
    """An order text in other words: aliases, synonyms, no verb, small letters, politeness."""
    phrase = lexicon(WORDS).phrase(text)
    for mention in phrase.mentions:
        aliases = WORDS.names.get(mention.kind, {}).get(mention.name, ())
        known = [alias for alias in aliases if len(alias) > 3 and not any(map(str.isdigit, alias))]
        if known and chance.random() < 0.25:
            text = text.replace(mention.name, chance.choice(known).replace("-", " "), 1)
    manner = chance.random()
    rest = text.removeprefix(phrase.verb).strip()
    if text.startswith(f"{phrase.verb} ") and manner < 0.2:
        synonyms = [verb for verb in WORDS.verbs[phrase.verb] if not any(map(str.isdigit, verb))]
        text = f"{chance.choice(synonyms) if synonyms else phrase.verb} {rest}"
    elif manner < 0.35 and phrase.verb in ("play", "minion", "target", "calm", "build", "discard"):
        text = rest
    text = text.lower() if chance.random() < 0.3 else text
    front = chance.choice(("please ", "then ", "ok, ", "I'll ", "first ")) if chance.random() < 0.1 else ""
    behind = chance.choice((" please", " thanks", "!", " :)")) if chance.random() < 0.1 else ""
    return front + text + behind


def came_of(seed: int) -> str:
    """`same`, `asked`, `stopped`, or what was chosen instead; with `foreign` where something came up."""
    chance = random.Random(seed)
    match = start_of_a_turn(chance)
    written = Written(match, chance)
    if not written.said:
        return "same"
    outcome = carry_out(GAME, match, match.actor, written.mail(chance))
    chosen = [text for seat, text, _ in outcome.added if seat == match.actor]
    if sorted(text for text in chosen if text != "pass") == sorted(written.chosen):
        return "same"
    if chosen == written.chosen[: len(chosen)]:
        return "foreign" if written.foreign else "asked" if not chosen else "stopped"
    return f"{chosen} in place of {written.chosen}"


@pytest.mark.parametrize("block", range(4))
def test_a_random_turn_is_done_as_written_or_asked_about(block: int) -> None:
    results = [came_of(seed) for seed in range(100 * block, 100 * (block + 1))]
    assert set(results) <= {"same", "foreign", "asked", "stopped"}
    own = [result for result in results if result != "foreign"]
    assert own.count("same") >= 0.97 * len(own)


HOSTILE = (
    "play " + "moniker " * 120,
    "minion dimwell, " * 60,
    "and " * 250,
    "skip " * 60,
    "minion " * 60,
    "swap red in dimwell with green in the hippo " * 6,
    "swap " * 50,
    "use dimwell minion hippo " * 14,
    "minoin dimwel " * 20,
    "a:" * 200,
    "play groat\nno wait, play boggis\n" * 12,
    "not groat but boggis " * 15,
    "kill him there " * 20,
    " ".join(map(str, range(60))),
    "z" * 20000,
)
#: A position in which any two of some forty minions may be swapped.
CROWDED = "4 players | red* $40 holds the-bursar, groat | events riots | " + " | ".join(
    f"{area} R G B Y" for area in WORDS.names["area"]
)


@pytest.mark.parametrize("text", HOSTILE, ids=[text[:30] for text in HOSTILE])
def test_no_text_takes_long_to_read(text: str) -> None:
    match = Match.from_position(CROWDED)
    match.choose(match.actor, Option("play The Bursar"))
    while match.pending[0].kind != "swap":
        match.choose(match.pending[0].seat, match.pending[0].default)
    started = time.process_time()
    carry_out(GAME, match, match.actor, text.split("\n"))
    assert time.process_time() - started < 0.5
