"""Soft 404s: what a host answers for a page that cannot be, learned by asking it for one."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from focused.crawl.contents import EXACT, FEWEST_PHRASES, NEW, phrases_of, signature_of
from focused.crawl.hosts import Hosts
from focused.reading.page import Page

AFTER = 10  #: a host is asked once so many pages of it were picked, or as soon as one says nearly what another said
ALIKE = 0.5  #: similarity from which a page says the same as the answer for the page that cannot be


class Probes:
    """Which hosts were asked for a page that cannot be, and what they said. One request a host, a *probe*."""

    def __init__(self, hosts: Hosts) -> None:
        self._hosts = hosts
        self._asked = hosts.columns.add("probed", np.bool_)
        self._urls: dict[int, None] = {}
        self._answers: dict[int, NDArray[np.uint16]] = {}  # by host that answered with a page: its signature

    def __contains__(self, url: int) -> bool:
        return url in self._urls

    def due(self, host: int, verdict: str) -> bool:
        """Whether it is time to ask a host of which a page has just come."""
        return not self._asked[host] and (verdict not in (NEW, EXACT) or bool(self._hosts.picked[host] >= AFTER))

    def url_for(self, host: int, page: Page) -> str:
        """The URL of a page that cannot be, on the host of a page; it is asked for once."""
        self._asked[host] = True
        token = blake2b(page.host.encode(errors="surrogatepass"), digest_size=8).hexdigest()
        return f"{'/'.join(page.url.split('/', 3)[:3])}/{token}"

    def add(self, url: int) -> None:
        """Note that this URL is a probe."""
        self._urls[url] = None

    def answered(self, host: int, page: Page | None) -> None:
        """Take in the answer: a page, or none, as it should be."""
        phrases = phrases_of(page.terms) if page else ()
        if len(phrases) >= FEWEST_PHRASES:
            self._answers[host] = signature_of(phrases)

    def resembles(self, host: int, page: Page) -> bool:
        """Whether a page says what its host answers for a page that cannot be."""
        answer = self._answers.get(host)
        if answer is None:
            return False
        phrases = phrases_of(page.terms)
        return bool(len(phrases) and (signature_of(phrases) == answer).mean() >= ALIKE)

    def snapshot(self) -> dict[str, Any]:
        return {
            "urls": list(self._urls),
            "hosts": list(self._answers),
            "answers": np.array(list(self._answers.values()), np.uint16),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self._urls = dict.fromkeys(state["urls"])
        self._answers = dict(zip(state["hosts"], state["answers"], strict=True))
