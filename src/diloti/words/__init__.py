"""The sentences for people, in every language of the game.

Sentences are whole in each language and never glued from pieces; what is filled into them are
cards, numbers and names. The catalogues are in `catalogues/`.
"""

from diloti.words.language import LANGUAGES, LanguageError, Words, pick_language

__all__ = ["LANGUAGES", "LanguageError", "Words", "pick_language"]
