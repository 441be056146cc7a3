"""Who somebody is: a random number in a signed cookie, and nothing else.

Whoever holds the cookie holds the seats. The form tokens follow from it, so that no other page can
send a form in somebody's name.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from functools import lru_cache, partial

from itsdangerous import BadSignature, URLSafeSerializer, URLSafeTimedSerializer

COOKIE = "diloti"
COOKIE_SECONDS = 400 * 24 * 3600
"""How long browsers keep the cookie at most, renewed at every visit."""

TRANSFER_SECONDS = 600
"""How long another device has to take a seat."""
_MOST_REMEMBERED = 4096
"""Signatures that are not worked out again, for the people who were here last."""


class Identity:
    """Signs cookies and form tokens with the key of this server."""

    def __init__(self, key: str) -> None:
        self._key = key.encode()
        self._signer = URLSafeSerializer(key, salt="person")
        self._transfers = URLSafeTimedSerializer(key, salt="transfer")
        self._read = lru_cache(_MOST_REMEMBERED)(self._read_cookie)
        self._form_token = lru_cache(_MOST_REMEMBERED)(partial(self._digest, "form"))

    def new_person(self) -> str:
        """Somebody who has not been here before."""
        return secrets.token_urlsafe(16)

    def sign(self, person: str) -> str:
        """The cookie of a person."""
        signed = self._signer.dumps(person)
        return signed.decode() if isinstance(signed, bytes) else signed

    def person_of(self, cookie: str | None) -> str | None:
        """The person that a cookie names; None where it is not one of ours."""
        return self._read(cookie) if cookie else None

    def _read_cookie(self, cookie: str) -> str | None:
        try:
            person = self._signer.loads(cookie)
        except BadSignature:
            return None
        return person if isinstance(person, str) else None

    def transfer_code(self, room: str, seat: int, person: str, moves: int) -> str:
        """What lets another device take a seat from this person, once and for ten minutes.

        It is good until the seat goes to another device, so using it uses it up.
        """
        signed = self._transfers.dumps([room, seat, self._trace(person, moves)])
        return signed.decode() if isinstance(signed, bytes) else signed

    def read_transfer(self, code: str) -> tuple[str, int, str] | None:
        """The table, the seat and the trace of its person; None for a code that is not good."""
        try:
            room, seat, trace = self._transfers.loads(code, max_age=TRANSFER_SECONDS)
        except (BadSignature, ValueError, TypeError):
            return None
        return str(room), int(seat), str(trace)

    def is_trace(self, person: str, moves: int, trace: str) -> bool:
        """Whether a code was made by this person, after so many moves of the seat."""
        return hmac.compare_digest(self._trace(person, moves).encode(), trace.encode())

    def _trace(self, person: str, moves: int) -> str:
        return self._digest("trace", f"{person} {moves}")

    def _digest(self, purpose: str, text: str) -> str:
        message = f"{purpose} {text}".encode()
        return hmac.new(self._key, message, hashlib.sha256).hexdigest()[:32]

    def form_token(self, person: str) -> str:
        """What every form of a person carries."""
        return self._form_token(person)

    def is_form_token(self, person: str, token: str) -> bool:
        """Whether a form was made for this person."""
        return hmac.compare_digest(self.form_token(person).encode(), token.encode())
