"""Files that every later version must read, and whole deals as each seat sees them.

`records`, `positions` and `views` are as the first version wrote them and never change; a new form
gets new files beside them. `playthroughs` are written by `python -m tests.golden.make`.
"""
