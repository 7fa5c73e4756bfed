"""Turns what a page of the trap web says into HTML: each site has a template with a menu and a footer, as real ones have."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape

Layout = Sequence[tuple[str, str]]
#: Tag and class of each part of a page: menu, main part, list, comments, footer.
LAYOUTS: Sequence[Layout] = (
    (("nav", "menu"), ("main", "content"), ("ul", "list"), ("section", "comments"), ("footer", "site-footer")),
    (("div", "topnav"), ("div", "article-body"), ("ul", "entries"), ("div", "replies"), ("div", "bottom")),
    (("header", "masthead"), ("article", "post"), ("ol", "items"), ("aside", "responses"), ("footer", "colophon")),
    (("table", "nav"), ("td", "text"), ("ul", "links"), ("div", "guestbook"), ("p", "imprint")),
)


@dataclass(slots=True, frozen=True)
class Link:
    """A link as its page shows it."""

    url: str  #: absolute or relative
    text: str
    before: str = ""  #: sentence in which it stands; empty: it stands alone


@dataclass(slots=True, frozen=True)
class Template:
    """What all pages of a site have in common.

    layout : which of the layouts, by remainder
    """

    name: str
    layout: int
    menu: Sequence[Link] = ()
    footer: Sequence[Link] = ()
    imprint: str = ""
    layouts: Sequence[Layout] = LAYOUTS


@dataclass(slots=True)
class Content:
    """What one page says.

    head : further tags of its head, as HTML
    """

    title: str
    paragraphs: Sequence[str] = ()
    inline: Sequence[Link] = ()  #: each stands behind a paragraph
    listed: Sequence[Link] = ()
    comments: Sequence[Link] = ()
    head: str = ""
    hidden: Sequence[Link] = field(default_factory=tuple)  #: that a visitor does not see
    hidden_text: str = ""
    hiding: str = "display:none"  #: by which style


def html(template: Template, content: Content, language: str = "en") -> bytes:
    """The page in UTF-8."""
    menu, main, items, comments, footer = template.layouts[template.layout % len(template.layouts)]
    anchors = " ".join(map(_anchor, template.menu))
    bar = f"<tr><td>{anchors}</td></tr>" if menu[0] == "table" else anchors
    parts = [f"<h1>{escape(content.title, quote=False)}</h1>", *_paragraphs(content)]
    if content.listed:
        entries = "".join(f"<li>{_in_sentence(link)}</li>\n" for link in content.listed)
        parts.append(_tag(items, f"\n{entries}"))
    if content.hidden or content.hidden_text:
        inside = content.hidden_text + " ".join(map(_anchor, content.hidden))
        parts.append(f'<div style="{content.hiding}">{inside}</div>')
    body = _tag(main, "\n".join(parts))
    if main[0] == "td":
        body = f"<table><tr>{body}</tr></table>"
    if content.comments:
        body += _tag(comments, "".join(f"<p>{_in_sentence(link)}</p>" for link in content.comments))
    feet = " | ".join(map(_anchor, template.footer))
    return (
        f'<!DOCTYPE html>\n<html lang="{language}">\n<head><meta charset="utf-8">'
        f"<title>{escape(content.title, quote=False)} - {escape(template.name, quote=False)}</title>{content.head}</head>\n"
        f"<body>\n{_tag(menu, bar)}\n{body}\n{_tag(footer, f'{template.imprint} {feet}')}\n</body>\n</html>\n"
    ).encode()


def _paragraphs(content: Content) -> Iterable[str]:
    """The paragraphs, links behind the last of them."""
    plain = len(content.paragraphs) - len(content.inline)
    for number, text in enumerate(content.paragraphs):
        place = number - plain
        link = f" {_in_sentence(content.inline[place])}" if place >= 0 else ""
        yield f"<p>{escape(text, quote=False)}{link}</p>"
    yield from (f"<p>{_in_sentence(link)}</p>" for link in content.inline[: max(0, -plain)])


def _in_sentence(link: Link) -> str:
    return f"{escape(link.before, quote=False)} {_anchor(link)}" if link.before else _anchor(link)


def _anchor(link: Link) -> str:
    return f'<a href="{escape(link.url)}">{escape(link.text, quote=False)}</a>'


def _tag(tag: tuple[str, str], inside: str) -> str:
    return f'<{tag[0]} class="{tag[1]}">{inside}</{tag[0]}>'
