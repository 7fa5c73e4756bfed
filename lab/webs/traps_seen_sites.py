"""Traps of the first set on sites: in paths, in queries, in versions of one page, in redirects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from html import escape
from random import Random
from urllib.parse import parse_qsl, urlencode, urlsplit

from focused.simulation.recorded_web import Answer
from lab.webs.traps_good import GoodPage, word
from lab.webs.traps_text import Content, Link, slug
from lab.webs.traps_trap import Ground, GuestTrap, Trap, path_of, segments


class RepeatedSegments(Trap):
    """``/a/b/a/b/``: every page leads to the same few names below itself, its text is stuffed."""

    kind = "repeated_segments"

    def __init__(self, ground: Ground, variant: int) -> None:
        super().__init__(ground, variant)
        self._names = [slug(name) for name in self.random.sample(self.words.nouns, 3 if variant % 2 else 6)]

    def answer(self, url: str) -> Answer | None:
        if not path_of(url).endswith("/"):
            return None
        random, below = self.of(url), path_of(url)
        links = [Link(f"{below}{name}/", name.replace("-", " ")) for name in self._names]
        return self.page(Content(self.keyword(random), [self.stuffing(random)], listed=links))

    def doors(self, random: Random) -> Sequence[Link]:
        return [Link(f"{self.root}/{name}/", name.replace("-", " ")) for name in self._names]


class FreshSegments(Trap):
    """``/kalor/beltin/sorva/``: deeper and deeper, no name comes twice."""

    kind = "fresh_segments"

    def answer(self, url: str) -> Answer | None:
        random, below = self.of(url), path_of(url).rstrip("/")
        links = [Link(f"{below}/{word(random, 2)}", self.random_noun(url, place)) for place in range(5)]
        return self.page(Content(self.keyword(random), [self.stuffing(random, 60), self.prose(random)], listed=links))

    def random_noun(self, url: str, place: int) -> str:
        return self.of(f"{url} {place}").choice(self.words.nouns)

    def doors(self, random: Random) -> Sequence[Link]:
        return [Link(f"{self.root}/{word(random, 2)}", noun) for noun in random.sample(self.words.nouns, 4)]


class RelativeBug(GuestTrap):
    """``href="overview/page/"`` on each page of a good site's section: each leads one deeper."""

    kind = "relative_bug"

    def __init__(self, ground: Ground, variant: int) -> None:
        super().__init__(ground, variant)
        self._start = f"service-{word(self.random, 2)}"
        self._names = ("overview/", "contact/", f"{slug(self.words.name)}/")

    def answer(self, url: str) -> Answer | None:
        parts = segments(url)
        if parts[:1] != [self._start] or not {f"{part}/" for part in parts[1:]} <= set(self._names):
            return None
        content = Content(f"Service: {parts[-1]}", [self.prose(self.of(parts[-1]))])
        content.listed = [Link(name, f"{name[:-1]}, {self.words.name}") for name in self._names]
        return self.page(content)

    def doors(self, random: Random) -> Sequence[Link]:
        return [Link(f"http://{self.host}/{self._start}/", f"{self.words.name} service")]


class Calendar(GuestTrap):
    """Months without end, by path or by parameter, on a good site; nothing is ever planned."""

    kind = "calendar"

    def __init__(self, ground: Ground, variant: int) -> None:
        super().__init__(ground, variant)
        self._base = f"/events-{word(self.random, 2)}"

    def answer(self, url: str) -> Answer | None:
        day = self._day(url)
        if day is None:
            return None
        around = [day + timedelta(days) for days in (-31, -1, 1, 7, 31, 366)]
        links = [Link(self._url(other), f"{self.keyword(self.of(url))} events {other:%B %Y}") for other in around]
        text = f"Events on {day:%d %B %Y}. Nothing is planned about {self.words.name} so far."
        return self.page(Content(f"{self.words.name.capitalize()} events, {day:%d %B %Y}", [text], listed=links))

    def _url(self, day: date) -> str:
        if self.variant % 2:
            return f"http://{self.host}{self._base}?month={day:%Y-%m}&day={day.day}"
        return f"http://{self.host}{self._base}/{day:%Y/%m/%d}/"

    def _day(self, url: str) -> date | None:
        if not path_of(url).startswith(self._base):
            return None
        digits = [int(part) for part in _numbers(url.partition(self._base)[2])]
        try:
            found = date(*digits)
            return found if self._url(found) == url and 1800 < found.year < 2800 else None
        except (TypeError, ValueError, OverflowError):
            return None

    def doors(self, random: Random) -> Sequence[Link]:
        return [Link(self._url(date(2024, 5, 1)), f"{self.words.name} events")]


