"""Match records: they come back as they were, and whatever is wrong is refused in its line."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from functools import cache

import pytest

from diloti.core.errors import DilotiError
from diloti.core.match import Match
from diloti.core.notation import format_card
from diloti.core.record import FORMAT, Record, format_record, format_rules
from diloti.core.record_reader import LONGEST_RECORD, RecordError, parse_record, parse_rules
from diloti.core.rules import CLASSIC, TAVERNA, rules_from
from diloti.core.shuffle import Cut
from diloti.core.wire import read_rules, write_position
from tests.matches import deal_next, new_match, play_out, random_match, some_rules
from tests.strategies import random_rules
from tests.test_deal import pack_with_layout

# ------------------------------------------------------------------ both ways


def check_same(match: Match, other: Match) -> None:
    """Two matches have gone the same way and stand at the same point."""
    assert (other.rules, other.names, other.first_dealer) == (
        match.rules,
        match.names,
        match.first_dealer,
    )
    assert (other.resigned, other.winner, other.scores) == (
        match.resigned,
        match.winner,
        match.scores,
    )
    assert (other.turn, other.next_dealer) == (match.turn, match.next_dealer)
    assert len(other.deals) == len(match.deals)
    for log, again in zip(match.deals, other.deals, strict=True):
        assert (again.dealer, again.seed, again.pack, again.final) == (
            log.dealer,
            log.seed,
            log.pack,
            log.final,
        )
        assert (again.plays, again.score, again.tags) == (log.plays, log.score, log.tags)
        assert [one.events for one in again.outcomes] == [one.events for one in log.outcomes]
        assert write_position(again.position) == write_position(log.position)


def check_round_trip(seed: int) -> None:
    rng = random.Random(seed)
    match = random_match(rng, some_rules(rng))
    tags = {"Event": "Καφενείο, τραπέζι 3", "Bot 1": "random", "Empty": ""}
    record = Record(match, tags if seed % 2 else {})
    for log in match.deals:
        log.tags = {"Time": f"{seed} s", "note_1": "a: b # c"} if seed % 3 == 0 else {}
    text = format_record(record)
    again = parse_record(text)
    check_same(match, again.match)
    assert again.tags == record.tags
    assert format_record(again) == text


@pytest.mark.parametrize("seed", range(24))
def test_any_match_comes_back(seed: int) -> None:
    check_round_trip(seed)


@pytest.mark.proof
@pytest.mark.parametrize("part", range(20))
def test_any_match_comes_back_often(part: int) -> None:
    for seed in range(1000 + part * 50, 1050 + part * 50):
        check_round_trip(seed)


@pytest.mark.parametrize("base", [CLASSIC, TAVERNA])
def test_whole_matches_of_both_rule_sets(base: str) -> None:
    rng = random.Random(1)
    for bot in ("random", "greedy"):
        match = new_match(rng, base)  # type: ignore[arg-type]
        play_out(rng, match, bot=bot)
        text = format_record(Record(match))
        check_same(match, parse_record(text).match)
        assert text.endswith(f"\nResult: side {match.winner} won\n")


def test_a_match_goes_on_from_its_record() -> None:
    rng = random.Random(2)
    match = new_match(rng, rules_from("taverna", target=30))
    play_out(rng, match, plays=20)
    again = parse_record(format_record(Record(match))).match
    for one in (match, again):
        play_out(random.Random(3), one)
        assert one.is_over
    check_same(match, again)


def test_rule_sets_in_a_line() -> None:
    assert format_rules(CLASSIC) == "classic"
    assert format_rules(TAVERNA) == "taverna"
    text = "taverna, players=2, families=false, raising=never, xeri_points=5"
    rules = parse_rules(text)
    assert format_rules(rules) == text
    assert parse_rules(" taverna,players = 2 ,xeri_points=5,raising=never, families=false") == rules
    for seed in range(60):
        rules = read_rules(random_rules(random.Random(seed)))
        assert parse_rules(format_rules(rules)) == rules


@pytest.mark.parametrize(
    "text",
    [
        *("", "whist", "Classic", "classic,", "classic players=4", "classic, players", "classic;"),
        *("classic, players=", "classic, players=3", "classic, players=four", "classic, =4"),
        *("classic, hands=6", "classic, players=4, players=4", "classic, base=taverna", ","),
        *("classic, families=yes", "classic, families=1", "classic, families=True", "players=4"),
        *(
            "classic, target=0",
            "classic, target=-5",
            "classic, target=9999999999",
            "classic, self=1",
        ),
        *("classic, target=٦١", "classic, partners_show_card=true", "classic, raising=1"),
    ],
)
def test_other_lines_are_no_rule_sets(text: str) -> None:
    with pytest.raises(DilotiError):
        parse_rules(text)


# ------------------------------------------------------------------ how it is read


@cache
def finished() -> str:
    """A match of two, over after some deals."""
    rng = random.Random(5)
    match = Match(rules_from(target=40), first_dealer=0, names=["Άννα", "Борис"])
    while not match.is_over:
        deal_next(rng, match, seeded=True)
        play_out(rng, match, plays=48)
    assert len(match.deals) > 1
    return format_record(Record(match, {"Event": "a friendly one"}))


@cache
def four() -> str:
    """An unfinished match of four who show each other cards, from packs that were given."""
    rng = random.Random(6)
    rules = rules_from("taverna", partners_show_card=True, target=500)
    match = Match(rules, first_dealer=2, names=["Άννα", "Борис", "", "Zé da Silva: o 4.º"])
    while len(match.deals) < 2:
        deal_next(rng, match, seeded=False)
        play_out(rng, match, plays=48 if len(match.deals) == 1 else 22)
    return format_record(Record(match))


@cache
def redealt() -> str:
    """A match whose first layout is exchanged."""
    match = Match(CLASSIC, first_dealer=0, names=["A", "B"])
    match.deal_seed((27).to_bytes(32, "big"))
    play_out(random.Random(7), match, plays=15)
    return format_record(Record(match))


def line_of(text: str, start: str, occurrence: int = 0) -> int:
    """The number of a line that begins in some way."""
    found = [n for n, line in enumerate(text.splitlines(), 1) if line.startswith(start)]
    return found[occurrence]


def with_line(text: str, number: int, new: str | None) -> str:
    """A record with a line replaced, or left out."""
    lines = text.splitlines()
    lines[number - 1 : number] = [] if new is None else [new]
    return "\n".join(lines) + "\n"


def test_how_it_looks() -> None:
    text = redealt()
    lines = text.splitlines()
    assert lines[:8] == [
        f"Diloti record {FORMAT}",
        "Rules: classic",
        f"Fingerprint: {CLASSIC.fingerprint}",
        "Seat 0: A",
        "Seat 1: B",
        "First dealer: 0",
        "",
        "Deal 1",
    ]
    assert lines[8:10] == ["Dealer: 0", f"Shuffle: sha256-1 {27:064x}"]
    assert lines[10].startswith("Pack: ")
    assert lines[11].startswith("Layout again: 3c 5h 8h 3d ")
    assert re.fullmatch(r" 1\. \S+ +\S+", lines[13])
    assert lines[-1] == "Result: unfinished"
    assert text.isascii()
    assert all(line == line.rstrip() for line in lines)


def test_comments_blank_lines_and_spaces_do_not_matter() -> None:
    text = finished()
    lines = [f"  {line}\t" for line in text.splitlines()]
    changed = "\r\n".join(["\ufeff" + lines[0], "# a remark", "", *lines[1:], "#", "   # end"])
    again = parse_record(changed)
    assert format_record(again) == text


def test_what_can_be_left_out() -> None:
    text = finished()
    short = text
    for start in ("Fingerprint", "Seat", "First dealer", "Dealer", "Event"):
        short = re.sub(rf"(?m)^{start}.*\n", "", short)
    short = re.sub(r"(?m)^(cards|aces|ten|two|xeri|points|match|xeristaki).*\n", "", short)
    short = re.sub(r"[*~]", "", short)
    match, full = parse_record(short).match, parse_record(text).match
    assert match.names == ("", "")
    assert [log.score for log in match.deals] == [log.score for log in full.deals]
    without = re.sub(r"(?m)^First dealer.*\n", "", four())
    assert parse_record(without).match.first_dealer == 2


def test_lines_of_other_programs_are_kept() -> None:
    text = finished()
    added = text.replace("First dealer", "Site: Athens\nX-2_b: 1: 2\nNothing:\nFirst dealer")
    added = added.replace("\nDeal 2\n", "\nDeal 2\nClock: 12:30\n")
    record = parse_record(added)
    assert record.tags == {
        "Event": "a friendly one",
        "Site": "Athens",
        "X-2_b": "1: 2",
        "Nothing": "",
    }
    assert [log.tags for log in record.match.deals[:2]] == [{}, {"Clock": "12:30"}]
    assert format_record(parse_record(format_record(record))) == format_record(record)


def test_packs_from_another_shuffle_are_believed_and_named_again() -> None:
    text = redealt().replace("Shuffle: sha256-1", "Shuffle: sha512-9")
    record = parse_record(text)
    assert record.match.deals[0].seed is None
    again = format_record(record)
    assert again.count("Shuffle:") == 1
    assert f"Shuffle: sha512-9 {27:064x}\n" in again
    check_same(record.match, parse_record(again).match)


def test_names_and_tags_stay_in_their_lines() -> None:
    names = ["Zeus\nResult: side 0 won", "a\r\nDeal 1\u2028Rules: x\x85y\x0bz"]
    match = Match(CLASSIC, first_dealer=0, names=names)
    match.deal_seed(bytes(32))
    match.deal_log.tags = {"Note": "one\ntwo: three"}
    record = parse_record(format_record(Record(match, {"Event": "a\n\nb"})))
    assert record.match.names == ("Zeus Result: side 0 won", "a Deal 1 Rules: x y z")
    assert record.tags == {"Event": "a b"}
    assert record.match.deals[0].tags == {"Note": "one two: three"}


# ------------------------------------------------------------------ damage and dishonesty


def refusal(text: str) -> RecordError:
    with pytest.raises(RecordError) as refused:
        parse_record(text)
    assert str(refused.value).startswith(f"line {refused.value.line}: ")
    return refused.value


def check_line(text: str, number: int, message: str) -> None:
    error = refusal(text)
    assert message in str(error)
    assert error.line == number, str(error)


CHANGES: dict[str, tuple[Callable[[], str], str, int, Callable[[str], str], str]] = {
    # which record, the line that is changed, how, and what is said of it
    "no record": (finished, "Diloti", 0, lambda _: "Chess record 1", "this is not a match record"),
    "no format": (finished, "Diloti", 0, lambda _: "Diloti record", "this is not a match record"),
    "format in words": (finished, "Diloti", 0, lambda s: s[:-1] + "one", "this is not a match"),
    "format in other digits": (
        finished,
        "Diloti",
        0,
        lambda s: s[:-1] + "١",
        "this is not a match",
    ),
    "endless format": (finished, "Diloti", 0, lambda s: s + "0" * 5000, "this is not a match"),
    "future format": (
        finished,
        "Diloti",
        0,
        lambda _: f"Diloti record {FORMAT + 1}",
        f"this record has format {FORMAT + 1}; this program knows {FORMAT}",
    ),
    "unknown rules": (finished, "Rules", 0, lambda _: "Rules: whist", "there is no rule set"),
    "unknown switch": (finished, "Rules", 0, lambda s: s + ", wild=2", "there is no switch"),
    "impossible switch": (finished, "Rules", 0, lambda s: s + ", players=3", "players can be"),
    "other rules": (finished, "Fingerprint", 0, lambda s: s[:-1] + "?", "the fingerprint"),
    "first dealer": (finished, "First dealer", 0, lambda _: "First dealer: 2", "from 0 to 1"),
    "no first dealer": (finished, "First dealer", 0, lambda _: "First dealer: A", "from 0 to 1"),
    "no deal of that number": (finished, "Deal 2", 0, lambda _: "Deal 3", "deal 2 was expected"),
    "deal once more": (finished, "Deal 2", 0, lambda _: "Deal 1", "deal 2 was expected here"),
    "other dealer": (
        finished,
        "Dealer",
        1,
        lambda s: s[:-1] + str(1 - int(s[-1])),
        "deals here, not",
    ),
    "dealer in words": (finished, "Dealer", 0, lambda _: "Dealer: zero", "a number from 0 to"),
    "seed of another pack": (
        finished,
        "Shuffle",
        0,
        lambda s: s[:-1] + ("0" if s[-1] != "0" else "1"),
        "",
    ),
    "seed too short": (finished, "Shuffle", 1, lambda s: s[:-1], "a seed is 64 hexadecimal"),
    "seed cut off": (finished, "Shuffle", 0, lambda _: "Shuffle: sha256-1", "a seed is 64"),
    "seed with spaces": (
        finished,
        "Shuffle",
        0,
        lambda s: s.replace("sha256-1 ", "sha256-1 0 "),
        "a seed is 64",
    ),
    "two cards of the pack swapped": (
        finished,
        "Pack",
        0,
        lambda s: s[:6] + s[9:12] + s[6:9] + s[12:],
        "this is not the pack that the seed gives",
    ),
    "card of the pack doubled": (four, "Pack", 0, lambda s: s[:-2] + s[-5:-3], "exactly once"),
    "card of the pack lost": (four, "Pack", 0, lambda s: s[:-3], "exactly once"),
    "no card in the pack": (four, "Pack", 0, lambda s: s[:-1] + "x", "is not a card"),
    "exchange of the hands": (
        redealt,
        "Layout again",
        0,
        lambda s: s[:-2] + format_card(0),
        "exactly once",
    ),
    "other exchange": (
        redealt,
        "Layout again",
        0,
        lambda s: s[:-5] + s[-2:] + s[-3:-2] + s[-5:-3],
        "this is not the layout that the seed gives",
    ),
    "exchange that is none": (
        redealt,
        "Layout again",
        0,
        lambda s: s[:-1],
        "is not a card",
    ),
    "shown card of another": (four, "Shown", 0, lambda s: s[:-2] + "1x", "is not a card"),
    "shown nothing": (four, "Shown", 0, lambda s: s[:-2], "is not a card"),
    "play that cannot be read": (
        finished,
        " 3.",
        0,
        lambda s: s[:4] + "?" + s[4:],
        "is not a play",
    ),
    "wrong cards": (finished, "cards:", 0, lambda _: "cards: 4 : 4", "cards must be"),
    "wrong aces": (finished, "aces:", 1, lambda _: "aces: 2 : 3", "aces must be"),
    "wrong xeri": (finished, "xeri:", 0, lambda s: s + "0", "xeri must be"),
    "wrong points": (finished, "points:", 0, lambda s: "points: 1" + s[8:], "points must be"),
    "wrong match": (finished, "match:", 0, lambda s: s + "1", "match must be"),
    "no points": (finished, "points:", 0, lambda _: "points:", "points must be"),
    "points before the end": (four, "Result", 0, lambda s: f"points: 0 : 0\n{s}", "points must be"),
    "other winner": (
        finished,
        "Result",
        0,
        lambda s: s.replace("side 0", "side 9").replace("side 1", "side 0").replace("9", "1"),
        "Result must be",
    ),
    "unfinished": (finished, "Result", 0, lambda _: "Result: unfinished", "Result must be"),
    "resigned after the end": (
        finished,
        "Result",
        0,
        lambda _: "Result: seat 0 resigned",
        "the match is over",
    ),
    "won too early": (four, "Result", 0, lambda _: "Result: side 0 won", "Result must be"),
    "resigned by nobody": (four, "Result", 0, lambda _: "Result: seat 4 resigned", "from 0 to 3"),
    "result that says nothing": (four, "Result", 0, lambda _: "Result:", "Result must be"),
    "rubbish": (finished, "Deal 2", 0, lambda _: "what is this?", "this line is neither"),
    "binary rubbish": (finished, "aces", 0, lambda _: "\0\x01\ud800\x7f", "this line is neither"),
    "no colon": (finished, "aces", 0, lambda _: "aces 1 : 3", "this line is neither"),
    "no space": (finished, "Event", 0, lambda _: "Event:now", "this line is neither"),
    "long name": (finished, "Event", 0, lambda _: f"{'E' * 41}: now", "this line is neither"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_line_is_refused(name: str) -> None:
    make, start, occurrence, change, message = CHANGES[name]
    text = make()
    number = line_of(text, start, occurrence)
    changed = with_line(text, number, change(text.splitlines()[number - 1]))
    error = refusal(changed)
    assert message in str(error)
    if name == "seed of another pack":
        number += 1  # it is the pack that does not fit
    assert error.line == number, str(error)


@pytest.mark.parametrize("start", ["Rules", "Event", "Dealer", "Pack", "aces", "Seat 0"])
def test_a_line_written_twice_is_refused(start: str) -> None:
    text = finished()
    number = line_of(text, start)
    doubled = with_line(text, number, "\n".join([text.splitlines()[number - 1]] * 2))
    name = start.split(":")[0]
    check_line(doubled, number + 1, f"{name} stands here a second time")


@pytest.mark.parametrize("line", ["Result: unfinished", "Note: late", "25. 5h", "Deal 1", "?"])
def test_nothing_comes_after_the_result(line: str) -> None:
    text = four()
    check_line(text + line, len(text.splitlines()) + 1, "nothing comes after the result")
    assert parse_record(text + "\n# but remarks\n")


def test_a_round_written_twice_or_out_of_order_is_refused() -> None:
    text = finished()
    number = line_of(text, " 5.")
    lines = text.splitlines()
    doubled = with_line(text, number, "\n".join([lines[number - 1]] * 2))
    check_line(doubled, number + 1, "round 6 was expected here")
    lines[number - 1], lines[number] = lines[number], lines[number - 1]
    check_line("\n".join(lines), number, "round 5 was expected here")
    check_line(with_line(text, number, None), number, "round 5 was expected here")


@pytest.mark.parametrize(
    ("make", "start", "message"),
    [
        (finished, "Rules", "the line “Rules: …” is missing"),
        (finished, "Pack", "the line “Pack: …” is missing"),
        (finished, "Result", "the line “Result: …” is missing"),
        (redealt, "Layout again", "the rules have this layout exchanged"),
        (finished, "Deal 1", ""),
        (finished, "Deal 2", ""),
        (finished, "Diloti", "this is not a match record"),
    ],
)
def test_a_missing_line_is_refused(make: Callable[[], str], start: str, message: str) -> None:
    text = make()
    assert message in str(refusal(with_line(text, line_of(text, start), None)))


def test_an_exchange_without_a_reason_is_refused() -> None:
    text = four()
    number = line_of(text, "Pack")
    pack = text.splitlines()[number - 1].split()[1:]
    turned = " ".join([*reversed(pack[24:])])
    again = with_line(text, number, f"Pack: {' '.join(pack)}\nLayout again: {turned}")
    check_line(again, number + 1, "the rules do not have this layout exchanged")


def test_a_given_pack_may_be_exchanged_in_any_way_that_keeps_the_hands() -> None:
    pack = pack_with_layout(CLASSIC, "Jc Jd Jh 2c")
    match = Match(CLASSIC, first_dealer=0)
    match.deal_pack(pack, [*pack[:12], *pack[16:], *pack[12:16]])
    text = format_record(Record(match))
    assert "Shuffle: given\n" in text
    check_same(match, parse_record(text).match)


def test_a_cut_record_is_refused_wherever_it_is_cut() -> None:
    text = four()
    assert parse_record(text[:-1]).match.turn is not None
    rng = random.Random(8)
    for _ in range(60):
        refusal(text[: rng.randrange(len(text) - 1)])
    lines = text.splitlines(keepends=True)
    for kept in range(len(lines)):
        refusal("".join(lines[:kept]))


def test_plays_that_were_not_made_are_refused() -> None:
    """Of each play of a deal: another card, another seat's card, and none."""
    text = finished()
    lines = text.splitlines()
    first, last = line_of(text, " 1."), line_of(text, "24.")
    for number in range(first, last + 1):
        if not lines[number - 1]:
            continue
        label, one, two = lines[number - 1].split()
        check_line(with_line(text, number, f"{label} {two} {one}"), number, "deal 1, play")
        if number < last:
            check_line(with_line(text, number, f"{label} {one}"), number, "a round has 2 plays")
        check_line(with_line(text, number, f"{label} {one} {two} {one}"), number, "")
        check_line(with_line(text, number, label), number, "")
    label, one, two = lines[last - 1].split()
    check_line(
        with_line(text, last, f"{label} {one} {two}\n25. {one}"),
        last + 1,
        "the deal is over before this play",
    )


