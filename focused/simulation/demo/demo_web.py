"""The demo web: a small synthetic Web that knows the truth about itself, to try a crawl without touching anybody's server."""

from __future__ import annotations

from collections.abc import Iterator, Set
from functools import cache
from html import escape
from random import Random

from focused.exceptions import WebError
from focused.page.urls import UrlRules, host_of
from focused.simulation.demo.demo_oddities import calendar, duplicates, oddities
from focused.simulation.demo.demo_sites import SITES, DemoLink, DemoPage, plan
from focused.simulation.demo.demo_text import NEUTRAL, TOPICS, paragraph, sentence
from focused.simulation.recorded_web import Answer, html_answer, not_found


class DemoWeb:
    """Some 550 pages on 12 hosts (in the reserved domain .example) about six topics, the same for the same seed.

    Pages mostly link to their own topic; there are hosts of one topic and of several, a directory of link lists, a host
    that only those lists lead to, off-topic footers, vague link texts, and the oddities of `demo_oddities`.

    pages : planned pages by canonical URL (`relevant_urls` gives the truth about a topic)
    """

    def __init__(self, seed: int = 1) -> None:
        self.rules = UrlRules()
        self.seed = seed
        self.pages = plan(seed)
        self.copies = duplicates(self.pages)
        self._odd = oddities(self.pages)
        self._hosts = {site.host: site for site in SITES}
        self._rendered = cache(self._render)

    @property
    def hosts(self) -> Set[str]:
        return self._hosts.keys()

    def urls(self) -> Iterator[str]:
        """All URLs but those of the endless calendar."""
        yield from self.pages
        yield from self.copies
        yield from self._odd

    def answer(self, url: str) -> Answer | None:
        canonical = self.rules.canonical(url)
        site = self._hosts.get(host_of(canonical)) if canonical else None
        if canonical is None or site is None:
            return None
        scheme, _, rest = canonical.partition(":")
        if scheme != site.scheme:
            return Answer(301, (("Location", f"{site.scheme}:{rest}"),), b"")
        if page := self.pages.get(self.copies.get(canonical, canonical)):
            return self._rendered(page.url)
        return self._odd.get(canonical) or calendar(canonical) or not_found(url)

    def relevant_urls(self, topic: str) -> set[str]:
        """The articles about a topic. Neither lists of links nor print versions count: they hold nothing new."""
        if topic not in TOPICS:
            raise WebError(f"the demo web has no topic {topic!r}: choose from {', '.join(TOPICS)}")
        return {page.url for page in self.pages.values() if page.topic == topic}

    def _render(self, url: str) -> Answer:
        page: DemoPage = self.pages[url]
        return html_answer(render(page, self.seed), charset=page.site.charset)


def render(page: DemoPage, seed: int) -> bytes:
    """The page as bytes in its site's charset. The text depends on the seed and the URL alone, not on the order of calls."""
    random = Random(f"{seed} {page.url}")
    robots = '<meta name="robots" content="nofollow">\n' if page.nofollow else ""
    html = (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="{page.site.charset}">\n{robots}'
        f"<title>{escape(page.title)} - {escape(page.site.name)}</title>\n</head>\n<body>\n"
        f"{_navigation(page)}<main>\n<h1>{escape(page.title)}</h1>\n{_text(page, random)}{_list(page.listed)}</main>\n"
        f"{_footer(page)}</body>\n</html>\n"
    )
    return html.encode(page.site.charset, "xmlcharrefreplace")


def _navigation(page: DemoPage) -> str:
    sections = "".join(
        f'<li><a href="/index/{topic}?page=1">{TOPICS[topic].name.capitalize()}</a></li>'
        for topic in page.site.articles
    )
    return f'<nav><ul><li><a href="/">Home</a></li>{sections}<li><a href="#top">Top</a></li></ul></nav>\n'


def _text(page: DemoPage, random: Random) -> str:
    if not page.topic:
        return f"<p>{random.choice(NEUTRAL)}</p>\n"
    parts = []
    for link in page.inline:
        parts.append(f"<p>{escape(paragraph(page.topic, random))}</p>\n")
        parts.append(f"<p>{escape(sentence(link.topic, random))} {_anchor(link)}.</p>\n")
    return "".join(parts)


def _list(links: list[DemoLink]) -> str:
    return "<ul>\n" + "".join(f"<li>{_anchor(link)}</li>\n" for link in links) + "</ul>\n" if links else ""


def _footer(page: DemoPage) -> str:
    links = " | ".join(map(_anchor, page.footer))
    imprint = f'&copy; {escape(page.site.name)}, mail <a href="mailto:us@{page.site.host}">us</a>'
    return f"<footer><p>{links}</p><p>{imprint}</p></footer>\n"


def _anchor(link: DemoLink) -> str:
    rel = ' rel="nofollow"' if link.nofollow else ""
    return f'<a href="{escape(link.url)}"{rel}>{escape(link.text)}</a>'
