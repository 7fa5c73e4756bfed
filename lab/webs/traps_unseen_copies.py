"""Traps of the second set that show good articles again, or the same list for ever."""

from __future__ import annotations

import re
from base64 import b32encode
from collections.abc import Iterator, Sequence
from html import escape
from random import Random

from focused.simulation.recorded_web import Answer, html_answer
from lab.webs.traps_good import GoodPage
from lab.webs.traps_html import Content, Link, html
from lab.webs.traps_sites import word
from lab.webs.traps_text import slug
from lab.webs.traps_trap import Ground, GuestTrap, path_of
from lab.webs.traps_unseen import LANGUAGES, ForeignTrap, translated

MATRIX = re.compile(r"(.+?);v=(\d{1,6});lang=([a-z]{2})")
VISIT = re.compile(r"(http://[^/]+)/~s-([A-Z2-7]{16})(/.*)")
PREFIX = re.compile(r"(http://[^/]+)((?:/[a-z]{2}){1,600})_(/.*)")
AMP = re.compile(r"(.+?)((?:[/&]amp)+)")


class Matrix(GuestTrap):
    """``;v=17;lang=de`` behind the path of each article: any version is the same."""

    kind = "matrix_parameters"

    def original(self, url: str) -> GoodPage | None:
        found = MATRIX.fullmatch(url)
        return self.pages.get(found[1]) if found else None

    def answer(self, url: str) -> Answer | None:
        page, random = self.original(url), self.of(url)
        if page is None:
            return None
        chosen = self.some_pages(random, 8)
        return self.page(self.shown(page, [self._link(other, random.randrange(10**6)) for other in chosen]))

    def _link(self, url: str, version: int) -> Link:
        return Link(f"{url};v={version};lang={self.of(url).choice(sorted(LANGUAGES))}", self.pages[url].title)

    def doors(self, random: Random) -> Sequence[Link]:
        return [self._link(url, 1) for url in sorted(self.pages)[:5]]


class Visits(GuestTrap):
    """``/~s-7QK3.../``: a folder for each visit, before the path of each article."""

    kind = "visits"

    def original(self, url: str) -> GoodPage | None:
        found = VISIT.fullmatch(url)
        return self.pages.get(found[1] + found[3]) if found else None

    def answer(self, url: str) -> Answer | None:
        page = self.original(url)
        if page is None:
            return None
        chosen = self.some_pages(self.of(url), 8)
        return self.page(self.shown(page, [self._link(other, url) for other in chosen]))

    def _link(self, url: str, referrer: str) -> Link:
        visit = b32encode(self.of(f"{referrer} {url}").randbytes(10)).decode()
        return Link(url.replace(f"http://{self.host}/", f"http://{self.host}/~s-{visit}/"), self.pages[url].title)

    def doors(self, random: Random) -> Sequence[Link]:
        return [self._link(url, "door") for url in sorted(self.pages)[:5]]


class Translations(GuestTrap):
    """``/de/fr/de_/``: prefixes of languages that add up; menus are translated, the text never is."""

    kind = "translations"

    def original(self, url: str) -> GoodPage | None:
        found = PREFIX.fullmatch(url)
        is_ours = found and set(found[2].strip("/").split("/")) <= LANGUAGES.keys()
        return self.pages.get(found[1] + found[3]) if found and is_ours else None

    def answer(self, url: str) -> Answer | None:
        page, found = self.original(url), PREFIX.fullmatch(url)
        if page is None or found is None:
            return None
        languages = found[2].strip("/").split("/")
        links = [Link(f"{found[1]}{found[2]}/{code}_{found[3]}", f"{page.title} ({code})") for code in LANGUAGES]
        others = self.some_pages(self.of(url), 4)
        links += [Link(f"{found[1]}{found[2]}_{path_and_query(other)}", self.pages[other].title) for other in others]
        template = translated(languages[-1], page.site.name, page.site.layout)
        return html_answer(html(template, self.shown(page, links), languages[-1]))

    def on_pages(self) -> Iterator[tuple[GoodPage, Link]]:
        for url, page in self.pages.items():
            for code in LANGUAGES:
                yield page, Link(f"http://{self.host}/{code}_{path_and_query(url)}", f"{page.title} ({code})")

    def doors(self, random: Random) -> Sequence[Link]:
        return [Link(f"http://{self.host}/de_{path_and_query(url)}", page.title) for url, page in self.pages.items()][
            :5
        ]


