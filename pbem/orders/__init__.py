"""Reading what players write: a mail and a match give the options meant, or say why not.

A mail is understood when exactly one sequence of legal options explains every word in it that means something.

In the order of the work:

commands   mail commands told from orders
words      one form for what is written in many
lexicon    a game's verbs, nouns and names
speech     what everyday words say about an order (`data/*.txt`)
lattice    a mail's words with all that each may stand for
statement  the first pass over a whole mail: order, chat, correction, doubt
ways       what may say one option
readings   what a decision's options explain where it stands
search     the sequences of options
reader     a mail read, or what is in doubt
marks      what a tapped link carries of its decision
refusal    the rule that forbids what some words say, and what would be right
referee    the rules of play by mail: orders carried out
outcome    orders being carried out, and what came of them
"""