def test_marks_are_checked() -> None:
    text = finished()
    lines = text.splitlines()
    number = next(n for n, line in enumerate(lines, 1) if "*" in line and line[2] == ".")
    line = lines[number - 1]
    check_line(with_line(text, number, line.replace("*", "~")), number, "~ does not belong here")
    assert parse_record(with_line(text, number, line.replace("*", "")))
    plain = next(n for n, line in enumerate(lines, 1) if re.fullmatch(r" ?\d+\. [^*~]*", line))
    for mark in "*~":
        wrong = lines[plain - 1] + mark
        check_line(with_line(text, plain, wrong), plain, f"{mark} does not belong here")


def test_deals_out_of_place_are_refused() -> None:
    text = finished()
    second, result = line_of(text, "Deal 2"), line_of(text, "Result")
    lines = text.splitlines()
    # the first deal ends early
    round_24 = line_of(text, "24.")
    short = "\n".join([*lines[: round_24 - 1], *lines[second - 1 :]])
    check_line(short, round_24, "the deal before this one is not played to its end")
    # a deal after the last
    count = sum(line.startswith("Deal ") for line in lines)
    more = "\n".join([*lines[: result - 1], f"Deal {count + 1}", *lines[result - 1 :]])
    check_line(more, result, "the match is over before this deal")
    late = "\n".join([*lines, f"Deal {count + 1}"])
    check_line(late, len(lines) + 1, "nothing comes after the result")


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "\n",
            " ",
            "\0",
            "\ufeff",
            "Diloti record 1",
            "Diloti record 1\n\n",
            "#\nDiloti record 1",
        ),
        *("Diloti record 1\nRules: classic", "PK\x03\x04\x00", "\ud800\udfff", "\u2028" * 9),
        *("Diloti record 1\n1. 5h\nResult: unfinished", "Diloti record -1", "Diloti record 0x1"),
        *(
            "Diloti record 1\nDeal 1\nRules: classic\nResult: unfinished",
            "x" * (LONGEST_RECORD + 1),
        ),
    ],
)
def test_other_texts_are_no_records(text: str) -> None:
    refusal(text)


