"""What the names of an element tell of its content: tag, role, class and id as HTML5, ARIA and the templates of sites use them."""

from __future__ import annotations

import re
from collections.abc import Mapping

#: Elements that flow with the text around them: no word ends where they begin or end.
INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark nobr q rb rp rt ruby s samp small span "
    "strike strong sub sup time tt u var wbr".split()
)
#: What is inside them is no text of the page, or no text at all.
UNSEEN = frozenset(
    "script style template iframe noembed noframes noscript svg canvas object audio video select textarea button datalist label "
    "head map progress meter".split()
)
HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_AWAY_TAGS = frozenset(("nav", "footer", "header", "aside", "dialog", "menu"))
_AWAY_ROLES = frozenset(
    "navigation banner contentinfo complementary search dialog alertdialog menu menubar toolbar tablist tooltip".split()
)
_MAIN_NAMES = frozenset(("main", "articlebody"))

_WORDS = (
    "nav navbar navigation navbox navheader navfooter navpath navrow topnav subnav breadcrumb breadcrumbs crumbs menu menubar submenu "
    "sidebar sidenav sidebox sphinxsidebar rail footer foot colophon masthead topbar toolbar cookie cookies consent gdpr "
    "share sharing sharedaddy social related relatedposts recommended recommendations popular trending comments commentlist respond "
    "disqus advert advertisement ads adbox sponsor sponsored promo promotion newsletter subscribe subscription signup login paywall "
    "popup modal pagination pager tagcloud searchbox searchform widget linenos lineno prevnext rst-versions toc tocs"
)
_PHRASES = (
    "site-header page-header-nav skip-link skip-to related-posts related-pages more-stories more-news read-more see-also-box post-nav "
    "author-bio table-of-contents tableofcontents nav-panel navigation-bar global-nav bottom-nav version-switch edit-this edit-page "
    "on-this-page"
)
#: A word of class or id stands between blanks, hyphens and underscores.
_AWAY = re.compile(
    rf"(?:^|[\s_-])(?:{'|'.join((*_WORDS.split(), *_PHRASES.split()))})(?:$|[\s_-])".replace("-", "[_-]").replace(
        "[\\s_[_-]]", "[\\s_-]"
    )
)
#: These are gone whatever they hold: marks beside a heading to link to it, and what only a screen reader says.
_MARK = re.compile(
    r"(?:^|\s)(?:headerlink|permalink|anchorjs-link|anchor-link|copiable-link|heading-anchor|hash-link|sr-only|screen-reader-text"
    r"|visually-hidden|visuallyhidden|mw-editsection|noprint|viewcode-link|copybtn|skip-link)(?:$|\s)"
)
_HIDDEN = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_LONGEST = 300  #: characters of names that are looked at


def is_hidden(attributes: Mapping[str, str]) -> bool:
    """Whether no browser shows an element, or a mark beside the text is all it is."""
    if not attributes:
        return False
    if "hidden" in attributes or attributes.get("aria-hidden") == "true":
        return True
    if (style := attributes.get("style")) and _HIDDEN.search(style[:_LONGEST]):
        return True
    return "class" in attributes and _MARK.search(attributes["class"][:_LONGEST].lower()) is not None


def leads_away(tag: str, attributes: Mapping[str, str]) -> bool:
    """Whether an element says of itself that the main text is elsewhere: a menu, a footer, a box of related links."""
    if tag in ("body", "html", "main", "article", *HEADINGS):
        return False
    names = f"{attributes.get('class', '')[:_LONGEST]} {attributes.get('id', '')[:_LONGEST]}".lower() if attributes else ""
    if tag == "aside" and re.search(r"note|admonition|topic|callout", names):
        return False
    if tag in _AWAY_TAGS or attributes.get("role", "").lower() in _AWAY_ROLES:
        return True
    return len(names) > 1 and _AWAY.search(names) is not None


def is_main(tag: str, attributes: Mapping[str, str]) -> bool:
    """Whether an element says of itself that it is the main text."""
    return tag in ("main", "article") or not _MAIN_NAMES.isdisjoint(
        (attributes.get("role", "").lower(), attributes.get("itemprop", "").lower())
    )
