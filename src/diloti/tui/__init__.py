"""The game in a terminal: full screen with Textual, or line by line."""
