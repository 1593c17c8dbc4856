"""The state of a match: the board and its pieces, hands, dice, what is told of them, and the notation of a position."""