class Amp(GuestTrap):
    """A short version of each article behind it, which by mistake has one, too; the first declares the article."""

    kind = "amp_copies"

    def original(self, url: str) -> GoodPage | None:
        found = AMP.fullmatch(url)
        plain = found[1] if found else ""
        return self.pages.get(plain) or self.pages.get(f"{plain}/")

    def answer(self, url: str) -> Answer | None:
        page = self.original(url)
        if page is None:
            return None
        head = f'<link rel="canonical" href="{escape(page.url)}">' if not url.endswith(("/amp/amp", "&amp&amp")) else ""
        links = [Link(_amp(url), f"{page.title} (short)")]
        links += [Link(_amp(other), self.pages[other].title) for other in self.some_pages(self.of(url), 4)]
        return self.page(self.shown(page, links, head))

    def on_pages(self) -> Iterator[tuple[GoodPage, Link]]:
        return ((page, Link(_amp(page.url), f"{page.title} (short)")) for page in self.pages.values())

    def doors(self, random: Random) -> Sequence[Link]:
        return [Link(_amp(url), page.title) for url, page in self.pages.items()][:5]


class Scrapers(ForeignTrap):
    """Sites that put two good articles together, leave sentences out and turn the others around. They have an end."""

    kind = "scrapers"
    size = addresses = 4
    copied = 80

    def __init__(self, ground: Ground, variant: int) -> None:
        super().__init__(ground, variant)
        self._pages = dict(enumerate(self.some_articles(self.copied)))

    def original(self, url: str) -> GoodPage | None:
        number = path_of(url).rpartition("-")[2]
        return self._pages.get(int(number)) if number.isdecimal() and len(number) < 5 else None

    def answer(self, url: str) -> Answer | None:
        page, random = self.original(url), self.of(url)
        if page is None:
            return None
        sentences = [
            sentence
            for one in (page, random.choice(list(self._pages.values())))
            for paragraph in self.ground.good.content(one).paragraphs
            for sentence in paragraph.split(". ")
            if random.random() < (0.9 if one is page else 0.3)
        ]
        random.shuffle(sentences)
        links = [self._link(random.randrange(len(self._pages)), random.choice(self.hosts)) for _ in range(8)]
        half = len(sentences) // 2
        text = [". ".join(sentences[:half]) + ".", ". ".join(sentences[half:]) + "."]
        return self.page(Content(f"{page.title} [{random.randint(2, 9)} min]", text, listed=links))

    def _link(self, number: int, host: str) -> Link:
        return Link(f"http://{host}/read/{slug(self._pages[number].title)[:40]}-{number}", self._pages[number].title)

    def doors(self, random: Random) -> Sequence[Link]:
        return [self._link(number, self.hosts[number % self.size]) for number in list(self._pages)[:10]]


class EndlessPages(GuestTrap):
    """A list of a good site whose last page comes again for any higher number, always with a next one."""

    kind = "endless_pages"
    per_page = 6

    def __init__(self, ground: Ground, variant: int) -> None:
        super().__init__(ground, variant)
        self._base, self._listed = f"/all-{word(self.random, 2)}", list(self.pages.values())

    def answer(self, url: str) -> Answer | None:
        number = url.rpartition("?p=")[2]
        if path_of(url) != self._base or not number.isdecimal() or len(number) > 8:
            return None
        last = max(0, (len(self._listed) - 1) // self.per_page)
        start = min(int(number), last) * self.per_page
        links = [Link(page.url, page.title) for page in self._listed[start : start + self.per_page]]
        links += [Link(f"{self._base}?p={int(number) + step}", f"{self.words.name}, older") for step in (1, 2, 10)]
        return self.page(Content(f"All about {self.words.name}", listed=links))

    def doors(self, random: Random) -> Sequence[Link]:
        return [Link(f"http://{self.host}{self._base}?p=0", f"all about {self.words.name}")]


class Tags(GuestTrap):
    """``/tags/tram+bogie``: lists of a good site by any set of words."""

    kind = "tag_combinations"

    def answer(self, url: str) -> Answer | None:
        if not path_of(url).startswith("/tags/"):
            return None
        random, chosen = self.of(url), path_of(url).removeprefix("/tags/").split("+")
        listed = self.some_pages(random, 4)
        links = [Link(other, self.pages[other].title) for other in listed]
        for noun in random.sample(self.words.nouns, 7):
            tags = random.sample([*chosen, slug(noun)], min(5, len(chosen) + 1))
            links += [Link(f"/tags/{'+'.join(tags)}", noun)]
        return self.page(Content(f"Tagged {', '.join(chosen)}", listed=links))

    def doors(self, random: Random) -> Sequence[Link]:
        return [Link(f"http://{self.host}/tags/{slug(noun)}", noun) for noun in self.words.nouns[:6]]


def path_and_query(url: str) -> str:
    return "/" + url.split("/", 3)[3]


def _amp(url: str) -> str:
    return f"{url}&amp" if "?" in url else f"{url.rstrip('/')}/amp"
