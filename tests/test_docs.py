"""The examples of docs/notation.md: the engine answers as printed, and the rest is true as well."""

from __future__ import annotations

import contextlib
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from diloti.core.notation import format_card, format_play, parse_card, parse_play
from diloti.core.record import format_record
from diloti.core.record_reader import parse_record
from diloti.core.rules import TAVERNA
from diloti.core.scoring import Sheet
from diloti.core.view import View
from diloti.core.wire import read_position, read_rules, write_position, write_view
from diloti.engine import OPERATIONS, answer
from tests.transcript import DOCUMENT, transcript

NOTATION = (Path(__file__).parent.parent / "docs" / "notation.md").read_text(encoding="utf-8")


def fences(language: str) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", NOTATION, flags=re.MULTILINE | re.DOTALL)


def section(heading: str) -> str:
    """The text of a section with all that is below it."""
    level = heading.split(" ")[0]
    found = re.search(
        rf"^{re.escape(heading)}\n(.*?)(?=^#{{1,{len(level)}}} |\Z)",
        NOTATION,
        flags=re.MULTILINE | re.DOTALL,
    )
    assert found, heading
    return found[1]


def unfolded(block: str) -> list[str]:
    """The messages of an example: a line that is indented continues the one before."""
    messages: list[str] = []
    for line in block.splitlines():
        if line.startswith("    "):
            messages[-1] += " " + line.strip()
        else:
            messages.append(line)
    return messages


def dialogues() -> Iterator[tuple[str, str]]:
    """Every request of the examples and the answer printed below it."""
    for block in fences("text"):
        messages = unfolded(block)
        if not messages[0].startswith("> "):
            continue
        for request, reply in zip(messages[::2], messages[1::2], strict=True):
            assert request.startswith("> ")
            assert reply.startswith("< ")
            yield request[2:], reply[2:]


def as_printed(got: str, printed: str) -> bool:
    """Whether a text is the printed one; `…` stands for anything."""
    return re.fullmatch(".*".join(map(re.escape, printed.split("…"))), got) is not None


DIALOGUES = list(dialogues())


@pytest.mark.parametrize("number", range(len(DIALOGUES)))
def test_the_engine_answers_as_printed(number: int) -> None:
    request, printed = DIALOGUES[number]
    got = json.dumps(answer(request), ensure_ascii=False)
    assert as_printed(got, printed), f"\nprinted {printed}\nengine  {got}"


def test_every_operation_and_kind_of_error_has_an_example() -> None:
    requests = [json.loads(request) for request, _ in DIALOGUES if request.endswith("}")]
    assert {request["op"] for request in requests} >= set(OPERATIONS)
    codes = {answer(request).get("error", {}).get("code") for request, _ in DIALOGUES}
    assert codes >= {"bad_json", "bad_request", "illegal_play"}


def test_every_operation_and_error_is_in_a_table() -> None:
    table = re.findall(r"^\| `(\w+)` \|", section("## Engine protocol"), flags=re.MULTILINE)
    assert set(table) >= set(OPERATIONS)
    errors = set(re.findall(r"^\| `(\w+)` \|", section("### Errors"), flags=re.MULTILINE))
    assert errors - {"code"} == {
        *("bad_json", "bad_request", "bad_position", "illegal_play", "too_many", "unknown_bot")
    }


def test_the_table_of_fields_is_complete() -> None:
    text = section("## Position")
    named = {
        name
        for row in re.findall(r"^\| (`.*?) \|", text, flags=re.MULTILINE)
        for name in re.findall(r"`(\w+)`", row)
    }
    [example] = re.findall(r"^```json\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    written = write_position(read_position(json.loads(example)))
    assert named == set(written) | {"shown", "history"}


def test_views_have_the_fields_that_the_page_says() -> None:
    fields = {"format", "seat", *json.loads(fences("json")[1]), "history"}
    examples = [json.loads(reply)["view"] for _, reply in DIALOGUES if '"view": {' in reply]
    assert examples
    for view in examples:
        assert set(view) - {"shown"} == fields
    assert write_view.__annotations__["view"] == View.__name__


def test_examples_of_rule_sets_and_cards() -> None:
    rules = read_rules(json.loads(fences("json")[0]))
    assert (rules.players, rules.xeri_points, rules.target) == (2, 5, TAVERNA.target)
    cards = section("## Cards")
    order = re.search(r"`(Ac Ad .*?) …", cards)
    assert order
    assert [format_card(card) for card in range(6)] == order[1].split()
    for text in ("TD", "10d", "10♦"):
        assert f"`{text}`" in cards
        assert parse_card(text) == parse_card("Td")


def test_examples_of_plays() -> None:
    text = section("## Plays")
    rows = re.findall(r"^\| \w+ \| [^|]* \| (.*?) \|$", text, flags=re.MULTILINE)
    plays = [play for row in rows for play in re.findall(r"`([^`]*)`", row)]
    assert len(plays) >= 6
    assert [format_play(parse_play(play)) for play in plays] == plays
    spelt = re.search(r"`([^`]*)` is read as `([^`]*)`", text.replace("\n", " "))
    assert spelt
    assert format_play(parse_play(spelt[1])) == spelt[2]


def test_the_shuffle_in_python_is_the_shuffle() -> None:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(fences("python")[0], {})
    start = printed.getvalue().strip()
    rows = re.findall(r"^\| (\d+) \| the pack begins `(.*?)` \|", NOTATION, flags=re.MULTILINE)
    assert dict(rows)["2026"] == start
    for seed, cards in rows:
        request = {"op": "deal", "rules": "classic", "dealer": 1, "seed": int(seed)}
        position = answer(json.dumps(request))["position"]
        assert sorted(position["hands"][0]) == sorted(cards.split()[:6])
        assert sorted(position["loose"]) == sorted(cards.split()[12:16])


def test_the_example_of_a_record_is_one() -> None:
    [text] = [block for block in fences("text") if block.startswith("Diloti record")]
    assert format_record(parse_record(text)) == text
    headings = section("## Match record")
    for name in Sheet.__dataclass_fields__:
        assert f"`{name}`" in headings


def test_the_transcript_of_the_plain_game_is_what_it_says_today() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == transcript()


def test_links_between_documents_lead_somewhere() -> None:
    root = DOCUMENT.parent.parent
    for page in [*root.glob("*.md"), *root.glob("docs/**/*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)[^)]*\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), (page.name, target)
