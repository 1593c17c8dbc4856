"""Answers to windows given in advance: how they are read, and what they say."""
