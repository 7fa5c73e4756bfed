"""Variants of URLs, learned host by host: what made URLs copies of each other, such as ``/amp/`` behind them.

The URLs of a copy and of its original *differ* in one place: ``/a/amp/`` and ``/a/`` in ``amp/``. Most such differences say
nothing. One in which several pairs of a host differ is its habit, and a URL that it turns into a known one need not be fetched
(Bar-Yossef et al. 2007 call these DUST: different URLs with similar text). No difference is known beforehand. Only URLs of one
registered domain are compared, so that no site can say anything of another one. Parameters are learned apart: see `Parameters`.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from focused.crawl.domains import domain_of
from focused.crawl.hosts import Hosts
from focused.crawl.known_texts import KnownTexts
from focused.crawl.novelty import NEW, NOTHING_NEW, Finding
from focused.crawl.url_table import State, UrlTable
from focused.reading.page import Page
from focused.reading.urls import UrlRules, host_of

VARIANT = "variant of a known URL, and such pages were copies"  #: why a URL is dropped
ENOUGH = 4  #: points from which a difference is a habit of its host
LEAST_POINTS, MOST_POINTS = -6, 6  #: that one can have: whatever came before, two pages that are no copies end a habit
TRIED = 8  #: one variant in so many is fetched all the same: without, nobody would see that a habit has ended
MOST_HOSTS, MOST_RULES = 5_000, 10  #: whose differences are kept, and how many of each
LONGEST, LONGEST_DIFFERENCE = 300, 60  #: characters of URLs and of differences; longer ones are not looked at
MOST_TEXTS, MOST_OF_HOST = 20_000, 500  #: URLs whose texts are kept, the oldest hosts forgotten first; and of each host
MOST_OF_DOMAIN = 2_000  #: of these, those of a registered domain: nobody pushes out what others have taught
MOST_LONGER = 50_000  #: URLs that differences lead to, the oldest forgotten first

_END = "\n"  # of a URL without its query; no URL holds it
_TOKEN = re.compile(r"\w+(?=://)|://|(?<=://)[^/]+|[./;=&,_-]|[^./;=&,_-]+")
_DELIMITERS = frozenset(("://", _END, *"./;=&,_-"))


class Difference(NamedTuple):
    """In a URL, ``old`` becomes ``new``. Where ``new`` has no number, each ``#`` in ``old`` stands for any."""

    old: str
    new: str

    def applied(self, url: str) -> str:
        """A URL after the first place with this difference is changed; itself if there is none.

        Nothing leads to another registered domain, whatever a path looks like: nobody may say anything of somebody else's pages.
        """
        if "#" not in self.old and self.old.removesuffix(_END) not in url:
            return url  # as nearly always, and in a tenth of the time
        bare, mark, query = url.partition("?")
        start = 0 if "://" in self.old else bare.index("/", bare.index("://") + len("://"))
        path = _pattern(self.old).sub(lambda _: self.new, bare[start:] + _END, count=1).removesuffix(_END)
        changed = bare[:start] + path + mark + query
        return changed if domain_of(host_of(changed)) == domain_of(host_of(url)) else url


def difference(one: str, other: str) -> tuple[str, Difference] | None:
    """The one place in which two URLs differ, and the longer of the two, from which it leads to the shorter.

    None where they differ in more than a short place, or in their queries, or where an earlier place looks like it.
    """
    (one, _, query), (other, _, others) = one.partition("?"), other.partition("?")
    if query != others or one == other or max(len(one), len(other)) > LONGEST:
        return None
    shorter, longer = sorted((one, other), key=lambda text: (len(text), text))
    old, new = [*_TOKEN.findall(longer), _END], [*_TOKEN.findall(shorter), _END]
    most = min(len(old), len(new))
    start = next((place for place in range(most) if old[place] != new[place]), most)
    end = next((place for place in range(most - start) if old[-1 - place] != new[-1 - place]), most - start)
    # The delimiters around the place belong to it: "amp" at the end of a path is not "amp" inside a word.
    before = old[start - 1] if start and old[start - 1] in _DELIMITERS else ""
    after = old[-end] if end and old[-end] in _DELIMITERS else ""
    was, becomes = (f"{before}{''.join(tokens[start : len(tokens) - end])}{after}" for tokens in (old, new))
    if len(was) > LONGEST_DIFFERENCE:
        return None
    if not re.search("[0-9]", becomes):
        was = re.sub("[0-9]+", "#", was)
    found = Difference(was, becomes)
    if found.applied(longer) != shorter:  # it would change an earlier place
        return None
    return (f"{longer}?{query}" if query else longer), found


