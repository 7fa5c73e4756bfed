"""A web of any size made from a seed: pages of about 37 KB with 84 links on several hosts, as real pages are on average."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from functools import cached_property
from itertools import accumulate
from random import Random

from focused.simulation.recorded_web import Answer, html_answer, not_found

MENU = 64  #: links that every page of a host has: real pages repeat four of five links
OWN = 20  #: links of a page's own, to anywhere in the web
WORDS = 15_000  #: in the vocabulary, with the frequencies of Zipf's law
PARAGRAPHS = 40
WORDS_PER_PARAGRAPH = 32
MARKED = 11  #: first words of a paragraph, each in an element of its own, as in code: markup outweighs text
TOPIC = ("solar", "panel", "energy", "inverter")  #: words of every tenth page's text

_PAGE = re.compile(r"http://site(\d+)\.example/(\d+)/article-(\d+)\.html")


class GeneratedWeb:
    """Pages 0, 1, ... of a web; each is made anew when it is asked for, always the same.

    Parameters
    ----------
    size : number of pages that are linked; how many a crawler finds depends on how many it fetches
    hosts : over which they are spread evenly
    """

    def __init__(self, size: int = 1_000_000, hosts: int = 20) -> None:
        self.size, self.count = size, hosts

    @cached_property
    def hosts(self) -> Set[str]:
        return frozenset(f"site{host}.example" for host in range(self.count))

    @cached_property
    def seeds(self) -> list[str]:
        """One page of each host."""
        return [self.url(page) for page in range(self.count)]

    def url(self, page: int) -> str:
        return f"http://site{page % self.count}.example/{page % 97}/article-{page}.html"

    def urls(self) -> Iterator[str]:
        return map(self.url, range(self.size))

    def answer(self, url: str) -> Answer | None:
        parts = _PAGE.fullmatch(url)
        if parts is None or int(parts[1]) >= self.count:
            return not_found(url)
        return html_answer(self._html(int(parts[3])))

    def _html(self, page: int) -> bytes:
        random = Random(page)
        menu = [page % self.count + self.count * number for number in range(MENU)]
        own = [random.randrange(self.size) for _ in range(OWN)]
        words = random.choices(self._vocabulary, cum_weights=self._weights, k=PARAGRAPHS * WORDS_PER_PARAGRAPH)
        if page % 10 == 0:
            words[:: len(words) // 40] = [random.choice(TOPIC) for _ in words[:: len(words) // 40]]
        items = "\n".join(f'<li class="menu-item level-1">{self._anchor(target)}</li>' for target in menu)
        paragraphs = "\n".join(
            f'<p class="body-text">{self._paragraph(words, own, number)}</p>' for number in range(PARAGRAPHS)
        )
        title = " ".join(words[:6])
        return (
            f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title></head>\n'
            f'<body><nav class="site-menu"><ul>\n{items}\n</ul></nav>\n<main><h1>{title}</h1>\n{paragraphs}\n</main>\n'
            f"<footer><p>Copyright</p></footer></body></html>\n"
        ).encode()

    def _paragraph(self, words: list[str], own: list[int], number: int) -> str:
        start = number * WORDS_PER_PARAGRAPH
        text = words[start : start + WORDS_PER_PARAGRAPH]
        text[:MARKED] = [f'<span class="token name builtin">{word}</span>' for word in text[:MARKED]]
        if number % 2 == 0:
            text[15] = self._anchor(own[number // 2])
        return " ".join(text)

    def _anchor(self, page: int) -> str:
        words = self._vocabulary
        return f'<a href="{self.url(page)}">{words[page % 997]} {words[page % 1499]}</a>'

    @cached_property
    def _vocabulary(self) -> list[str]:
        random = Random(1)
        syllables = [first + second for first in "bdfgklmnprstv" for second in "aeiou"]
        return ["".join(random.choices(syllables, k=random.randint(2, 5))) for _ in range(WORDS)]

    @cached_property
    def _weights(self) -> list[float]:
        return list(accumulate(1 / rank for rank in range(1, WORDS + 1)))
