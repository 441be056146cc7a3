"""The game on the full screen, with Textual."""
