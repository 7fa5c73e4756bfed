"""XML of strangers: read without entities and without the network, as far as it is XML, to limited depth and length."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from lxml import etree

from focused.page.plain_text import plain

MOST_PARTS = 1000  #: of a text, between tags


def parsed_xml(body: bytes) -> Any:
    """The root of an XML document, read as far as it is one: no entity is replaced, nothing is fetched. Raises ValueError."""
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=True, remove_comments=True
    )
    try:
        root = etree.fromstring(body, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise ValueError(f"not XML that can be read: {plain(str(error), 100)}") from None
    if root is None:
        raise ValueError("not XML that can be read")
    return root


def local_name(element: Any) -> str:
    """The name of an element without its namespace, in lower case; empty for what is no element."""
    return element.tag.rpartition("}")[2].lower() if isinstance(element.tag, str) else ""


def text_of(element: Any, most: int) -> str:
    """The text in an element on one line, of ``most`` characters or a few more: entries may lie in each other."""
    if not len(element):
        return " ".join((element.text or "")[: most + 1].split()) if isinstance(element.tag, str) else ""
    parts: list[str] = []
    length = 0
    for part in islice(_texts(element), MOST_PARTS):
        parts.append(part[: most + 1])
        length += len(parts[-1])
        if length > most:
            break
    return " ".join("".join(parts).split())


def _texts(element: Any) -> Iterator[str]:
    """The texts in an element, in order; an empty one where there is none, so that steps can be counted."""
    yield element.text or "" if isinstance(element.tag, str) else ""
    for part in element:
        yield from _texts(part)
        yield part.tail or ""
