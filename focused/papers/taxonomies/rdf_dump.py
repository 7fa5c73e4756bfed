"""The dumps of the Open Directory Project (DMOZ): content.rdf.u8, some two gigabytes of what is not quite XML.

A real parser would end at the first broken character. This one looks for tags and takes what stands between them: it resumes
at the next tag whatever came before, defines no entities, and holds one tag in memory at a time.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator

from focused.papers.taxonomies.taxonomy_store import Listing

LONGEST_TAG = 20_000  #: characters of a tag and the text after it; a longer one is no tag

# Nothing here looks at a character many times, whatever a file holds.
_TAG = re.compile(r"(?P<name>/?[A-Za-z][\w:.-]*+)(?P<attributes>[^>]*+)>(?P<text>.*)", re.DOTALL)
_ATTRIBUTE = re.compile(r"""(?:r:id|r:resource|about)\s*+=\s*+(?:"([^"]{0,5000})"|'([^']{0,5000})')""")
_LINKS = frozenset({"link", "link1", "pdf", "pdf1"})  # of a Topic; its other tags lead to feeds and other topics


def rdf_listings(chunks: Iterable[str]) -> Iterator[Listing]:
    """The external pages of a dump, each in the category that it names itself or, in the oldest dumps, under which it stands.

    chunks : the text of the dump in pieces of any size
    """
    topic, page = "", None
    bare: dict[str, None] = {}  # links of the topic that nothing more was told of yet
    for name, attributes, text in _tags(chunks):
        if name == "Topic":
            yield from (Listing(topic, url) for url in bare)
            topic, page, bare = _value(attributes), None, {}
        elif name in _LINKS:
            bare[_value(attributes)] = None
        elif name == "ExternalPage":
            page = {"url": _value(attributes), "category": topic, "title": "", "description": ""}
        elif name == "/ExternalPage" and page is not None:
            bare.pop(page["url"], None)
            yield Listing(**page)
            page = None
        elif page is not None and (field := _FIELDS.get(name)) and text.strip():
            page[field] = html.unescape(text)
    yield from (Listing(topic, url) for url in bare)


_FIELDS = {"d:Title": "title", "d:Description": "description", "topic": "category"}


def _value(attributes: str) -> str:
    found = _ATTRIBUTE.search(attributes)
    return html.unescape(found[1] or found[2] or "") if found else ""


def _tags(chunks: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """Name, attributes and following text of each tag; comments, declarations and what is no tag are passed over."""
    rest = ""
    for chunk in chunks:
        *whole, rest = (rest + chunk).split("<")
        yield from _named(whole)
        if len(rest) > LONGEST_TAG:
            rest = ""
    yield from _named([rest])


def _named(pieces: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    for piece in pieces:
        if found := _TAG.match(piece):
            yield found["name"], found["attributes"], found["text"]
