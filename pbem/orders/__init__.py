"""Reading what players write: a line and a decision give the option meant, or say why not.

words       one form for what is written in many; speech, clauses: what everyday English says about an order
commands    commands, orders and remarks told apart; intent: those that do not begin like an order
lexicon     a game's verbs and names, ready to be looked up
reading     one order compared with the options; match: one line, which may hold several; closest: what is near
play        orders being carried out, and what came of them, for `pbem.orders.referee`
"""