def _numbers(text: str) -> list[str]:
    digits = "".join(letter if letter.isascii() and letter.isdigit() else " " for letter in text)
    return [number for number in digits.split() if len(number) <= 4]


SESSION = 16  #: hexadecimal digits of a session


class Permutations(Trap):
    """A stuffed page that any set of words in any order leads to, each with any value."""

    kind = "permutations"

    def __init__(self, ground: Ground, variant: int) -> None:
        super().__init__(ground, variant)
        self._names = [slug(name) for name in self.random.sample(self.words.nouns, 8)]

    def answer(self, url: str) -> Answer | None:
        random, given = self.of(url), parse_qsl(urlsplit(url).query, keep_blank_values=True)
        links = []
        for _ in range(8):
            chosen = [
                *random.sample(given, min(len(given), 6)),
                (random.choice(self._names), str(random.randint(1, 9))),
            ]
            random.shuffle(chosen)
            links.append(Link(f"/find?{urlencode(chosen)}", random.choice(self.words.nouns)))
        return self.page(Content(self.keyword(random), [self.stuffing(random)], listed=links))

    def doors(self, random: Random) -> Sequence[Link]:
        return [Link(f"{self.root}/find?{name}=1", name.replace("-", " ")) for name in self._names]


class IdleParameters(Trap):
    """Articles of a site of its own under any tracking, sorting or viewing parameter: the page stays what it was."""

    kind = "idle_parameters"
    parameters = (("ref", "sort", "view", "from"), ("tracking", "order", "display", "src"))
    articles = 12

    def answer(self, url: str) -> Answer | None:
        number = path_of(url).rpartition("/")[2]
        if not (number.isdecimal() and len(number) < 4 and int(number) < self.articles):
            return None
        random = self.of(number)  # the text depends on nothing else
        paragraphs, title = [self.prose(random) for _ in range(3)], f"{self.keyword(random)} {number}"
        chance, names = self.of(url), self.parameters[self.variant % len(self.parameters)]
        links = [
            Link(f"/article/{chance.randrange(self.articles)}?{chance.choice(names)}={chance.getrandbits(32):x}", noun)
            for noun in chance.sample(self.words.nouns, 8)
        ]
        return self.page(Content(title, paragraphs, listed=links, head=self.head(url)))

    def head(self, url: str) -> str:
        """Further tags of a page's head."""
        return ""

    def doors(self, random: Random) -> Sequence[Link]:
        return [Link(f"{self.root}/article/{number}?ref=home", self.keyword(random)) for number in range(4)]


class Sessions(GuestTrap):
    """Good articles on their own good site under a session that each page view begins anew, in path or query."""

    kind = "sessions"

    def __init__(self, ground: Ground, variant: int) -> None:
        super().__init__(ground, variant)
        plain = {url: page for url, page in self.pages.items() if "?" not in url}
        if plain:
            self.pages = plain
        else:  # a shop has parameters of its own
            self.variant = 2

    def with_session(self, url: str, session: str) -> str:
        if self.variant == 2:
            return f"{url}&sid={session}"
        if self.variant % 2:
            return f"{url};jsessionid={session}"
        return url.replace(f"http://{self.host}/", f"http://{self.host}/(S({session}))/")

    def without_session(self, url: str) -> str | None:
        if self.variant == 2:
            plain, _, session = url.rpartition("&sid=")
        elif self.variant % 2:
            plain, _, session = url.rpartition(";jsessionid=")
        else:
            before, _, rest = url.partition("/(S(")
            session, _, path = rest.partition("))/")
            plain = f"{before}/{path}"
        is_session = len(session) == SESSION and set(session) <= set("0123456789abcdef")
        return plain if is_session and plain in self.pages else None

    def original(self, url: str) -> GoodPage | None:
        return self.pages.get(self.without_session(url) or "")

    def answer(self, url: str) -> Answer | None:
        page = self.original(url)
        if page is None:
            return None
        good, random = self.ground.good, self.of(url)
        content = good.content(page)
        chosen = self.some_pages(random, 8)
        content.listed = [Link(self._fresh(other, url), self.pages[other].title) for other in chosen]
        return self.page(content)

    def _fresh(self, url: str, referrer: str) -> str:
        return self.with_session(url, f"{self.of(f'{referrer} {url}').getrandbits(4 * SESSION):0{SESSION}x}")

    def doors(self, random: Random) -> Sequence[Link]:
        return [Link(self._fresh(url, "door"), self.pages[url].title) for url in sorted(self.pages)[:4]]


