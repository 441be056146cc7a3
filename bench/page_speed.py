"""The table's page: how much it weighs, and how long a click takes to show.

Two people play each other in Chromium against a server on this machine, without animations. The
time of a choice counts from the click on a hand card until its possible plays are painted; that of
a play from the click on one until the new board is painted. The weight is everything that comes
over the wire when somebody opens a table for the first time.

    python bench/page_speed.py --plays 200
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import statistics
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

from playwright.async_api import Browser, Page, async_playwright
from table_load import server

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")

CLICK = """async ([clicked, awaited]) => {
    const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const target = document.querySelector(clicked);
    const began = performance.now();
    target.click();
    while (!document.querySelector(awaited)) await new Promise((done) => setTimeout(done));
    await painted();
    return performance.now() - began;
}"""
"""Clicks on something, and counts milliseconds until something else is painted."""


async def weigh(browser: Browser, address: str) -> str:
    """What a first visit of a table brings."""
    context = await browser.new_context(base_url=address, locale="en")
    page = await context.new_page()
    await page.goto("/")
    await page.click("button.go")
    await page.wait_for_selector("#board[data-phase=playing]")
    table = page.url
    await page.close()

    fresh = await context.new_page()  # the same seat; its cache is cleared
    network = await context.new_cdp_session(fresh)
    await network.send("Network.enable")
    await network.send("Network.setCacheDisabled", {"cacheDisabled": True})
    sizes: list[float] = []
    hosts: set[str] = set()
    network.on("Network.loadingFinished", lambda told: sizes.append(told["encodedDataLength"]))
    network.on("Network.requestWillBeSent", lambda told: hosts.add(_host(told["request"]["url"])))
    await fresh.goto(table)
    await fresh.wait_for_load_state("load")
    await fresh.wait_for_timeout(500)
    await context.close()
    return f"{sum(sizes) / 1000:.1f} kB in {len(sizes)} answers from {len(hosts - {''})} host"


def _host(url: str) -> str:
    return urlsplit(url).netloc


async def sit_down(browser: Browser, address: str) -> list[Page]:
    """Two people at a table."""
    pages = []
    for _ in range(2):
        context = await browser.new_context(base_url=address, locale="en", reduced_motion="reduce")
        pages.append(await context.new_page())
    anna, boris = pages
    await anna.goto("/new")
    await anna.click("button.go")
    await boris.goto(await anna.input_value("#invitation"))
    await boris.click("button.go")
    for page in pages:
        await page.wait_for_selector("#board[data-phase=playing]")
    return pages


async def choose(page: Page, place: int) -> float:
    """Click on a hand card; milliseconds until its plays are there."""
    card = f".hand label:nth-of-type({place + 1}) input"
    # What the last card offered goes first, so that it is this card's plays that come.
    await page.evaluate("document.querySelector('#choices').replaceChildren()")
    await page.evaluate(
        "for (const one of document.querySelectorAll('#play input:checked')) one.checked = false"
    )
    wait: float = await page.evaluate(CLICK, [card, "#choices .offers, #choices .refusal"])
    return wait


async def play(pages: list[Page], plays: int) -> tuple[list[float], list[float]]:
    """Milliseconds of choices and of plays."""
    choices: list[float] = []
    made: list[float] = []
    while len(made) < plays:
        mine = [page for page in pages if await page.query_selector("#board[data-my-turn]")]
        if not mine:
            for page in pages:
                await page.evaluate("document.querySelector('#sheet button.go')?.click()")
            continue
        page = mine[0]
        number = int(await page.get_attribute("#board", "data-number") or 0)
        offered = []
        for place in range(await page.locator(".hand label").count()):
            choices.append(await choose(page, place))
            offered.append(await page.locator("#choices .offers button").count())
            if offered[-1] > 1:
                break
        else:
            await choose(page, offered.index(1))
        offer = "#choices .offers button:last-child"
        fresh = f"#board[data-number='{number + 1}'], #board[data-number='{number + 2}']"
        made.append(await page.evaluate(CLICK, [offer, fresh]))
    return choices, made


def told(name: str, times: list[float]) -> str:
    """A line of a table."""
    cuts = statistics.quantiles(times, n=100)
    return f"| {name} | {len(times)} | {cuts[49]:.0f} | {cuts[94]:.0f} | {cuts[98]:.0f} |"


async def measure(plays: int) -> None:
    """Weigh, play, and print a table."""
    with tempfile.TemporaryDirectory() as folder:
        async with (
            server(str(Path(folder) / "speed.sqlite3"), 1) as (address, _pid),
            async_playwright() as playwright,
        ):
            browser = await playwright.chromium.launch(
                executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
            )
            print("First visit of a table:", await weigh(browser, address), flush=True)
            choices, made = await play(await sit_down(browser, address), plays)
            print("| click | times | median ms | 95 % | 99 % |")
            print("|---|---|---|---|---|")
            print(told("hand card to its plays", choices))
            print(told("play to the new board", made))
            await browser.close()


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--plays", type=int, default=100)
    asyncio.run(measure(parser.parse_args().plays))


if __name__ == "__main__":
    main()
