"""Traps of the third set that show good pages again, or a page for whatever is asked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from urllib.parse import quote

from focused.simulation.recorded_web import Answer, html_answer
from lab.webs.traps_copies import Agreeing
from lab.webs.traps_fresh import FreshGuest, FreshTrap, with_parameter
from lab.webs.traps_good import GoodPage
from lab.webs.traps_html import Content, Link
from lab.webs.traps_sites import word
from lab.webs.traps_text import slug
from lab.webs.traps_trap import Ground, path_of

CAPTURE = re.compile(r"http://[^/]+/replay/(\d{14})/http:/{1,2}(.+)")
REVISION = re.compile(r"(.+?)[?&](oldid|diff|history)=(\d{1,9})")
FIRST = datetime(2003, 1, 1, tzinfo=UTC)  #: capture of the archive
DAYS = 7500  #: of captures


class StagingCopy(FreshTrap):
    """A whole good site on the host on which its owners try things out; its links stay there. It has an end."""

    kind = "staging_copy"
    names = ("staging", "old")

    def __init__(self, ground: Ground, variant: int) -> None:
        super().__init__(ground, variant)
        articles = Counter(page.site.host for page in ground.good.relevant)
        large = [host for host, count in sorted(articles.items()) if count >= max(articles.values()) // 4]
        self._copied = large[self.random.randrange(len(large))]
        self.host = f"{self.names[variant % len(self.names)]}.{self._copied.removeprefix('www.')}"
        self.hosts = (self.host,)

    def _page(self, url: str) -> GoodPage | None:
        return self.ground.good.pages.get(url.replace(f"http://{self.host}/", f"http://{self._copied}/", 1))

    def original(self, url: str) -> GoodPage | None:
        page = self._page(url)
        return page if page and page.topic else None

    def answer(self, url: str) -> Answer | None:
        page = self._page(url)
        if page is None:
            return None
        body = self.ground.good.html(page)
        return html_answer(body.replace(f'href="http://{self._copied}/'.encode(), f'href="{self.root}/'.encode()))

    def doors(self, random: Random) -> Sequence[Link]:
        pages = [page for page in self.ground.good.relevant if page.site.host == self._copied]
        return [Link(page.url.replace(self._copied, self.host, 1), page.title) for page in pages[:6]]


class WebArchive(FreshTrap):
    """Good articles as they were at any time: captures lead to others, and to what they cite."""

    kind = "web_archive"
    cited = 30  #: articles that lead to a capture, as people cite what may go

    def original(self, url: str) -> GoodPage | None:
        found = CAPTURE.fullmatch(url)
        page = self.ground.good.pages.get(f"http://{found[2]}") if found else None
        return page if page and page.topic else None

    def answer(self, url: str) -> Answer | None:
        page, found = self.original(url), CAPTURE.fullmatch(url)
        if path_of(url) == "/":
            return self.page(
                Content("The archive", ["Find out what a page was like."], listed=self.doors(self.of(url)))
            )
        try:
            time = datetime.strptime(found[1], "%Y%m%d%H%M%S").replace(tzinfo=UTC) if found else None
        except ValueError:
            return None
        if page is None or time is None:
            return None
        content, random = self.ground.good.content(page), self.of(url)
        around = [time + timedelta(seconds=random.randint(-9_000_000, 9_000_000)) for _ in range(3)]
        content.listed = [self._capture(page, other, f"capture of {other:%B %Y}") for other in around]
        inside = [(link, self.ground.good.pages.get(link.url)) for link in page.inline]
        content.inline = [self._capture(other, time, link.text) for link, other in inside if other and other.topic]
        content.comments = ()
        return self.page(content)

    def _capture(self, page: GoodPage, time: datetime, told: str) -> Link:
        near = time + timedelta(seconds=self.of(f"{page.url} {time}").randint(-400_000, 400_000))
        return Link(f"{self.root}/replay/{near:%Y%m%d%H%M%S}/{page.url}", told)

    def on_pages(self) -> Iterator[tuple[GoodPage, Link]]:
        random = self.of("cited")
        for page in random.sample(self.ground.good.articles, min(self.cited, len(self.ground.good.articles))):
            yield page, self._drawn(random)

    def _drawn(self, random: Random) -> Link:
        page = random.choice(self.ground.good.relevant)
        return self._capture(page, FIRST + timedelta(days=random.randrange(DAYS)), f"{page.title} (archived)")

    def doors(self, random: Random) -> Sequence[Link]:
        return [self._drawn(random) for _ in range(6)]


class Revisions(FreshGuest):
    """How each article of a good site was before: its old states, what changed between two, and lists of them without end."""

    kind = "revisions"

    def original(self, url: str) -> GoodPage | None:
        found = REVISION.fullmatch(url)
        return self.pages.get(found[1]) if found and found[2] == "oldid" else None

    def answer(self, url: str) -> Answer | None:
        found, random = REVISION.fullmatch(url), self.of(url)
        page = self.pages.get(found[1]) if found else None
        if found is None or page is None:
            return None
        number, content = int(found[3]), self.ground.good.content(page)
        if found[2] == "history":
            links = [self._link(page, kind, number + step) for step in range(3) for kind in ("oldid", "diff")]
            links += [self._link(page, "history", number + 50), self._link(page, "history", number + 500)]
            return self.page(Content(f"{page.title}: revision history", listed=links))
        links = [self._link(page, "oldid", max(1, number + step)) for step in (-1, 1)]
        links += [self._link(page, "diff", number), self._link(page, "history", random.randrange(0, 5000, 50))]
        if found[2] == "oldid":
            day = f"{random.randint(1, 28)} May {random.randint(2006, 2023)}"
            return self.page(Content(page.title, [f"Revision {number} of {day}.", *content.paragraphs], listed=links))
        changed = random.choice(content.paragraphs)
        return self.page(
            Content(
                f"{page.title}: difference",
                [f"Line {random.randint(1, 60)}: - {changed}", f"+ {changed}"],
                listed=links,
            )
        )

    def _link(self, page: GoodPage, kind: str, number: int) -> Link:
        return Link(with_parameter(page.url, f"{kind}={number}"), f"{page.title}: {kind} {number}")

    def link_to(self, page: GoodPage) -> Link:
        return self._link(page, "history", 0)

    def doors(self, random: Random) -> Sequence[Link]:
        return [self._link(page, "oldid", 1000) for page in list(self.pages.values())[:4]]


class GonePages(Agreeing, FreshTrap):
    """Whatever is asked for is there. Variant 0 is a shop that has sold it, 1 says sorry elsewhere, 2 asks for consent.

    Variant 3 is a good site on which visitors may begin any page that is not there.
    """

    kind = "gone_pages"

    def answer(self, url: str) -> Answer | None:
        random = self.of(url)
        wanted = path_of(url).rpartition("/")[2].partition(".")[0].replace("_", " ") or self.words.name
        links = [self._link(random, noun) for noun in random.sample(self.words.nouns, 7)]
        if self.site:
            text = f"There is no text on this page yet. You may write about {wanted} or look at other {self.words.name} pages."
            return self.page(Content(wanted, [text], listed=links))
        if self.variant == 0:
            text = f"{wanted.capitalize()} is sold out and will not come back. Others who love {self.words.name} chose:"
            return self.page(Content(f"{wanted.capitalize()} (sold out)", [text], listed=links))
        if self.variant == 1 and path_of(url) != "/sorry":
            return Answer(302, (("Location", f"http://{self.host}/sorry?from={quote(path_of(url))}"),), b"")
        if self.variant == 1:
            return self.page(Content("Sorry!", [f"We moved. Our {self.words.name} pages may be here:"], listed=links))
        asked = f"{len(links) * 93} partners would like to know that you read about {self.words.name}"
        text = f"Before you go on to {wanted}: our {asked}."
        return self.page(Content(f"{self.words.name.capitalize()} - your choice", [text], listed=links))

    def _link(self, random: Random, noun: str) -> Link:
        end = f"{slug(noun).replace('-', '_')}_{word(random, 1)}{random.randint(10, 999)}"
        return Link(f"http://{self.host}/{end}.php" if self.variant % 2 else f"http://{self.host}/i/{end}", noun)

    def doors(self, random: Random) -> Sequence[Link]:
        return [self._link(random, noun) for noun in random.sample(self.words.nouns, 6)]
