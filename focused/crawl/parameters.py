"""Parameters of URLs that change nothing, learned host by host: those in which the URLs of a page and of its copy differ."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from focused.crawl.url_forms import path_and_query
from focused.crawl.url_table import State, UrlTable
from focused.reading.urls import UrlRules

IDLE = "differs from a known URL in parameters that change nothing"  #: why a URL is dropped
ENOUGH = 2  #: copies after which a parameter is taken for one that changes nothing
MOST_VALUES = 50  #: kept of a parameter
MOST = 20_000  #: parameters kept; a server can invent names without end

_key_of = UrlRules().key


class Parameters:
    """What the parameters of each host do.

    Where two URLs of a host differ in parameters only and lead to copies, each of these parameters gets a point. It changes nothing
    when it has `ENOUGH` of them, and more than it had values on pages that brought something new.
    """

    def __init__(self, urls: UrlTable) -> None:
        self._urls = urls
        self._points: dict[str, int] = {}  # by host and name
        self._values: dict[str, list[str]] = {}  # by host and name: values on new pages
        self._queries: dict[int, str] = {}  # by page that has one
        self._idle_hosts: dict[str, None] = {}  # hosts with a parameter that changes nothing
        self._instead: dict[int, int] = {}  # key of a URL without these -> id of the one that stands for it

    def __bool__(self) -> bool:
        """Whether any parameter of any host changes nothing."""
        return bool(self._idle_hosts)

    def learn_new(self, page: int, host: str, url: str) -> None:
        """Take in the URL of a page that brought something new."""
        path, query = path_and_query(url)
        if not query:
            return
        self._queries[page] = query
        for name, value in pairs_of(query).items():
            key = f"{host} {name}"
            if key in self._values or len(self._values) < MOST:
                values = self._values.setdefault(key, [])
                if value not in values and len(values) < MOST_VALUES:
                    values.append(value)

    def learn_copy(self, host: str, url: str, original: int) -> None:
        """Take in the URL of a page that is a copy of an earlier one."""
        bare, _, query = url.partition("?")
        theirs = self._queries.get(original, "")
        if self._urls.find(_key_of(f"{bare}?{theirs}" if theirs else bare)) != original:
            return  # they differ in more
        ours, others = pairs_of(query), pairs_of(theirs)
        for name in sorted(ours.keys() | others.keys()):
            key = f"{host} {name}"
            if ours.get(name) != others.get(name) and (key in self._points or len(self._points) < MOST):
                self._points[key] = self._points.get(key, 0) + 1
                if self._is_idle(key):
                    self._idle_hosts[host] = None

    def against(self, url: int, text: str, host: str) -> str:
        """Why a URL may not wait: it says the same as one that is known; or the empty string."""
        if host not in self._idle_hosts or "?" not in text:
            return ""
        bare, _, query = text.partition("?")
        pairs = query.split("&")
        kept = [pair for pair in pairs if not self._is_idle(f"{host} {pair.partition('=')[0]}")]
        if len(kept) == len(pairs):
            return ""
        key = _key_of(f"{bare}?{'&'.join(kept)}" if kept else bare)
        known = self._urls.find(key)
        if known >= 0 and self._urls.state[known] != State.FREE:
            return IDLE
        return "" if self._instead.setdefault(key, url) == url else IDLE

    def _is_idle(self, key: str) -> bool:
        points = self._points.get(key, 0)
        return points >= ENOUGH and points > len(self._values.get(key, ()))

    def snapshot(self) -> dict[str, Any]:
        return {
            "points": [[key, points] for key, points in self._points.items()],
            "values": [[key, values.copy()] for key, values in self._values.items()],
            "queries": [[page, query] for page, query in self._queries.items()],
            "idle_hosts": list(self._idle_hosts),
            "instead": [[key, url] for key, url in self._instead.items()],
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self._points, self._values = dict(state["points"]), dict(state["values"])
        self._queries, self._instead = dict(state["queries"]), dict(state["instead"])
        self._idle_hosts = dict.fromkeys(state["idle_hosts"])


def pairs_of(query: str) -> dict[str, str]:
    """The parameters of a query; of several of one name the last."""
    return dict(pair.partition("=")[::2] for pair in query.split("&") if pair)
