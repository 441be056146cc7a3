"""Data sets of games that bots play: made part by part, gone on with, read, and checked.

`docs/data.md` says what is in them.
"""
