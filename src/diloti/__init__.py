"""Diloti (Δηλωτή), the Greek card game: exact rules, bots, and a game for the terminal."""

__version__ = "0.1.0"
