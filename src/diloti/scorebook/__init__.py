"""The score sheet for people who play with real cards: what each deal counts, and who has won.

It knows no page, terminal, clock or chance. What several devices write is joined without loss.
"""
