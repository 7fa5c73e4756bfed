"""The agent: takes in what is read, looks ahead, and says what it found when it is asked. All it knows stays on this machine."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

from focused.crawl.scope import ScopeRules, lies_on
from focused.desk.agent.diary import Diary
from focused.desk.agent.interest import CommonWords, Interest, Matter, interest_of, matter_of
from focused.desk.agent.links_ahead import Ahead, PagesAhead, Seen, does_something, links_ahead
from focused.exceptions import FocusedError
from focused.page.decoding import decode
from focused.page.media_types import HTML_TYPES
from focused.page.page import Page
from focused.page.plain_text import plain
from focused.page.reader import Reader
from focused.page.urls import host_of
from focused.topic.topic import Topic

MOST_ASKED = 4_000  #: links that are remembered, to be looked at once
PROFILE_WORDS = 15  #: that are shown
LAST_HOUR = 3_600.0
MOST_SECONDS = 60.0  #: of reading that one message can tell
LONGEST_TITLE = 200
PAUSED = "paused"


class Looking(Protocol):
    """Who fetches links ahead (see `agent_spider.LookingAhead`)."""

    @property
    def waiting(self) -> int: ...

    @property
    def in_the_last_hour(self) -> int: ...

    def add(self, links: Sequence[Ahead], *, behind: bool = False) -> None: ...

    def give_up(self) -> None: ...


class Agent:
    """Knows one person's reading.

    Parameters
    ----------
    topic : of the collection that pages are kept for; its scope holds for links ahead
    reader : of the topic
    diary : where visits are kept
    keep : keeps the page at a canonical URL for the collection, and says what became of it
    now : seconds since 1970
    breadth_first : looks at links in page order, and then at those of the pages ahead, whatever their words promise

    Attributes
    ----------
    looking : who looks ahead; whoever runs the agent sets it
    """

    def __init__(
        self,
        topic: Topic,
        reader: Reader,
        diary: Diary,
        keep: Callable[[str], str],
        now: Callable[[], float],
        *,
        breadth_first: bool = False,
    ) -> None:
        self.topic, self.diary, self._keep = topic, diary, keep
        self._reader, self._now, self._breadth_first = reader, now, breadth_first
        self._scope = ScopeRules(topic.scope, topic.seeds)
        self._common = CommonWords()
        self._ahead = PagesAhead()
        self.looking: Looking
        self._asked: OrderedDict[str, float] = OrderedDict()  # URLs of links that were taken up, and when

    @property
    def paused(self) -> bool:
        return self.diary.fact(PAUSED) == "yes"

    def knows_words(self, words: Iterable[str]) -> None:
        """Take the words of a page of any kind for the background."""
        self._common.add(words)

    # What is read

    def read(self, url: str, markup: str) -> dict[str, Any]:
        """A person has begun to read a page. Raises FocusedError for what is no page."""
        if self.paused:
            return {"read": False}
        page = self._reader.read(url, markup.encode("utf-8", "replace"), "text/html; charset=utf-8")
        if not isinstance(page, Page):
            raise FocusedError(page.reason)
        matter = matter_of(self._reader, page, markup)
        self._common.add(matter.words)
        self.diary.visit(page.url, page.host, plain(page.title, LONGEST_TITLE), matter)
        self._ahead.remove(page.url)
        return {"read": True, "ahead": self._look_ahead(page, {} if self._breadth_first else self._interest(matter))}

    def spent(self, url: str, seconds: float) -> dict[str, Any]:
        """A person has read a page for so much longer."""
        canonical = self._reader.rules.canonical(url)
        counts = bool(canonical) and not self.paused and self.diary.spend(canonical or "", min(seconds, MOST_SECONDS))
        return {"read": counts}

    # What lies ahead

    def arrived(self, link: Ahead, body: bytes, content_type: str, x_robots_tag: str = "") -> None:
        """A page ahead was fetched."""
        page = self._reader.read(link.url, body, content_type, x_robots_tag)
        if self._breadth_first and isinstance(page, Page):
            self._look_ahead(page, {}, behind=True)
        if not isinstance(page, Page) or page.content_type not in (*HTML_TYPES, "text/plain") or page.kind:
            return  # a list of links, or a page that says hardly anything, is no suggestion
        markup = decode(body, content_type) if page.content_type in HTML_TYPES else ""
        matter = matter_of(self._reader, page, markup)
        self._common.add(matter.words)
        title = plain(page.title, LONGEST_TITLE) or page.url
        self._ahead.add(Seen(page.url, link, title, matter, self._now()))

    def _look_ahead(self, page: Page, interest: Interest, *, behind: bool = False) -> int:
        """Let links of a page be looked at, before those that wait or ``behind`` them; return how many."""
        ahead = links_ahead(page, interest, self._may_ask)
        for link in ahead:
            self._remember_asked(link.url)
        self.looking.add(ahead, behind=behind)
        return len(ahead)

    def redirected(self, link: Ahead, target: str) -> Ahead | None:
        """The link to go on with where one redirects; None where it leads out of scope or to what is known."""
        canonical = self._reader.rules.canonical(target)
        if canonical is None or does_something(canonical) or not self._may_ask(canonical, host_of(canonical)):
            return None
        self._remember_asked(canonical)
        return Ahead(canonical, host_of(canonical), link.anchor, link.source, link.source_title, link.hops + 1)

    def suggestions(self, url: str) -> list[dict[str, Any]]:
        """Pages ahead that are like the interest, the best first; those that the page at a URL links to say so."""
        read = [(visit.url, visit.matter) for visit in self.diary.visits()]
        here = self._reader.rules.canonical(url) or ""
        return self._ahead.suggestions(self._interest(), self._common.rarity, read, here)

    # What a person says

    def keep(self, url: str) -> dict[str, Any]:
        """Keep a page for the collection. Raises FocusedError where that cannot be done."""
        canonical = self._reader.rules.canonical(url)
        if canonical is None:
            raise FocusedError("only http(s) pages can be kept")
        if barred := self._scope.verdict(canonical, host_of(canonical)):
            raise FocusedError(f"the topic's scope bars it: {barred}")
        return {"kept": canonical, "told": self._keep(canonical)}

    def forget(self, what: str, site: str = "") -> dict[str, Any]:
        """Forget ``all``, the last ``hour``, or a ``site`` (a host, with those below it). Raises FocusedError for anything else."""
        canonical = self._reader.rules.canonical(f"http://{site}/") if site and "/" not in site else None
        host = host_of(canonical) if canonical else ""
        match what:
            case "all":
                self.diary.forget_all()
                self._common = CommonWords()
                self._forget_ahead(lambda _: True)
            case "hour":
                since = self._now() - LAST_HOUR
                self.diary.forget_since(since)
                self._forget_ahead(lambda seen: seen.found >= since)
            case "site" if host:
                self.diary.forget_site(host)
                self._forget_ahead(lambda seen: _is_of(seen, host))
            case _:
                raise FocusedError("say what to forget: all, the last hour, or a site")
        return self.status()

    def pause(self, *, paused: bool) -> dict[str, Any]:
        """Take in nothing, and look at nothing, until a person says so."""
        self.diary.tell(PAUSED, "yes" if paused else "no")
        if paused:
            self.looking.give_up()
        return self.status()

    def status(self) -> dict[str, Any]:
        """What the agent knows, in figures and words."""
        visits, interest = self.diary.visits(), self._interest()
        written = {word: form for visit in visits for word, form in visit.matter.written.items()}
        words = sorted(interest, key=lambda word: (-interest[word], word))[:PROFILE_WORDS]
        return {
            "collection": self.topic.name,
            "paused": self.paused,
            "visits": len(visits),
            "ahead": len(self._ahead),
            "waiting": self.looking.waiting,
            "hour": self.looking.in_the_last_hour,
            "words": [written.get(word, word) for word in words],
        }

    def _forget_ahead(self, which: Callable[[Seen], bool]) -> None:
        self._ahead.forget(which)
        self._asked.clear()
        self.looking.give_up()

    def _interest(self, *opened: Matter) -> Interest:
        """Of all visits; a page that was just opened belongs to it as if it had been read for a while."""
        now = self._now()
        visits = [(visit.matter, visit.began, visit.seconds) for visit in self.diary.visits()]
        visits += [(matter, now, MOST_SECONDS) for matter in opened]
        return interest_of(visits, self._common.rarity, now)

    def _may_ask(self, url: str, host: str) -> bool:
        return url not in self._asked and not self._scope.verdict(url, host) and not self.diary.knows(url)

    def _remember_asked(self, url: str) -> None:
        self._asked[url] = self._now()
        while len(self._asked) > MOST_ASKED:
            self._asked.popitem(last=False)


def _is_of(seen: Seen, host: str) -> bool:
    return lies_on(seen.link.host, (host,)) or lies_on(host_of(seen.link.source), (host,))
