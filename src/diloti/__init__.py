"""Diloti, the Greek card game."""
