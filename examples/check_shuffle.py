"""Checks how the packs of a match came about: `python check_shuffle.py record.txt`.

It works everything out again from the record alone, with the standard library and nothing of ours.
"""

import hashlib
import sys
from pathlib import Path

CARDS = [rank + suit for rank in "A23456789TJQK" for suit in "cdhs"]


def words(seed):
    """The endless row of 32-bit words that follows from a seed."""
    block = 0
    while True:
        digest = hashlib.sha256(seed + block.to_bytes(8, "big")).digest()
        yield from (int.from_bytes(digest[place : place + 4], "big") for place in range(0, 32, 4))
        block += 1


def mix(cards, row):
    """Shuffle cards with the words that come next."""
    for last in range(len(cards) - 1, 0, -1):
        below = last + 1
        word = next(word for word in row if word < 2**32 // below * below)
        other = word % below
        cards[last], cards[other] = cards[other], cards[last]


def must_change(layout, redeal):
    """Whether the rules have these four table cards exchanged."""
    courts = {"equal_courts": "JQK", "jacks": "J"}.get(redeal, "")
    return any(sum(card[0] == rank for card in layout) >= 3 for rank in courts)


def read(text):
    """The lines of the header, and those of each deal."""
    parts = [{}]
    for line in map(str.strip, text.splitlines()):
        if line.startswith("Deal "):
            parts.append({})
        name, colon, value = line.partition(":")
        if colon:
            parts[-1][name] = value.strip()
    return parts[0], parts[1:]


def rules_of(line):
    """The number of players, and which table cards are exchanged."""
    base, *changes = (part.strip() for part in line.split(","))
    rules = {"players": "2", "redeal": "equal_courts"}
    if base == "taverna":
        rules = {"players": "4", "redeal": "jacks"}
    rules.update(change.split("=") for change in changes)
    return int(rules["players"]), rules["redeal"]


def faults(deal, players, redeal):
    """What is wrong with a deal."""
    if "Secret" not in deal:
        yield "it was not made of a secret and of cuts"
        return
    secret = bytes.fromhex(deal["Secret"])
    if hashlib.sha256(secret).hexdigest() != deal["Commitment"]:
        yield "the secret is not the one that was committed to"
    cuts = [f"{seat} {deal[f'Cut {seat}']}" for seat in range(players) if f"Cut {seat}" in deal]
    lines = "\n".join(["diloti-seed-1", secret.hex(), *cuts])
    seed = bytes.fromhex(deal["Shuffle"].removeprefix("sha256-1 "))
    if hashlib.sha256(lines.encode()).digest() != seed:
        yield "the secret and the cuts do not give the seed"
    row, pack = words(seed), list(CARDS)
    mix(pack, row)
    if " ".join(pack) != deal["Pack"]:
        yield "the seed does not give the pack"
    rest = pack[6 * players :]
    while must_change(rest[:4], redeal):
        mix(rest, row)
    if " ".join(rest) != deal.get("Layout again", " ".join(pack[6 * players :])):
        yield "the seed does not give the table cards"


try:
    header, deals = read(Path(sys.argv[1]).read_text(encoding="utf-8"))
    rules = rules_of(header["Rules"])
except (OSError, KeyError, ValueError):
    sys.exit(f"{sys.argv[1]} is no record")
is_fine = bool(deals)
for number, deal in enumerate(deals, start=1):
    try:
        found = list(faults(deal, *rules))
    except (KeyError, ValueError) as trouble:
        found = [f"it cannot be read: {trouble}"]
    print(f"Deal {number}: {'; '.join(found) or 'fine'}")
    is_fine = is_fine and not found
sys.exit(not is_fine)