class Variants:
    """The habits of each host.

    A difference gets a point for each copy whose URL differs in it from that of its original, and loses two for each new page
    whose URL differs in it from one that was fetched. With `ENOUGH` points it is a habit. Of the URLs that it makes variants, one
    in `TRIED` is fetched all the same.
    """

    def __init__(self, urls: UrlTable, hosts: Hosts) -> None:
        self._urls, self._hosts = urls, hosts
        self.fetched = urls.columns.add("fetched", np.bool_)  #: a page was there: a redirect or a failure is none
        self._points: dict[str, dict[Difference, int]] = {}  # by host of the longer URL
        #: Texts of URLs that may wait, or were fetched.
        self._texts = KnownTexts(MOST_TEXTS, MOST_OF_HOST, LONGEST, MOST_OF_DOMAIN)
        self._any = False
        #: Key of a URL that a difference leads to -> id of a known one that it leads from.
        self._longer: dict[int, int] = {}

    def __bool__(self) -> bool:
        """Whether any host has, or had, a habit."""
        return self._any

    def meet(self, url: int, text: str) -> None:
        """Remember a URL that may wait."""
        if len(text) <= LONGEST:
            self._texts.keep(url, text)
            self._note(url, text, self._points.get(host_of(text), ()))

    def learn(self, url: int, page: Page, finding: Finding) -> list[int]:
        """Learn from a page that was fetched, and what was found of it; return the URLs that turn out to be variants of others."""
        self.meet(url, page.url)
        is_new = finding.verdict == NEW and finding.worth > 0  # one that is too short to be judged tells nothing
        others = {} if finding.original is None else {finding.original: self._text(finding.original)}
        if is_new or (finding.verdict == NOTHING_NEW and not others):
            others = self._relatives(url, page)
        learned: dict[str, None] = {}
        for text in others.values():
            if text and domain_of(host_of(text)) == domain_of(page.host) and (found := difference(page.url, text)):
                longer, differs = found
                if self._give(host_of(longer), differs, -2 if is_new else 1):
                    learned |= dict.fromkeys((page.host, host_of(text)))
        return self._variants_of(learned)

    def against(self, url: int, text: str, host: str, gone: Container[int] = ()) -> str:
        """Why a URL may not wait: it is a variant of one that is known, and not among those that are gone; or the empty string."""
        forms = [text, *self._forms(text, host)] if len(text) <= LONGEST else ()
        if not any(self._is_known(form, url, gone) for form in forms) or UrlRules.key(text) % TRIED == 0:
            return ""
        return VARIANT

    def _is_known(self, form: str, url: int, gone: Container[int]) -> bool:
        """Whether another URL has this form, or becomes it by habits of its host."""
        key = UrlRules.key(form)
        if self._stands(self._urls.find(key), url, gone):
            return True
        other = self._longer.get(key, -1)
        text = self._text(other) if self._stands(other, url, gone) else ""
        return bool(text) and form in self._forms(text, host_of(text))

    def _stands(self, other: int, url: int, gone: Container[int] = ()) -> bool:
        """Whether a page of another URL was fetched, or will be."""
        if other in (-1, url) or other in gone:
            return False
        return bool(self.fetched[other]) or self._urls.state[other] in (State.WAITING, State.PICKED)

    def _forms(self, text: str, host: str) -> list[str]:
        """What a URL becomes by each habit of its host, and by one after the other."""
        forms: dict[str, None] = {}
        chained = text
        for differs, points in self._points.get(host, {}).items():
            if points >= ENOUGH:
                forms[form := differs.applied(text)] = None
                chained = form if chained == text else differs.applied(chained)
                forms[chained] = None
        forms.pop(text, None)
        return list(forms)

    def _relatives(self, url: int, page: Page) -> dict[int, str]:
        """Pages, with their URLs, that are known to differ from that of a page in what may be a habit."""
        forms = {differs.applied(page.url) for differs in self._points.get(page.host, ())}
        others = {self._urls.find(UrlRules.key(form)): form for form in sorted(forms)}
        longer = self._longer.get(page.key, -1)
        others.setdefault(longer, self._text(longer))
        return {other: text for other, text in others.items() if other not in (-1, url) and self.fetched[other]}

    def _give(self, host: str, differs: Difference, points: int) -> bool:
        """Give a difference points; return whether that makes it a habit."""
        known = self._points.get(host, {})
        before = known.get(differs)
        if before is None:
            if points < 0:
                return False
            if host not in self._points and len(self._points) >= MOST_HOSTS:
                del self._points[next(iter(self._points))]
            if len(known) >= MOST_RULES:
                del known[min(known, key=lambda one: abs(known[one]))]  # the oldest of those of which least is known
            before = 0
            self._points[host] = known
            for url, text in self._texts.of(host).items():
                self._note(url, text, [differs])
        known[differs] = max(LEAST_POINTS, min(MOST_POINTS, before + points))
        learned = before < ENOUGH <= known[differs]
        self._any |= learned
        return learned

    def _note(self, url: int, text: str, differences: Iterable[Difference]) -> None:
        """Note what differences make of a URL."""
        for differs in differences:
            if (form := differs.applied(text)) != text:
                key = UrlRules.key(form)
                if not self._stands(self._longer.get(key, -1), url):
                    self._longer[key] = url
        while len(self._longer) > MOST_LONGER:
            del self._longer[next(iter(self._longer))]

    def _variants_of(self, hosts: Iterable[str]) -> list[int]:
        """URLs that wait and are variants of others, the longest first, so that the shortest of several stays."""
        found: dict[int, None] = {}
        for host in hosts:
            for url, text in sorted(self._texts.of(host).items(), key=lambda known: -len(known[1])):
                if self._urls.state[url] == State.WAITING and self.against(url, text, host, found):
                    found[url] = None
        return list(found)

    def _text(self, url: int) -> str:
        """The text of a URL; empty where it is forgotten."""
        if url < 0:
            return ""
        return self._texts.of(self._hosts.names[self._urls.host[url]]).get(url, "")

    def snapshot(self) -> dict[str, Any]:
        return {
            "points": [
                [host, [[*differs, points] for differs, points in known.items()]]
                for host, known in self._points.items()
            ],
            "texts": self._texts.snapshot(),
            "longer": [[key, url] for key, url in self._longer.items()],
            "any": self._any,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self._points = {
            host: {Difference(old, new): points for old, new, points in known} for host, known in state["points"]
        }
        self._texts.restore(state["texts"])
        self._longer = dict(state["longer"])
        self._any = state["any"]


@lru_cache(10_000)
def _pattern(old: str) -> re.Pattern[str]:
    return re.compile(re.escape(old).replace(r"\#", "[0-9]+"))
