"""A review as it is asked for on the command line: the files are checked first, then written."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from diloti.core.errors import N_
from diloti.core.match import Match
from diloti.lab.duelling import DuelError, check_pictures, check_writable
from diloti.teacher.review import MatchReview
from diloti.teacher.review_json import write_review
from diloti.words import Words
from diloti.words.files import check_other
from diloti.words.telling import seat_names, side_name

_PICTURES = (".png", ".svg")


@dataclass(frozen=True)
class ReviewFiles:
    """The files that a review is written into, as far as they are asked for."""

    page: Path | None = None
    json: Path | None = None
    picture: Path | None = None

    def check(self, record: Path) -> None:
        """Raise an error where one of them cannot be written; what is in them stays.

        `record` is the file that is reviewed.
        """
        if self.picture is not None and self.picture.suffix.lower() not in _PICTURES:
            raise DuelError(
                N_("{file} must end in {known}"), file=self.picture, known=" / ".join(_PICTURES)
            )
        files = [file for file in (self.page, self.json, self.picture) if file is not None]
        for file in files:
            check_other(file, record)
            check_writable(file)
        if len({file.resolve() for file in files}) < len(files):
            raise DuelError(N_("every kind of file needs a name of its own"))

    def check_tools(self) -> None:
        """Raise `NoPicturesError` where a picture is asked for and none can be drawn."""
        if self.picture is not None:
            check_pictures()

    def write(self, words: Words, match: Match, review: MatchReview) -> None:
        """Write all that is asked for."""
        if self.page is not None:
            from diloti.lab.review_page import review_page

            page = review_page(words, match, review)
            self.page.write_text(page, encoding="utf-8")
        if self.json is not None:
            text = json.dumps(write_review(review), ensure_ascii=False, allow_nan=False)
            self.json.write_text(text + "\n", encoding="utf-8")
        if self.picture is not None:
            from diloti.lab.review_picture import draw_review

            names = seat_names(words, match.names)
            sides = side_name(words, names, 0), side_name(words, names, 1)
            draw_review(words, review, sides, self.picture)
