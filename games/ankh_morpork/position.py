"""The one-line notation of a position: read and write.

    red* $8 | Dimwell R2 ! | The Hippo B[B] | blue holds gaspode

Segments are separated by ` | `, in any order; what is not said is empty or the default. Case does not matter.
Cards, events, personalities: id, name or alias, lists separated by commas. Areas: name or slug.

    3 players              number of seats; else the highest colour named decides (red green blue yellow), at least 2
    turn 9                 number of the turn; default 1
    red* $8                a seat: `*` marks the actor (default: red), then in any order
        $8                     money (default 0)
        is lord-rust           personality (default none: then nothing is checked at the start of the turn)
        holds a, b             hand; a number stands for that many other cards, no interrupts: `holds groat, 4`
        loans a, b             loan cards in front
        stuck a, b             stuck cards in front
        sees a, b              unused personalities seen with Mrs Cake
                               a seat may have several segments: `blue $3 | blue holds gaspode, susan`
    Dimwell R2 T D [B] ! gone
                           an area: pieces R G B Y, T troll, D demon, each with an optional count; `[B]` a building;
                           `!` a trouble marker; `gone`: its City Area card has left the game. `B[B]` may be glued
    draw a, b, 5           draw pile, top first; a number stands for that many cards not named anywhere (green first,
                           by id); default: all cards not named anywhere, green first, by id
    discards a, b, 3       discard pile, newest first; numbers as above, but brown cards first, by id
    unused a, b            unused personalities (default: all that no seat has)
    events a, b            event deck, next first (default: all twelve in the order of the data file)
    happened a, b          events that have happened, oldest first (default: none, or those missing from `events`)

A position is the state at the start of a turn, before the win check. These parts are written only in the middle of
one, in the digest and in errors:

    spot groat             the card in the play spot
    closed The Hippo       areas whose power was used, or whose card was gained, this turn
    over pile              the match is over, and why
"""
