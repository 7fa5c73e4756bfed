"""Judges the pages that were found, as a crawl of the topic would judge them."""

from __future__ import annotations

from dataclasses import dataclass

from scrapy.http import Response

from focused.live.assemble import page_model_of
from focused.live.responses import read_response
from focused.page.page import Page, Unreadable
from focused.page.page_kind import STUB
from focused.page.plain_text import plain
from focused.page.urls import host_of
from focused.seeds.searching.queries import PageWords, words_of
from focused.topic.topic import Topic

RELEVANT, NOT_RELEVANT, COPY, FAILED = "relevant", "NOT RELEVANT", "copy", "FAILED"


@dataclass(frozen=True)
class Origin:
    """Where a page was found first.

    provider : who named it; a file or a collection where nobody was asked
    query : the words that it was asked with; empty for none
    """

    provider: str
    query: str = ""


@dataclass(frozen=True)
class Judged:
    """A page that was found, and what it is worth.

    url : canonical, after redirects where there is a page
    relevance : in [0, 1]; -1 where there is no page
    verdict : `RELEVANT`, a kind of `page_kind` where a relevant page hardly says anything itself, `NOT_RELEVANT`, `COPY`, or
        `FAILED` with the reason
    good : whether it may be a seed
    """

    url: str
    host: str
    relevance: float
    verdict: str
    good: bool
    origin: Origin
    title: str = ""


class Judge:
    """Reads responses as the topic does, and says what each is worth.

    Attributes
    ----------
    words : of all pages so far, for the next queries
    """

    def __init__(self, topic: Topic) -> None:
        self.topic = topic
        self.reader, self.model = page_model_of(topic)
        self.keywords = frozenset(self.reader.analyser.terms(" ".join(topic.keywords)))
        self.words: list[PageWords] = []
        self._seen: set[str] = set()  # URLs and contents

    def judge(self, url: str, response: Response, origin: Origin) -> Judged:
        """What the response to a canonical URL is worth."""
        if response.status != 200:
            return self.failed(url, f"http {response.status}", origin)
        page = read_response(self.reader, response)
        if isinstance(page, Unreadable):
            return self.failed(url, page.reason, origin)
        if {page.url, page.content_hash} & self._seen:
            return Judged(page.url, page.host, -1.0, COPY, False, origin, page.title)
        self._seen |= {page.url, page.content_hash}
        relevance = self.model(page)
        relevant = relevance >= self.topic.relevance.threshold and self._is_spoken(page)
        self.words.append(words_of(page, self.reader.analyser, relevant=relevant))
        verdict = (page.kind or RELEVANT) if relevant else NOT_RELEVANT
        return Judged(page.url, page.host, relevance, verdict, relevant and page.kind != STUB, origin, page.title)

    def failed(self, url: str, reason: str, origin: Origin) -> Judged:
        return Judged(url, host_of(url), -1.0, f"{FAILED}: {plain(reason, 80)}", False, origin)

    def _is_spoken(self, page: Page) -> bool:
        languages = self.topic.scope.languages
        return not languages or not page.language or page.language in languages
