"""Renders a Wikispeedia article as HTML, each link where its target's title is first mentioned, the others under "See also"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape

from lab.webs.wikispeedia_text import ArticleText


def render(article: ArticleText, links: Mapping[str, str]) -> bytes:
    """The page in UTF-8; every link stands in it exactly once.

    links : title of the target by URL, in the order that "See also" has
    """
    mentions = Mentions(links)
    parts = []
    for block in article.blocks:
        tag = "h2" if block.heading else "p"
        text = escape(block.text, quote=False) if block.heading else mentions.linked(block.text)
        parts.append(f"<{tag}>{text}</{tag}>\n")
    if mentions.waiting:
        items = "".join(f"<li>{_anchor(url, links[url])}</li>\n" for url in mentions.waiting)
        parts.append(f"<h2>See also</h2>\n<ul>\n{items}</ul>\n")
    title = escape(article.title, quote=False)
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n</head>\n<body>\n'
        f"<h1>{title}</h1>\n{''.join(parts)}</body>\n</html>\n"
    ).encode()


class Mentions:
    """Finds the first mention of each target as the text goes by. Of two titles that begin at one place the longer counts.

    waiting : URLs whose target was not mentioned so far
    """

    def __init__(self, links: Mapping[str, str]) -> None:
        self.waiting = dict.fromkeys(links)
        self._urls: dict[str, str] = {}
        for url, title in links.items():
            for name in (title, _without_qualifier(title)):
                self._urls.setdefault(name.lower(), url)
        names = sorted(filter(None, self._urls), key=len, reverse=True)
        self._pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)", re.I) if names else None

    def linked(self, text: str) -> str:
        """The text as HTML, with the links that are mentioned in it for the first time."""
        parts, done = [], 0
        for match in self._pattern.finditer(text) if self._pattern else ():
            url = self._urls.get(match[0].lower())
            if url in self.waiting:
                del self.waiting[url]
                parts += [escape(text[done : match.start()], quote=False), _anchor(url, match[0])]
                done = match.end()
        return "".join(parts) + escape(text[done:], quote=False)


def _without_qualifier(title: str) -> str:
    """``Mercury`` of ``Mercury (planet)``."""
    return re.sub(r" \([^()]*\)$", "", title)


def _anchor(url: str, text: str) -> str:
    return f'<a href="{escape(url)}">{escape(text, quote=False)}</a>'
