"""A simple computer player, which knows what its seat knows."""
