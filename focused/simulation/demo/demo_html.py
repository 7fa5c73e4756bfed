"""Turns a planned page of the demo web into HTML, with the navigation and the footer that real pages have."""

from __future__ import annotations

from html import escape
from random import Random

from focused.simulation.demo.demo_sites import DemoLink, DemoPage
from focused.simulation.demo.demo_text import NEUTRAL, TOPICS, paragraph, sentence


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
