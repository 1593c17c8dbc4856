"""Reading what players write: a mail and a match give the options meant, or say why not.

A mail is understood when exactly one sequence of legal options explains every word in it that means something.

words      one form for what is written in many; speech: what everyday words say about an order (`data/*.txt`)
lexicon    a game's verbs, nouns and names; lattice: a mail's words with all that each may stand for
statement  the first pass over a whole mail: order, chat, correction, doubt
ways       what may say one option; readings: what a decision's options explain where it stands
search     the sequences of options; reader: a mail read, or what is in doubt
outcome    orders being carried out, and what came of them; referee: the rules of play by mail
commands   mail commands told from orders
"""
