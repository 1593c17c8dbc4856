"""What happens to a running game: load it, apply orders, ask, write the letters, undo, roll back, replay."""
