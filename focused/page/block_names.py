"""What the names of an element tell of its content: tag, role, class and id as HTML5, ARIA and the templates of sites use them."""

from __future__ import annotations

import re
from collections.abc import Mapping


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Elements that flow with the text around them: no word ends where they begin or end.
INLINE = _words("""
    a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark nobr q rb rp rt ruby s samp
    small span strike strong sub sup time tt u var wbr
""")
#: What is inside them is no text of the page, or no text at all.
UNSEEN = _words("""
    script style template iframe noembed noframes noscript svg canvas object audio video select textarea button
    datalist label map progress meter
""")
HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_AWAY_TAGS = frozenset(("nav", "footer", "header", "aside", "dialog", "menu"))
_AWAY_ROLES = _words(
    "navigation banner contentinfo complementary search dialog alertdialog menu menubar toolbar tablist tooltip"
)
_MAIN_NAMES = frozenset(("main", "articlebody"))
_AWAY_WORDS = _words("""
    nav navbar navigation navbox navheader navfooter navpath navrow topnav subnav breadcrumb breadcrumbs crumbs menu
    menubar submenu sidebar sidenav sidebox sphinxsidebar rail footer foot colophon masthead topbar toolbar cookie
    cookies consent gdpr share sharing sharedaddy social related relatedposts recommended recommendations popular
    trending comment comments commentlist respond disqus advert advertisement ads adbox sponsor sponsored promo promotion
    newsletter subscribe subscription signup login popup modal pagination pager tagcloud searchbox searchform widget
    linenos lineno prevnext toc tocs tableofcontents
""")
_AWAY_PHRASES = _words("""
    site-header page-header-nav skip-link skip-to more-stories more-news read-more see-also-box author-bio
    table-of-contents version-switch edit-this edit-page on-this-page rst-versions
""")
#: A word of class or id stands between blanks, hyphens and underscores.
_NAMES = "|".join(name.replace("-", "[_-]") for name in sorted(_AWAY_WORDS | _AWAY_PHRASES))
_AWAY = re.compile(rf"(?:^|[\s_-])(?:{_NAMES})(?:$|[\s_-])")
_COMMENTS = re.compile(r"(?:^|[\s_-])(?:comments?|commentlist|respond)(?:$|[\s_-])")
#: These are gone whatever they hold: marks beside a heading to link to it, and what only a screen reader says.
_MARK = re.compile(
    r"(?:^|\s)(?:headerlink|anchorjs-link|anchor-link|copiable-link|heading-anchor|hash-link|sr-only|screen-reader-text"
    r"|visually-hidden|visuallyhidden|mw-editsection|noprint|viewcode-link|copybtn|skip-link)(?:$|\s)"
)
_NOTE = re.compile("note|admonition|topic|callout")
_HIDDEN = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_LONGEST = 300  #: characters of names that are looked at
#: What only holds a run of text, or is a part of a document by its own words, is not judged by its name.
_NOT_BY_NAME = frozenset(
    ("body", "html", "main", "article", "p", "pre", "blockquote", "tr", "td", "dt", "dd", *HEADINGS)
)
_LONGEST_ID = 2  #: words of an id that is a name; longer ones are made of headings


def is_hidden(attributes: Mapping[str, str]) -> bool:
    """Whether no browser shows an element, or a mark beside the text is all it is."""
    if not attributes:
        return False
    if "hidden" in attributes or attributes.get("aria-hidden") == "true":
        return True
    if (style := attributes.get("style")) and _HIDDEN.search(style[:_LONGEST]):
        return True
    return "class" in attributes and _MARK.search(attributes["class"][:_LONGEST].lower()) is not None


def holds_comments(attributes: Mapping[str, str]) -> bool:
    """Whether an element that leads away does so for what readers wrote there, which is the text of a forum."""
    return _COMMENTS.search(_names("", attributes)) is not None


def leads_away(tag: str, attributes: Mapping[str, str]) -> bool:
    """Whether an element says of itself that the main text is elsewhere: a menu, a footer, a box of related links."""
    if tag in _NOT_BY_NAME:
        return False
    names = _names(tag, attributes) if attributes else ""
    if tag == "aside" and _NOTE.search(names):
        return False
    if tag in _AWAY_TAGS or attributes.get("role", "").lower() in _AWAY_ROLES:
        return True
    return len(names) > 1 and _AWAY.search(names) is not None


def _names(tag: str, attributes: Mapping[str, str]) -> str:
    """Class and id in lower case. The id of a section is made of its heading: "toolbar-is-not-shown" is no toolbar."""
    names, identity = attributes.get("class", "")[:_LONGEST].lower(), attributes.get("id", "")[:_LONGEST].lower()
    if tag == "section" or "section" in names or identity.count("-") + identity.count("_") >= _LONGEST_ID:
        return names
    return f"{names} {identity}"


def is_main(tag: str, attributes: Mapping[str, str]) -> bool:
    """Whether an element says of itself that it is the main text."""
    return tag in ("main", "article") or not _MAIN_NAMES.isdisjoint(
        (attributes.get("role", "").lower(), attributes.get("itemprop", "").lower())
    )
