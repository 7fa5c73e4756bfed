"""Recognises an empty JavaScript shell: a page whose text and links only a browser would bring, judged by its plain markup.

The signs are those that crawlers of the Web go by (little visible text, hardly a link, scripts, the empty element that a
framework fills, a noscript message); no sign alone is enough, for a short static page has some of them as well.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice

from lxml import etree

ENOUGH_LINKS = 10  #: anchors in the markup with which a page is no shell, whatever else it holds
FEW_LINKS = 5  #: a shell may have this many (a logo, a language, legal notes)
LITTLE_TEXT = 600  #: characters of visible text that a shell may have (a loading screen, a cookie notice)
HARDLY_TEXT = 200  #: characters below which a page that mostly consists of scripts is one
NO_TEXT = 40  #: characters below which a page without links says nothing
MORE_TEXT = 200  #: characters of text by which a rendered page must exceed the plain one to have been worth it,
MORE_LINKS = 3  #: or links
MOST_ROOTS = 5  #: elements that frameworks may fill are looked at, for they may be nested
MOST_READ = 1_000_000  #: characters of markup that are looked at

_SCRIPT = re.compile(r"<script\b", re.IGNORECASE)
_ANCHOR = re.compile(r"<a\s[^>]*\bhref\b", re.IGNORECASE)
_ROOT_IDS = frozenset(
    ("root", "app", "application", "app-root", "react-root", "react-app", "vue-app", "main-app", "mount", "__next")
) | {"__nuxt", "___gatsby", "svelte", "q-app", "ember-app", "ng-app", "elm", "single-spa-application"}
_ROOT_TAG = re.compile(r"[a-z][a-z0-9]*-(root|app)|app-[a-z0-9-]+")  # custom elements, such as Angular's app-root
_MESSAGE = re.compile(r"java\s?script", re.IGNORECASE)
_UNSEEN = frozenset(("script", "style", "template", "noscript", "title", "head", "iframe", "svg"))


@dataclass(frozen=True, slots=True)
class Outline:
    """What there is to see on a page without running its scripts."""

    text: int = 0  #: characters of visible text, white space collapsed
    links: int = 0  #: anchors with different addresses, places on the same page left out
    scripts: int = 0  #: elements that load or hold JavaScript
    code: int = 0  #: characters of inline scripts
    has_empty_root: bool = False  #: an element that frameworks fill has hardly any text
    asks_for_javascript: bool = False  #: a noscript element speaks of JavaScript


def may_be_shell(markup: str) -> bool:
    """A quick look that spares most pages the parse: False is certain."""
    if not _SCRIPT.search(markup):
        return False
    return sum(1 for _ in zip(range(ENOUGH_LINKS), _ANCHOR.finditer(markup), strict=False)) < ENOUGH_LINKS


def is_shell(markup: str) -> bool:
    """Whether a plain page is an empty shell that a browser would fill."""
    if not may_be_shell(markup):
        return False
    page = outline(markup)
    if not page.scripts or page.links > FEW_LINKS or page.text > LITTLE_TEXT:
        return False
    if not page.links and page.text < NO_TEXT:
        return True
    mostly_scripts = page.text < HARDLY_TEXT and page.code > 5 * page.text
    return page.has_empty_root or page.asks_for_javascript or mostly_scripts


def gained(plain: Outline, rendered: Outline) -> bool:
    """Whether rendering brought what the plain page did not have."""
    return rendered.text >= plain.text + MORE_TEXT or rendered.links >= plain.links + MORE_LINKS


def outline(markup: str) -> Outline:
    """Look at a document; never raises, whatever the markup is."""
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
    try:
        root = etree.fromstring(markup[:MOST_READ].encode("utf-8", "replace"), parser)
    except (etree.LxmlError, ValueError):
        return Outline()
    if root is None:
        return Outline()
    scripts = [script for script in root.iter("script") if _is_javascript(script)]
    hrefs = {(anchor.get("href") or "").partition("#")[0].strip() for anchor in root.iter("a")}
    roots = (element for element in root.iter() if _is_root(element))
    return Outline(
        text=len(_visible_text(root)),
        links=len([href for href in hrefs if href and not href.lower().startswith(("javascript:", "mailto:", "tel:"))]),
        scripts=len(scripts),
        code=sum(len(script.text or "") for script in scripts),
        has_empty_root=any(len(_visible_text(element)) < HARDLY_TEXT for element in islice(roots, MOST_ROOTS)),
        asks_for_javascript=any(
            _MESSAGE.search(" ".join(map(str, element.itertext()))) for element in root.iter("noscript")
        ),
    )


def _is_javascript(script: etree._Element) -> bool:
    kind = (script.get("type") or "").strip().lower()
    return kind in ("", "module") or "javascript" in kind or "ecmascript" in kind


def _is_root(element: etree._Element) -> bool:
    tag = str(element.tag).lower()
    if (element.get("id") or "").lower() in _ROOT_IDS or element.get("ng-app") is not None:
        return tag in ("div", "main", "section", "body") or bool(_ROOT_TAG.fullmatch(tag))
    return bool(_ROOT_TAG.fullmatch(tag))


def _visible_text(root: etree._Element) -> str:
    """The text under an element in document order, white space collapsed; without recursion, for nests may be deep."""
    texts: list[str] = []
    unseen: etree._Element | None = None
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if event == "start" and unseen is None:
            if element.tag in _UNSEEN:
                unseen = element
            else:
                texts.append(element.text or "")
        elif event == "end":
            if element is unseen:
                unseen = None
            if unseen is None and element is not root:
                texts.append(element.tail or "")
    return " ".join(" ".join(texts).split())
