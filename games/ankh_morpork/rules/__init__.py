"""The rules: a turn, its symbols, the scrolls, the random events, the area powers, reactions, and winning."""
