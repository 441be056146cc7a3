"""Taking the steps of a match, and telling once what becomes of keeping it."""

from __future__ import annotations

from collections.abc import Callable

from diloti.tui.session import Session
from diloti.tui.store import StoreError
from diloti.words import Words
from diloti.words.telling import capitalized


class Keeper:
    """Whether and where the match of a session is kept, as far as its players have been told."""

    def __init__(self, words: Words, session: Session) -> None:
        self._words = words
        self._session = session
        self._file = session.kept
        self._is_expected = session.has_store
        self.is_kept = session.kept is not None

    def take(self, step: Callable[[], object]) -> list[str]:
        """Take a step of the session; what has to be told where it is no longer kept as before."""
        told = []
        try:
            step()
            self.is_kept = self._is_expected = self._session.kept is not None
        except StoreError as trouble:
            if self._is_expected:
                told.append(capitalized(self._words.error(trouble)))
                told.append(self._words.say("The game goes on without being kept."))
            self.is_kept = self._is_expected = False
        before, self._file = self._file, self._session.kept
        if before not in (None, self._file) and not self._session.match.is_over:
            told.append(
                self._words.say(
                    "Another program has changed the saved match. This one is now kept as {file}.",
                    file=self._file,
                )
            )
        return told
