"""Parameters of URLs that change nothing, learned host by host: those in which URLs differ that say the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from focused.crawl.known_texts import KnownTexts
from focused.crawl.url_table import State, UrlTable
from focused.reading.urls import UrlRules

IDLE = "differs from a known URL in parameters that change nothing"  #: why a URL is dropped
ENOUGH = 2  #: points from which a parameter is taken for one that changes nothing
MOST = 50_000  #: paths and parameters that are kept; a server can invent names without end
MOST_MET, LONGEST = 20_000, 500  #: URLs that wait whose texts are kept, and their length
MOST_OF_HOST = 300  #: of these, those of one host


class Parameters:
    """What the parameters of each host do.

    Where a second URL of a path leads to nothing new, each parameter in which it differs from the first gets a point; where it
    leads to something new, each loses two. A parameter with `ENOUGH` points changes nothing.
    """

    def __init__(self, urls: UrlTable) -> None:
        self._urls = urls
        self._points: dict[str, int] = {}  # by host and name
        self._first: dict[int, str] = {}  # by key of a URL without its query: the query of its first page
        self._idle_hosts: dict[str, None] = {}  # hosts with a parameter that changes nothing
        self._instead: dict[int, int] = {}  # key of a URL without these -> id of the one that stands for it
        self._met = KnownTexts(MOST_MET, MOST_OF_HOST, LONGEST)  # URLs with parameters, which may say the same one day

    def __bool__(self) -> bool:
        """Whether any parameter of any host changes nothing."""
        return bool(self._idle_hosts)

    def meet(self, url: int, text: str) -> None:
        """Remember a URL that may wait, until more is known of its parameters."""
        if "?" in text:
            self._met.keep(url, text)

    def learn(self, host: str, url: str, *, new: bool) -> list[int]:
        """Learn from whether a page brought anything new; return the URLs that turn out to repeat others."""
        path, _, query = url.partition("?")
        key = UrlRules.key(path)
        first = self._first.get(key)
        if first is None:
            if new and len(self._first) < MOST:
                self._first[key] = query
            return []
        found = False
        ours, others = pairs_of(query), pairs_of(first)
        for name in sorted(ours.keys() | others.keys()):
            known = f"{host} {name}"
            if ours.get(name) != others.get(name) and (known in self._points or len(self._points) < MOST):
                self._points[known] = self._points.get(known, 0) + (-2 if new else 1)
                if self._is_idle(known):
                    self._idle_hosts[host], found = None, True
        met = self._met.of(host).items() if found else ()
        return [other for other, text in met if self.against(other, text, host)]

    def against(self, url: int, text: str, host: str) -> str:
        """Why a URL may not wait: it says the same as one that is known; or the empty string."""
        if host not in self._idle_hosts or "?" not in text:
            return ""
        bare, _, query = text.partition("?")
        pairs = query.split("&")
        kept = [pair for pair in pairs if not self._is_idle(f"{host} {pair.partition('=')[0]}")]
        if len(kept) == len(pairs):
            return ""
        key = UrlRules.key(f"{bare}?{'&'.join(kept)}" if kept else bare)
        known = self._urls.find(key)
        if known >= 0 and self._urls.state[known] != State.FREE:
            return IDLE
        return "" if self._instead.setdefault(key, url) == url else IDLE

    def _is_idle(self, key: str) -> bool:
        return self._points.get(key, 0) >= ENOUGH

    def snapshot(self) -> dict[str, Any]:
        return {
            "points": [[key, points] for key, points in self._points.items()],
            "first": [[key, query] for key, query in self._first.items()],
            "idle_hosts": list(self._idle_hosts),
            "instead": [[key, url] for key, url in self._instead.items()],
            "met": self._met.snapshot(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self._points, self._first, self._instead = dict(state["points"]), dict(state["first"]), dict(state["instead"])
        self._idle_hosts = dict.fromkeys(state["idle_hosts"])
        self._met.restore(state["met"])


def pairs_of(query: str) -> dict[str, str]:
    """The parameters of a query; of several of one name the last."""
    return dict(pair.partition("=")[::2] for pair in query.split("&") if pair)
