"""The words of the game: what players write, and what is told."""