FACETS = (
    ("colour", ("red", "green", "blue", "white", "black")),
    ("size", ("small", "medium", "large", "huge")),
    ("year", ("2018", "2019", "2020", "2021", "2022", "2023")),
    ("price", ("low", "middle", "high")),
    ("sort", ("name", "date", "rating", "price")),
)


class Versions(GuestTrap):
    """Articles of a good site once more: to print, and under each reply to a comment. The articles themselves lead there."""

    kind = "versions"
    most = 200  #: replies to one article

    def original(self, url: str) -> GoodPage | None:
        for mark in ("replytocom=", "print="):
            plain, _, number = url.rpartition(mark)
            if number.isdecimal() and int(number[:4]) < self.most:
                return self.pages.get(plain[:-1])
        return None

    def answer(self, url: str) -> Answer | None:
        page = self.original(url)
        if page is None:
            return None
        content = self.ground.good.content(page)
        content.comments = self._replies(page, self.of(url).randrange(self.most))
        return self.page(content)

    def _replies(self, page: GoodPage, first: int = 0) -> list[Link]:
        mark = "&" if "?" in page.url else "?"
        links = [
            Link(f"{page.url}{mark}replytocom={(first + place) % self.most}", f"Reply on {page.title}")
            for place in range(4)
        ]
        return [Link(f"{page.url}{mark}print=1", "print version"), *links]

    def on_pages(self) -> Iterator[tuple[GoodPage, Link]]:
        return ((page, link) for page in self.pages.values() for link in self._replies(page))

    def doors(self, random: Random) -> Sequence[Link]:
        return self._replies(next(iter(self.pages.values())))


class Declared(IdleParameters):
    """The same as idle parameters, but each page declares the address without them as its canonical one."""

    kind = "declared_versions"

    def head(self, url: str) -> str:
        return f'<link rel="canonical" href="{escape(url.partition("?")[0])}">'


class Facets(GuestTrap):
    """A list of a good site with filters, in any order and number: all lists show some of the same articles."""

    kind = "facets"

    def __init__(self, ground: Ground, variant: int) -> None:
        super().__init__(ground, variant)
        self._base = f"/filter-{word(self.random, 2)}"

    def answer(self, url: str) -> Answer | None:
        chosen = path_of(url).removeprefix(f"{self._base}/").strip("/").split("/")
        filters = {f"{name}-{value}" for name, values in FACETS for value in values}
        if not path_of(url).startswith(f"{self._base}/") or not set(chosen) - {""} <= filters:
            return None
        random = self.of(url)
        shown = random.sample(list(self.pages.values()), min(5, len(self.pages)))
        listed = [Link(page.url, page.title) for page in shown]
        more = random.sample(sorted(filters - set(chosen)), min(8, len(filters - set(chosen))))
        listed += [
            Link(f"{path_of(url).rstrip('/')}/{name}/", f"{self.words.name}, {name.replace('-', ' ')}") for name in more
        ]
        title = f"{self.words.name.capitalize()} articles: {', '.join(filter(None, chosen))}"
        return self.page(Content(title, listed=listed))

    def doors(self, random: Random) -> Sequence[Link]:
        return [Link(f"http://{self.host}{self._base}/", f"all {self.words.name} articles by colour, size and year")]


TOKEN = 12  #: hexadecimal digits


class Redirects(Trap):
    """Chains of fresh addresses. They end at a stuffed page that leads to more such chains; in odd variants they never do."""

    kind = "redirects"

    def answer(self, url: str) -> Answer | None:
        parts = path_of(url).strip("/").split("/")
        if len(parts) != 3 or parts[0] != "go" or parts[1] not in "0123":
            return None
        left, random = int(parts[1]), self.of(url)
        if self.variant % 2 or left:
            following = f"/go/{max(0, left - 1)}/{random.getrandbits(4 * TOKEN):0{TOKEN}x}"
            return Answer(302, (("Location", following),), b"")
        links = [Link(self._door(random), noun) for noun in random.sample(self.words.nouns, 8)]
        return self.page(Content(self.keyword(random), [self.stuffing(random)], listed=links))

    def _door(self, random: Random) -> str:
        return f"{self.root}/go/{random.randint(0, 3)}/{random.getrandbits(4 * TOKEN):0{TOKEN}x}"

    def doors(self, random: Random) -> Sequence[Link]:
        return [Link(self._door(self.of(keyword)), keyword) for keyword in self.words.keywords]
