"""A web whose copies are known: sites that show their articles at several URLs, and sites whose pages are alike and no copies.

Each kind of copy has a site of its own, so that nothing that is learned on one helps with another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from html import escape
from random import Random

from focused.reading.urls import host_of
from focused.simulation.recorded_web import Answer, html_answer, not_found
from lab.webs.traps_sites import word

SEED = "http://start.test-copies.net/"
WORDS, COMMON = 8_000, 40  #: of the language of this web; how many of these are stop words
ARTICLE, SHORT, MENU = 250, 60, 400  #: words of an article, of a short one, and of a long menu
#: Where the copy of an article lies, from the {host} and the {name} of the article at ``http://{host}/{name}/``.
FORMS: Mapping[str, str] = {
    "amp": "http://{host}/{name}/amp/",
    "print": "http://{host}/print/{name}/",
    "index": "http://{host}/{name}/index.html",
    "session": "http://{host}/{name}/;visit={visit}",
    "mobile": "http://m.{host}/{name}/",
    "https": "https://{host}/{name}/",
    "mirror": "http://{name}.mirror-of-{host}/",
    "mirror by path": "http://mirror-of-{host}/{name}/",
    "edits of 5 %": "http://{host}/old/{name}/",
    "edits of 10 %": "http://{host}/old/{name}/",
    "edits of 20 %": "http://{host}/old/{name}/",
    "edits of 30 %": "http://{host}/old/{name}/",
}
NO_COPIES: Mapping[str, str] = {
    "menu": "http://{host}/more/{name}/",  #: short articles below one long menu
    "quote": "http://{host}/on/{name}/",  #: half an article, and as much of one's own
    "translation": "http://{host}/de/{name}/",  #: what looks like a variant and says something else
}
BARE = frozenset(("amp", "print"))  #: shown without the menu, and with rel=canonical


@dataclass(frozen=True, slots=True)
class CopyPage:
    """original : URL of the article that it says again; empty for an article and for what only looks like a copy"""

    kind: str
    html: str
    original: str = ""


class CopyWeb:
    """The web. ``articles`` on each site; everything hangs on the seed."""

    def __init__(self, articles: int = 40, seed: int = 1) -> None:
        self._articles, self._seed = articles, seed

    @property
    def hosts(self) -> Set[str]:
        return {host_of(url) for url in self.pages}

    def urls(self) -> Iterator[str]:
        return iter(self.pages)

    def answer(self, url: str) -> Answer | None:
        if host_of(url) not in self.hosts:
            return None
        page = self.pages.get(url)
        return html_answer(page.html.encode()) if page else not_found(url)

    @cached_property
    def pages(self) -> Mapping[str, CopyPage]:
        """By URL; the truth about each."""
        pages: dict[str, CopyPage] = {}
        for kind in (*FORMS, *NO_COPIES):
            pages |= self._site(kind)
        firsts = [f"http://{_host(kind)}/" for kind in (*FORMS, *NO_COPIES)]
        pages[SEED] = CopyPage("start", _html("Start", self._text("start", SHORT), firsts))
        return pages

    def _site(self, kind: str) -> dict[str, CopyPage]:
        host, form = _host(kind), FORMS.get(kind) or NO_COPIES[kind]
        names = [f"{word(Random(f'{self._seed} {kind} {number}'))}-{number}" for number in range(self._articles)]
        urls = [f"http://{host}/{name}/" for name in names]
        menu = self._text(f"menu {kind}", MENU if kind == "menu" else SHORT)
        pages = {f"http://{host}/": CopyPage("list", _html("List", menu, urls[:3]))}
        for number, (name, url) in enumerate(zip(names, urls, strict=True)):
            visit = Random(f"{self._seed} {url}").randint(1, 10**6)
            other = form.format(host=host, name=name, visit=visit)
            text = self._text(url, SHORT if kind == "menu" else ARTICLE)
            following = urls[number + 1 : number + 4]
            pages[url] = CopyPage("article", _html(name, [*menu, *text], [other, *following]))
            said = self._said_again(kind, url, text)
            head = f'<link rel="canonical" href="{escape(url)}">' if kind in BARE else ""
            around = [] if kind in BARE else menu
            pages[other] = CopyPage(kind, _html(name, [*around, *said], [url], head), url if kind in FORMS else "")
        return pages

    def _said_again(self, kind: str, url: str, text: list[str]) -> list[str]:
        """What the other page of an article says."""
        random = Random(f"{self._seed} again {url}")
        if kind.startswith("edits"):
            share = int(kind.split()[2]) / 100
            return [
                self._text(f"{url} {place}", 1)[0] if random.random() < share else old for place, old in enumerate(text)
            ]
        if kind in NO_COPIES:
            kept = len(text) // 2 if kind == "quote" else 0
            return text[:kept] + self._text(f"other {url}", len(text) - kept)
        return [*text, *self._text(f"line {url}", 3)]  # such as a date

    def _text(self, about: str, words: int) -> list[str]:
        random = Random(f"{self._seed} {about}")
        # As Zipf has it, without the words that are so frequent that a reader drops them.
        return [self._language[int(COMMON * (WORDS / COMMON) ** random.random())] for _ in range(words)]

    @cached_property
    def _language(self) -> Sequence[str]:
        random = Random(self._seed)
        return [word(random, random.randint(1, 4)) for _ in range(WORDS)]


def _host(kind: str) -> str:
    return f"{kind.replace(' %', '').replace(' ', '-')}.com"


def _html(title: str, text: Sequence[str], links: Sequence[str], head: str = "") -> str:
    anchors = " ".join(f'<a href="{escape(url)}">more</a>' for url in links)
    return (
        f"<html lang=en><head><title>{title}</title>{head}</head><body><p>{' '.join(text)}</p>{anchors}</body></html>"
    )
