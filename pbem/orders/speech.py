"""Words of everyday English, by what they say about an order: that it is one, that it may be one, that it is none."""

from __future__ import annotations

from pbem.orders.words import POLITE, SMALL_TALK, bag


def phrases(text: str) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(phrase.split()) for phrase in text.split(" / "))


#: Taken off before an order: politeness, sequence, the first person.
FRONT = POLITE | bag(
    "kindly plaese plese pleas hmm oh hey dear yes yep sure right alright great afterwards thirdly third last after that meanwhile well be is "
    "are am heres orders order with choose decide decided need"
)
#: The same in several words; `move` by itself is an order word.
FRONT_PHRASES = phrases(
    "my move / my moves / my turn / my order / my orders / my action / my actions / my plan / my choice / my go / "
    "good morning / good evening / good afternoon / for my turn / for this turn / this turn / on my turn / this time / here is / here are / here we go / go ahead / "
    "as follows / going to / would like to / after that / thank you / id like to / i would like to"
)
#: These among them make an order of what follows wherever they stand.
ASKING_FOR_IT = bag("please pls plz plse kindly plaese plese pleas")
#: A sentence that begins with one of these may have an order behind its first comma.
GREETING = bag(
    "hi hello hey dear thanks thx thank cheers sorry ok okay yes yep sure right alright great hmm oh"
)
#: Said of what is not decided yet: with one of these in front nothing is carried out.
HEDGES = bag(
    "want maybe perhaps probably possibly think guess suppose believe might may can could would rather prefer hope wish "
    "love about you should better"
)
#: The same anywhere in a sentence.
UNCERTAIN = bag(
    "if unless when whenever until while otherwise later soon tomorrow someday sometime eventually"
)
UNCERTAIN_PHRASES = phrases(
    "next turn / next time / next round / next week / next month / next game / next year / 1 day / some day / "
    "in case / as soon"
)
#: Said of what is not to happen, or is over.
NEGATION = bag(
    "not never dont doesnt didnt cannot cant couldnt wont wouldnt shouldnt isnt wasnt havent hasnt neither nor without "
    "nobody hardly"
)
PAST = bag("yesterday ago already was were had did said says told asked wrote")
PAST_PHRASES = phrases("last turn / last time / last round / last week / last night / last game / last month")
#: Left out behind an order.
TAIL_PHRASES = phrases(
    "please / pls / plz / plse / thanks / thank you / thx / ty / cheers / ok / okay / now / then / too / kindly / "
    "for me / for now / today / if possible / this turn / this time / as well"
)
#: Behind a word that takes nothing: `end the turn`, `skip this`.
POINTING = bag("this that it turn my me go rest")
#: They begin like orders and are none.
IDIOMS = phrases(
    "well done / no trouble / no trouble at all / kill joy / good move / nice move / nice play / fair play / no way / "
    "no worries / no problem / no idea / pay attention / stop it"
)
#: In front of an order word they make a noun of it: `a good move in The Shades`.
BEFORE_NOUNS = bag(
    "good nice great bad big lovely clever your his her their our its that this what which "
    "another every each like love hate enjoy see"
)
#: Words that are one or two letters off an order word or a name, and no slip of the pen.
COMMON = (
    SMALL_TALK
    | POLITE
    | bag(
        "accent acting action active adding along author band barn beep bend bill blank bold border born boss "
        "bread built bump burden burrows bury bust calling came cancel cannot caption carry cart case catch "
        "causes certain chain change changes changing charge checks cherry choice chose chosen claims clash clean "
        "clears close cold collar color command common contract corner cost counting course courts crash curves "
        "dash dead delivery dell demand depth dill dollar dope double drag drawn dread drew dust east ended "
        "ending error expansion extensions fast fell fill finding five flesh floor fold folder follow food forget "
        "gave gill given god gods goes golf gone goods greed gust handling hang hard harder hash head held hell "
        "hallo halo hill hola holder hole honey hood horse host hurry interest jose junior keen kick kiln kilt lake land larger "
        "lays lead leading lean lend likely live lives loading longer looking loose lore loser loss lost love "
        "lust machine make making mansion marry mass match mean mend mention mill million minions mission mistake "
        "mode mole moment monk monkey most mouse movie moving must names needed nick nine nose note occurs old "
        "opinion orders pack palace pals parity participant past patch peace pending percent pinion placed plaice "
        "plan plane plate poll poster pray present prevent project protector protest pump quit quite race rage "
        "ranger rate rather raw reader ready real reap rear reject relate remain removal repeat return ring road "
        "role roots rose rules rust rusty sale salve same sand sane say scare school screen seed self sending "
        "sent series shadow shapes share shared shares shave sherry ship shirt shop shore showing sick sill ski "
        "skill skin slave slip smart smooth snap soap sold space spaces spark sparse spell spend stale star stare "
        "stark stars state states stay step stores stream strict stub swift systems tab table taken takes tale "
        "taught tell tend themes theory thread threat thrown throws till times told toll tools top tops tracks "
        "trust unable vast vendor waiting wake wash wave weather while willing wonder words worse write zone"
    )
)
