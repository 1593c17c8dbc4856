"""The commands: each module parses, calls and prints; no logic is here."""
