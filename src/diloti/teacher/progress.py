"""How far a learner has come, as a short text that a browser or a file keeps."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from diloti.teacher.lessons import COURSE, PLACES, Place

_LONGEST = 1000
_PART = re.compile(r"([a-z]{1,20})-([0-9a-f]{1,4})")


@dataclass(frozen=True)
class Progress:
    """The steps that have been solved, and the one solved last."""

    solved: frozenset[Place] = field(default=frozenset())
    last: Place | None = None

    def with_solved(self, place: Place) -> Progress:
        """The progress after one more step."""
        return Progress(self.solved | {place}, place)

    @property
    def is_empty(self) -> bool:
        """Whether nothing has been solved."""
        return not self.solved

    @property
    def is_complete(self) -> bool:
        """Whether everything has been solved."""
        return len(self.solved) == len(PLACES)

    @property
    def next(self) -> Place | None:
        """Where to go on: the next step that is not solved, from the last one on; None at the
        end of all."""
        start = 0 if self.last is None else PLACES.index(self.last) + 1
        around = (*PLACES[start:], *PLACES[:start])
        return next((place for place in around if place not in self.solved), None)

    def count(self, key: str) -> int:
        """How many steps of a lesson are solved."""
        return sum(lesson == key for lesson, _number in self.solved)


def format_progress(progress: Progress) -> str:
    """The progress as a text: each lesson with its solved steps as bits, then the last step."""
    parts = []
    for lesson in COURSE:
        bits = sum(1 << number - 1 for key, number in progress.solved if key == lesson.key)
        if bits:
            parts.append(f"{lesson.key}-{bits:x}")
    if progress.last is not None:
        key, number = progress.last
        parts.append(f"at-{key}-{number:x}")
    return ".".join(parts)


def parse_progress(text: str) -> Progress:
    """The progress that a text tells; what makes no sense in it is passed over."""
    solved, last = set(), None
    for part in text[:_LONGEST].strip().split("."):
        where, is_last = part.removeprefix("at-"), part.startswith("at-")
        found = _PART.fullmatch(where)
        if found is None:
            continue
        key, number = found[1], int(found[2], 16)
        if is_last:
            last = (key, number) if (key, number) in PLACES else last
        else:
            solved |= {place for place in PLACES if place[0] == key and number >> place[1] - 1 & 1}
    return Progress(frozenset(solved), last)
