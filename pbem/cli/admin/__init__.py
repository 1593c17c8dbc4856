"""The commands of the moderator: a thin skin on `pbem.moderator`."""
