"""The transcript of docs/plain.md: one deal line by line, as a terminal shows it.

`python -m tests.transcript` writes it anew.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

from diloti.tui.plain.game import run_plain
from tests.scripted import ENGLISH, GREEDY, MARIA, Typist, new_session

DOCUMENT = Path(__file__).parent.parent / "docs" / "plain.md"
ASIDES = {0: ["?"], 1: ["lay Jd", "plays"], 6: ["last", "score"], 10: ["lay 9d"]}
"""What Maria types before some of her plays, by their number: questions and mistakes."""

_SEED = 21
_HEAD = """# The game line by line

`diloti play --plain` runs the game line by line, for screen readers, for pipes and for terminals
that can do nothing else; it starts by itself where the output is no terminal. This is one deal of a
match to one point: what follows a question mark or a prompt is what Maria typed. She asks for help,
for the plays she has, and twice tries something that is not allowed.

Plays are typed in the [notation](notation.md), or by the number of an offered play, or by naming
cards. A card that can do several things is never played without asking: `lay 5h` lays it.

```text
"""


class EchoingTypist(Typist):
    """A typist at a terminal, which shows what is typed."""

    def __init__(self, target: io.StringIO) -> None:
        super().__init__(new_session(MARIA, GREEDY, seed=_SEED, target=1))
        self._target = target
        self._lines = self._type()

    def readline(self, _most: int, /) -> str:
        line = next(self._lines)
        self._target.write(line)
        return line

    def _type(self) -> Iterator[str]:
        played = 0
        while True:
            for aside in ASIDES.get(played, []) if self.session.turn is not None else []:
                yield f"{aside}\n"
            played += 1
            yield super().readline(0)


def transcript() -> str:
    """The whole document."""
    target = io.StringIO()
    typist = EchoingTypist(target)
    run_plain(ENGLISH, typist.session, typist, target, interactive=True)
    return _HEAD + target.getvalue().rstrip() + "\n```\n"


if __name__ == "__main__":
    DOCUMENT.write_text(transcript(), encoding="utf-8")
