"""Soft 404s: the crawl asks a host for a page that cannot exist, and learns what the host answers then."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from focused.crawl.hosts import Hosts
from focused.crawl.novelty import FEWEST_PHRASES, phrases_of, signature_of
from focused.page.page import Page
from focused.page.urls import Address, UrlRules

AFTER = 4  #: picked pages of a host before it is probed; earlier if a page says hardly anything new
ALIKE = 0.5  #: similarity from which a page says the same as the answer to the probe
ALIKE_BY_NAME = 0.2  #: the same for a page with the same title


class Probes:
    """Which hosts were probed, and what they said. A *probe* is one request a host, for a page that cannot exist."""

    def __init__(self, hosts: Hosts) -> None:
        self._hosts = hosts
        self._asked = hosts.columns.add("probed", np.bool_)
        self._urls: dict[int, None] = {}
        self._waiting: dict[int, int] = {}  # probes not sent yet -> host
        self._answers: dict[int, NDArray[np.uint16]] = {}  # by host that answered with a page: its signature
        self._titles: dict[int, str] = {}

    def __contains__(self, url: int) -> bool:
        return url in self._urls

    def due(self, host: int, worth: float) -> bool:
        """Whether to probe a host now, of which a page has just come."""
        return not self._asked[host] and (worth < 0 or bool(self._hosts.picked[host] >= AFTER))

    def address_for(self, host: int, page: Page) -> Address:
        """The address of a page that cannot exist, on the host of ``page``; the host then counts as probed."""
        self._asked[host] = True
        token = blake2b(page.host.encode(errors="surrogatepass"), digest_size=8).hexdigest()
        return UrlRules.address(f"{'/'.join(page.url.split('/', 3)[:3])}/{token}")

    def add(self, url: int, host: int) -> None:
        """Queue a probe of a host."""
        self._urls[url] = None
        self._waiting[url] = host

    def next(self, is_held: Callable[[int], bool]) -> int | None:
        """The first probe that waits whose host may be asked now."""
        return next((url for url, host in self._waiting.items() if not is_held(host)), None)

    def give_up(self, is_barred: Callable[[int], bool]) -> None:
        """Drop the waiting probes of barred hosts."""
        self._waiting = {url: host for url, host in self._waiting.items() if not is_barred(host)}

    def sent(self, url: int) -> None:
        """Note that a URL is asked for; most are no probes."""
        self._waiting.pop(url, None)

    def answered(self, host: int, page: Page | None) -> None:
        """Take in the answer: a page, or none, as it should be."""
        if page is None:
            return
        phrases = phrases_of(page.terms)
        if len(phrases) >= FEWEST_PHRASES:
            self._answers[host], self._titles[host] = signature_of(phrases), page.title

    def resembles(self, host: int, page: Page) -> bool:
        """Whether a page says what its host answered to the probe."""
        answer = self._answers.get(host)
        if answer is None:
            return False
        phrases = phrases_of(page.terms)
        least = ALIKE_BY_NAME if page.title and page.title == self._titles[host] else ALIKE
        return bool(len(phrases) and (signature_of(phrases) == answer).mean() >= least)

    def snapshot(self) -> dict[str, Any]:
        return {
            "urls": list(self._urls),
            "waiting": list(self._waiting.items()),
            "hosts": list(self._answers),
            "titles": list(self._titles.values()),
            "answers": np.array(list(self._answers.values()), np.uint16),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self._urls, self._waiting = dict.fromkeys(state["urls"]), dict(state["waiting"])
        self._titles = dict(zip(state["hosts"], state["titles"], strict=True))
        self._answers = dict(zip(state["hosts"], state["answers"], strict=True))
