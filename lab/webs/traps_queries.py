"""Traps in queries: parameters that are permuted, that change nothing, that name a session."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from urllib.parse import parse_qsl, urlencode, urlsplit

from focused.simulation.recorded_web import Answer
from lab.webs.traps_good import GoodPage
from lab.webs.traps_html import Content, Link
from lab.webs.traps_text import slug
from lab.webs.traps_trap import Ground, GuestTrap, Trap, path_of

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