def test_the_smallest_record() -> None:
    match = parse_record("Diloti record 1\nRules: classic\nResult: unfinished").match
    assert (match.rules, match.first_dealer, match.deals) == (CLASSIC, 0, [])
    resigned = parse_record("Diloti record 1\nRules: taverna\nResult: seat 3 resigned").match
    assert resigned.winner == 0


# ------------------------------------------------------------------ anything at all


def mutated(rng: random.Random, text: str) -> str:
    """A record with lines or characters changed, lost, moved or doubled."""
    lines = text.splitlines()
    for _ in range(rng.choice((1, 1, 2, 3))):
        change = rng.randrange(7)
        at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
        line = lines[at]
        place = rng.randrange(len(line) + 1)
        if change == 0 and len(lines) > 1:
            del lines[at]
        elif change == 1:
            lines.insert(other, line)
        elif change == 2:
            lines[at], lines[other] = lines[other], lines[at]
        elif change == 3:
            lines[at] = line[:place] + line[place + rng.choice((1, 1, 2, 5)) :]
        elif change == 4:
            put = rng.choice(
                ("0", "9", " ", "A", "s", "x", ":", "*", "[", "#", "\0", "é", "10", "-")
            )
            lines[at] = line[:place] + put + line[place + rng.randrange(2) :]
        elif change == 5:
            words = line.split(" ")
            words.insert(rng.randrange(len(words) + 1), words.pop(rng.randrange(len(words))))
            lines[at] = " ".join(words)
        else:
            words = lines[other].split(" ")
            lines[at] = f"{line} {rng.choice(words)}"
    return "\n".join(lines)


