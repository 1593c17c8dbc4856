"""What can be asked about the game in plain words: the rules, everything with a name, and the position on the table."""
