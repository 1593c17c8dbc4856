"""The box: cards, areas, random events and personalities."""
