"""Traps of the fresh set that are mistakes and copies of good sites: loops, links that grow, endless days, archives."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from html import escape
from itertools import pairwise
from random import Random
from urllib.parse import parse_qs, quote, urlsplit

from focused.simulation.recorded_web import Answer, html_answer
from lab.webs.traps_good import GoodPage, word
from lab.webs.traps_seen_texts import Agreeing
from lab.webs.traps_text import Content, Link, slug
from lab.webs.traps_trap import FreshGuest, FreshTrap, Ground, Trap, path_of, segments, with_parameter


class SymlinkLoop(Trap):
    """``Index of /pub/latest/latest/caves/``: folders of files as a server lists them, one of which is a link to the first."""

    kind = "symlink_loop"
    files = 5

    def __init__(self, ground: Ground, variant: int) -> None:
        super().__init__(ground, variant)
        self.on_good_site()
        self._base = f"/pub-{word(self.random, 2)}"
        self._folders = [slug(noun) for noun in self.random.sample(self.words.nouns, 3)]
        self._files = [f"{slug(noun)}.html" for noun in self.random.sample(self.words.nouns, self.files * 4)]

    def answer(self, url: str) -> Answer | None:
        path, (first, *rest) = path_of(url), segments(url) or [""]
        if f"/{first}" != self._base or "?" in url:
            return None
        if rest and rest[-1] in self._files and not path.endswith("/"):
            return self._file(rest[-1]) if self._is_folder(rest[:-1]) else None
        if not path.endswith("/") or not self._is_folder(rest):
            return None
        below = () if rest and rest[-1] in self._folders else self._folders
        entries = [*(f"{name}/" for name in ("latest", *below)), *self._in(rest)]
        lines = "\n".join(f'<a href="{escape(name)}">{escape(name)}</a>   2019-04-02 11:17' for name in entries)
        body = f'<h1>Index of {escape(path)}</h1>\n<pre><a href="../">Parent Directory</a>\n{lines}</pre>'
        return html_answer(f"<!DOCTYPE html><html><head><title>Index of {path}</title></head>{body}</html>".encode())

    def _is_folder(self, parts: Sequence[str]) -> bool:
        """Only the link leads on below a folder."""
        return set(parts) <= {"latest", *self._folders} and all("latest" in pair for pair in pairwise(parts))

    def _in(self, parts: Sequence[str]) -> list[str]:
        place = self._folders.index(parts[-1]) + 1 if parts and parts[-1] in self._folders else 0
        return self._files[place * self.files :][: self.files]

    def _file(self, name: str) -> Answer:
        random = self.of(name)
        title = name.removesuffix(".html").replace("-", " ").capitalize()
        return self.page(Content(title, [self.prose(random) for _ in range(4)], listed=[Link("./", "up")]))

    def doors(self, random: Random) -> Sequence[Link]:
        return [Link(f"http://{self.host}{self._base}/", f"files about {self.words.name}")]


class MissingScheme(FreshGuest):
    """``/club/www.caves.example/club/``: somebody wrote links without ``http://``, and the site does not mind what comes before."""

    kind = "missing_scheme"

    def __init__(self, ground: Ground, variant: int) -> None:
        super().__init__(ground, variant)
        self._base = f"section-{word(self.random, 2)}"
        self._names = ("start", "meetings", "library", slug(self.words.name))

    def answer(self, url: str) -> Answer | None:
        parts = segments(url)
        if parts[:1] != [self._base] or "?" in url or parts[-1] not in self._names:
            return None
        if not set(parts) <= {self.host, self._base, *self._names}:
            return None
        shown = parts[-1]
        links = [Link(f"{self.host}/{self._base}/{name}", f"{self.words.name}: {name}") for name in self._names]
        listed = self.some_pages(self.of(shown), 3)
        links += [Link(page, self.pages[page].title) for page in listed]
        return self.page(
            Content(f"Section {shown}", [self.prose(self.of(f"{shown} {n}")) for n in range(3)], listed=links)
        )

    def on_pages(self) -> Iterator[tuple[GoodPage, Link]]:
        return iter(())

    def doors(self, random: Random) -> Sequence[Link]:
        return [Link(f"http://{self.host}/{self._base}/start", f"{self.words.name} section")]