def record_or_error(text: str) -> Record | RecordError:
    try:
        return parse_record(text)
    except RecordError as error:
        return error


def check_mutated(seed: int) -> bool:
    """Whether a mutated record is still one; if it is, it is written as a good record."""
    rng = random.Random(seed)
    text = mutated(rng, rng.choice((finished, four, redealt))())
    record = record_or_error(text)
    if isinstance(record, RecordError):
        assert 1 <= record.line <= max(1, len(text.splitlines()))
        assert str(record)
        return False
    again = format_record(record)
    assert format_record(parse_record(again)) == again
    return True


def test_mutated_records_are_refused_or_good() -> None:
    kept = sum(check_mutated(seed) for seed in range(160))
    assert 10 < kept < 130


@pytest.mark.proof
@pytest.mark.parametrize("part", range(40))
def test_mutated_records_are_refused_or_good_often(part: int) -> None:
    for seed in range(10_000 + part * 250, 10_250 + part * 250):
        check_mutated(seed)


def test_a_record_tells_what_its_packs_were_made_of() -> None:
    match = Match(CLASSIC, first_dealer=0)
    match.deal_cut(Cut(bytes(32), {1: "Καλή τύχη", 0: "#: 1"}))
    text = format_record(Record(match))
    again = parse_record(text).match
    assert again.deal_log.cut == match.deal_log.cut
    assert format_record(Record(again)) == text


@pytest.mark.parametrize(
    ("old", "new", "trouble"),
    [
        ("Secret: 0", "Secret: 1", "not the one that was committed to"),
        ("Commitment: ", "Commitment: 0", "not the one that was committed to"),
        ("Cut 1: a", "Cut 1: b", "not the seed"),
        ("Cut 1: a", "Cut 1: a  b", "single spaces"),
        ("Cut 1: a", "Cut 1: " + "a" * 65, "64 characters"),
        ("Secret: 00", "Secret: ", "64 hexadecimal"),
    ],
)
def test_a_record_whose_cut_is_not_right_is_refused(old: str, new: str, trouble: str) -> None:
    match = Match(CLASSIC, first_dealer=0)
    match.deal_cut(Cut(bytes(32), {1: "a"}))
    text = format_record(Record(match))
    assert old in text
    with pytest.raises(RecordError, match=trouble):
        parse_record(text.replace(old, new))
