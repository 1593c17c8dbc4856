"""What a moderator can do and see, as functions that take and give plain values."""
