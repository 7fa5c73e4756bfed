"""Who may speak to the agent: the one browser extension that was paired with it, by a code that the command shows once."""

from __future__ import annotations

import hashlib
import re
import secrets

from focused.desk.agent.diary import Diary

#: Origins of extensions: Chromium gives each 32 letters from a to p, Firefox a UUID of each installation.
EXTENSION = re.compile(r"chrome-extension://[a-p]{32}|moz-extension://[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
BYTES = 18  #: of a token
_DIGEST, _ORIGIN = "token", "origin"


class Pairing:
    """Keeps the digest of the token and the origin of the extension that has used it first."""

    def __init__(self, diary: Diary) -> None:
        self._diary = diary

    @property
    def origin(self) -> str:
        """Of the paired extension; empty where there is none yet."""
        return self._diary.fact(_ORIGIN)

    def anew(self) -> str:
        """Part with whatever was paired, and make a token for the next."""
        token = secrets.token_urlsafe(BYTES)
        self._diary.tell(_ORIGIN, "")
        self._diary.tell(_DIGEST, _digest(token))
        return token

    def knows(self, token: str, origin: str) -> bool:
        """Whether a token is the one, and comes from the extension that is paired, or, before that, from any."""
        digest = self._diary.fact(_DIGEST)
        right = bool(digest) and secrets.compare_digest(_digest(token), digest)
        return right and bool(EXTENSION.fullmatch(origin)) and origin == (self.origin or origin)

    def pair(self, origin: str) -> None:
        """Let nobody in but this extension from now on."""
        self._diary.tell(_ORIGIN, origin)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
