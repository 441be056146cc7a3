"""The teacher: lessons, hints with their reasons, and the review of a match.

It knows no page and no terminal: it looks at positions and says what there is to learn from them.
"""
