"""The game in a terminal: `full` fills the screen, `plain` goes line by line."""
