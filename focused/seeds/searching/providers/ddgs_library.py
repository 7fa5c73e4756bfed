"""Search engines of the Web by the library ddgs, which asks them itself.

It asks as a browser does and reads no robots.txt: whether an engine allows it is between the person and the engine.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any

from focused.exceptions import SearchError, needs_extra
from focused.page.plain_text import plain
from focused.seeds.searching.result_pages import ranked
from focused.seeds.searching.search_provider import Found

BACKENDS = "auto"  #: ddgs chooses
TIMEOUT = 10  #: seconds for each engine
PAUSE = 2.0  #: seconds between two questions
NOTHING = "no results"  #: what ddgs says, as an error, where nothing is found


class Ddgs:
    """Asks one engine after the other, in a thread.

    backends : names of engines, with commas between, as ddgs has them

    Raises FocusedError where the package is missing.
    """

    def __init__(self, backends: str = BACKENDS) -> None:
        with needs_extra("search", "searching with ddgs"):
            from ddgs import DDGS  # slow to import, and few ask it

        self._engines: Any = DDGS(timeout=TIMEOUT)
        self._backends = backends
        self._free_from = 0.0
        self.name = "ddgs" if backends == BACKENDS else f"ddgs {backends}"

    async def search(self, query: str, most: int) -> list[Found]:
        await asyncio.sleep(max(0.0, self._free_from - time.monotonic()))
        try:
            rows = await asyncio.to_thread(self._ask, query, most)
        except Exception as error:  # of ddgs, or of whatever it is built on
            if NOTHING in str(error).lower():
                return []
            raise SearchError(plain(f"{type(error).__name__}: {error}", 150)) from None
        finally:
            self._free_from = time.monotonic() + PAUSE
        return ranked((row.get("href", ""), row.get("title", ""), row.get("body", "")) for row in rows)[:most]

    def _ask(self, query: str, most: int) -> list[dict[str, str]]:
        return list(self._engines.text(query, max_results=most, backend=self._backends))
