"""Traps that copy: mirrors of good articles, and sites where whatever is asked for is there (soft 404s)."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from focused.simulation.recorded_web import Answer
from lab.webs.traps_good import GoodPage
from lab.webs.traps_html import Content, Link
from lab.webs.traps_sites import word
from lab.webs.traps_text import Prose, slug
from lab.webs.traps_trap import Ground, Trap, path_of

GOOD_SITE = 3  #: variant of a trap without end that is a good site's mistake


class Mirror(Trap):
    """Copies of good articles on hosts of their own, linked with each other. Even variants copy exactly.

    Odd ones change a little: the date, an advertisement, the order of two paragraphs.
    """

    kind = "mirror"
    size = addresses = 3
    copied = 60

    def __init__(self, ground: Ground, variant: int) -> None:
        super().__init__(ground, variant)
        self._pages = {
            f"/{slug(page.title)}-{place}.html": page for place, page in enumerate(self.some_articles(self.copied))
        }

    def original(self, url: str) -> GoodPage | None:
        return self._pages.get(path_of(url)) if "?" not in url else None

    def answer(self, url: str) -> Answer | None:
        page, random = self.original(url), self.of(url)
        if page is None and path_of(url) != "/":
            return None
        links = [self._link(random, path) for path in random.sample(sorted(self._pages), min(8, len(self._pages)))]
        if page is None:
            return self.page(Content(f"All about {self.words.name}", listed=links))
        copied = self.ground.good.content(page)
        paragraphs = self._changed(list(copied.paragraphs), random) if self.variant % 2 else copied.paragraphs
        return self.page(Content(page.title, paragraphs, listed=links))

    def _changed(self, paragraphs: list[str], random: Random) -> list[str]:
        place = random.randrange(len(paragraphs))
        paragraphs.append(paragraphs.pop(place))
        paragraphs.insert(random.randint(0, len(paragraphs)), f"Advertisement: {Prose('', random).sentence()}")
        return [f"Posted on {random.randint(1, 28)} {random.choice(('May', 'June', 'July'))} 2024.", *paragraphs]

    def _link(self, random: Random, path: str) -> Link:
        return Link(f"http://{random.choice(self.hosts)}{path}", self._pages[path].title)

    def doors(self, random: Random) -> Sequence[Link]:
        return [self._link(random, path) for path in sorted(self._pages)[:12]]


class Agreeing(Trap):
    """Whatever is asked for is there. Its last variant is a good site's mistake, in the `form` of the first."""

    def __init__(self, ground: Ground, variant: int) -> None:
        super().__init__(ground, variant)
        self.form = variant % GOOD_SITE
        if variant == GOOD_SITE:
            self.on_good_site()
            self.takes_all = True


class SoftNotFound(Agreeing):
    """Whatever is asked for is there, status 200.

    Variant 0 says that nothing was found, 1 shows its home page, 2 shows stuffed results of a search for the URL's words;
    variant 3 is a good site that says that nothing was found.
    """

    kind = "soft_404"

    def answer(self, url: str) -> Answer | None:
        random = self.of(url)
        links = [Link(f"/{slug(noun)}-{word(random, 2)}.html", noun) for noun in random.sample(self.words.nouns, 8)]
        if self.form == 0:
            text = (
                f"Sorry, the page {path_of(url)} about {self.words.name} could not be found. You may like one of these."
            )
            return self.page(Content("Page not found", [text], listed=links))
        if self.form == 1:
            text = self.prose(self.of("home"), 6, 6)
            return self.page(Content(f"Welcome to our site about {self.words.name}", [text], listed=links))
        wanted = path_of(url).strip("/").replace("-", " ").removesuffix(".html")
        results = [f"{wanted}: {self.stuffing(random, 20)}" for _ in range(5)]
        return self.page(Content(f"Results for {wanted}", results, listed=links))

    def doors(self, random: Random) -> Sequence[Link]:
        nouns = random.sample(self.words.nouns, 6)
        return [Link(f"http://{self.host}/articles/{slug(noun)}.html", noun) for noun in nouns]