class ClubDiary(FreshGuest):
    """What a club does on each day for ever: the same meetings come again each week. By seconds since 1970, or by months' names."""

    kind = "club_diary"

    def __init__(self, ground: Ground, variant: int) -> None:
        super().__init__(ground, variant)
        self._base = f"/diary-{word(self.random, 2)}"

    def answer(self, url: str) -> Answer | None:
        day = self._day(url)
        if day is None:
            return None
        random = self.of(f"weekday {day.weekday()}")
        noun = random.choice(self.words.nouns)
        text = [f"{day:%A}, 19:30: regular meeting on the {noun}.", self.prose(random, 1, 2)]
        around = [("previous", -1), ("next", 1), ("last week", -7), ("next week", 7), ("next month", 30), ("year", 364)]
        links = [Link(self._url(day + timedelta(step)), f"{self.words.name} diary, {told}") for told, step in around]
        return self.page(
            Content(f"{self.words.name.capitalize()} diary: {day:%A} {day.day} {day:%B %Y}", text, listed=links)
        )

    def _url(self, day: date) -> str:
        if self.variant % 2:
            return f"http://{self.host}{self._base}/{day.year}/{day:%B}/{day.day}-{day:%A}".lower()
        seconds = int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp())
        return f"http://{self.host}{self._base}.cgi?t={seconds}&v=day"

    def _day(self, url: str) -> date | None:
        if not path_of(url).startswith(self._base):
            return None
        try:
            if self.variant % 2:
                year, month, day = path_of(url).removeprefix(f"{self._base}/").rpartition("-")[0].split("/")
                found = datetime.strptime(f"{year} {month} {day}", "%Y %B %d").replace(tzinfo=UTC).date()
            else:
                found = datetime.fromtimestamp(int(parse_qs(urlsplit(url).query)["t"][0]), UTC).date()
            return found if self._url(found) == url and 1900 < found.year < 2900 else None
        except (ValueError, KeyError, OverflowError, OSError):
            return None

    def on_pages(self) -> Iterator[tuple[GoodPage, Link]]:
        return iter(())

    def doors(self, random: Random) -> Sequence[Link]:
        return [Link(self._url(date(2024, 9, 3)), f"{self.words.name} club diary")]


class VisitorNumbers(FreshGuest):
    """Articles of a good site with a number for the visitor in each link, of one of three makes."""

    kind = "visitor_numbers"
    forms = (
        re.compile(r"(?P<plain>.+)[?&]PHPSESSID=[0-9a-v]{26}"),
        re.compile(r"(?P<plain>.+)/ref=nav_\d{1,2}/\d{3}-\d{7}-\d{7}"),
        re.compile(r"(?P<plain>.+)[?&]CFID=\d{7}&CFTOKEN=\d{8}"),
    )

    def __init__(self, ground: Ground, variant: int) -> None:
        super().__init__(ground, variant)
        self._form = variant % len(self.forms)
        if any("?" in url for url in self.pages) and self._form == 1:
            self._form = 2

    def original(self, url: str) -> GoodPage | None:
        found = self.forms[self._form].fullmatch(url)
        plain = found["plain"] if found else ""
        return self.pages.get(plain) or self.pages.get(f"{plain}/")

    def answer(self, url: str) -> Answer | None:
        page = self.original(url)
        if page is None:
            return None
        content = self.ground.good.content(page)
        chosen = self.some_pages(self.of(url), 7)
        content.listed = [self._numbered(self.pages[other], url) for other in chosen]
        return self.page(content)

    def _numbered(self, page: GoodPage, referrer: str) -> Link:
        random = self.of(f"{referrer} {page.url}")
        if self._form == 0:
            session = "".join(random.choices("0123456789abcdefghijklmnopqrstuv", k=26))
            return Link(with_parameter(page.url, f"PHPSESSID={session}"), page.title)
        if self._form == 1:
            end = f"{random.randint(100, 999)}-{random.randrange(10**7):07}-{random.randrange(10**7):07}"
            return Link(f"{page.url.rstrip('/')}/ref=nav_{random.randint(1, 40)}/{end}", page.title)
        numbers = f"CFID={random.randrange(10**6, 10**7)}&CFTOKEN={random.randrange(10**7, 10**8)}"
        return Link(with_parameter(page.url, numbers), page.title)

    def on_pages(self) -> Iterator[tuple[GoodPage, Link]]:
        """The first articles only: who comes by a search engine has no number yet."""
        pages = list(self.pages.values())
        return ((page, self._numbered(other, "door")) for page, other in pairwise(pages[:6]))

    def doors(self, random: Random) -> Sequence[Link]:
        return [self._numbered(page, "door") for page in list(self.pages.values())[:5]]


class ReturnAddresses(FreshGuest):
    """Who wants to comment must sign in first, and comes back afterwards: each form keeps the address of the one before."""

    kind = "return_addresses"
    steps = ("sign-in", "register", "forgotten", "help")
    longest = 6000  #: characters of an address

    def __init__(self, ground: Ground, variant: int) -> None:
        super().__init__(ground, variant)
        self._base = f"/members-{word(self.random, 2)}"

    def answer(self, url: str) -> Answer | None:
        step, back = path_of(url).removeprefix(f"{self._base}/"), parse_qs(urlsplit(url).query).get("return", [""])[0]
        if step not in self.steps or not path_of(url).startswith(self._base) or not back or len(url) > self.longest:
            return None
        here = url.removeprefix(f"http://{self.host}")
        links = [self._link(other, here, other.replace("-", " ")) for other in self.steps if other != step]
        links.append(Link(back, "back"))
        text = f"Please {step.replace('-', ' ')} before you write about {self.words.name}. Members help each other."
        return self.page(Content(f"{step.capitalize()}, {self.words.name} members", [text], listed=links))

    def _link(self, step: str, back: str, told: str) -> Link:
        return Link(f"http://{self.host}{self._base}/{step}?return={quote(back)}", f"{self.words.name}: {told}")

    def link_to(self, page: GoodPage) -> Link:
        return self._link("sign-in", page.url.removeprefix(f"http://{self.host}"), f"comment on {page.title}")

    def doors(self, random: Random) -> Sequence[Link]:
        return [self.link_to(page) for page in list(self.pages.values())[:4]]


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
