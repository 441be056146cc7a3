"""A program that plays Diloti over HTTP: `python examples/http_bot.py http://127.0.0.1:8000`.

It lays a table against a bot and plays a match, always taking as many cards as it can. Nothing but
the standard library is needed.
"""

import json
import sys
import time
import urllib.error
import urllib.request

SERVER = sys.argv[1].rstrip("/") if len(sys.argv) > 1 else "http://127.0.0.1:8000"


def ask(method: str, path: str, body: object = None, token: str = "") -> dict:
    """One request; the answer, or what the server says is wrong."""
    request = urllib.request.Request(f"{SERVER}/api{path}", method=method)
    request.add_header("authorization", f"Bearer {token}")
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("content-type", "application/json")
    try:
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as trouble:
        if trouble.code == 429:
            time.sleep(float(trouble.headers["retry-after"]))
            return ask(method, path, body, token)
        raise SystemExit(trouble.read().decode()) from trouble


def best_play(frame: dict, token: str) -> str:
    """The play that takes most, of all that the cards of the hand can do."""
    plays = []
    for card in frame["view"]["hands"][frame["seat"]]:
        selection = {"number": frame["number"], "card": card}
        fits = ask("POST", f"/tables/{frame['table']}/fits", selection, token)
        plays += fits["exact"] + fits["others"]
    return max(plays, key=lambda play: ("x" in play, len(play)))


def main() -> None:
    """Lay a table and play a match."""
    token = ask("POST", "/people", {})["token"]
    frame = ask("POST", "/tables", {"seats": ["me", "novice"], "name": "Program"}, token)
    table = f"/tables/{frame['table']}"
    while frame["phase"] != "over":
        command = {"number": frame["number"], "command": "ready"}
        if frame["phase"] == "playing":
            if frame["view"]["turn"] != frame["seat"]:
                time.sleep(0.05)  # or listen to /events
                frame = ask("GET", table, token=token)
                continue
            command = {**command, "command": "play", "play": best_play(frame, token)}
        frame = ask("POST", f"{table}/commands", command, token)
    print("I have won." if frame["winner"] == frame["seat"] else "I have lost.", frame["scores"])


main()
