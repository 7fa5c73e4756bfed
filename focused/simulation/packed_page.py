"""A page as a few columns of plain values, which are quick to write and to read: a text or an array for each field of its links."""

from __future__ import annotations

import sys
from dataclasses import fields
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from focused.page.page import Link, Page

_HEAD = [field.name for field in fields(Page) if field.name not in ("text", "terms", "links")]
_head_of = attrgetter(*_HEAD)
_spans_of = attrgetter("anchor_start", "anchor_end", "context_start", "context_end")
_SEPARATOR = "\n"  # in no URL and no tag path; in an anchor all white space is a blank


class Columns(NamedTuple):
    """A page and its m links."""

    head: tuple[str | int | float | bool, ...]  #: fields of the page in their order, but text, terms and links
    text: str
    words: str  #: the w distinct terms, separated by blanks, which no term holds
    terms: bytes  #: (t,) int32, positions among them
    urls: str  #: of the links, as the next three, separated by line ends
    hosts: str
    anchors: str
    tag_paths: str
    keys: bytes  #: (m,) int64
    spans: bytes  #: (4, m) int32
    context_norms: bytes  #: (m,) float64
    nofollow: bytes  #: (m,) bool


def packed_page(page: Page) -> Columns:
    links = page.links
    words = {term: number for number, term in enumerate(dict.fromkeys(page.terms))}
    return Columns(
        head=_head_of(page),
        text=page.text,
        words=" ".join(words),
        terms=np.array([words[term] for term in page.terms], np.int32).tobytes(),
        urls=_SEPARATOR.join([link.url for link in links]),
        hosts=_SEPARATOR.join([link.host for link in links]),
        anchors=_SEPARATOR.join([link.anchor for link in links]),
        tag_paths=_SEPARATOR.join([link.tag_path for link in links]),
        keys=np.array([link.key for link in links], np.int64).tobytes(),
        spans=np.array([_spans_of(link) for link in links], np.int32).T.tobytes(),
        context_norms=np.array([link.context_norm for link in links], np.float64).tobytes(),
        nofollow=np.array([link.nofollow for link in links], np.bool_).tobytes(),
    )


def unpacked_page(columns: Columns) -> Page:
    """The page that was packed."""
    page = Page(**dict(zip(_HEAD, columns.head, strict=True)), text=columns.text)  # type: ignore[arg-type]
    words = np.array(columns.words.split(), object)
    page.terms = words[np.frombuffer(columns.terms, np.int32)].tolist()
    keys = np.frombuffer(columns.keys, np.int64).tolist()
    if keys:
        page.links = list(
            map(
                Link,
                columns.urls.split(_SEPARATOR),
                keys,
                map(sys.intern, columns.hosts.split(_SEPARATOR)),
                columns.anchors.split(_SEPARATOR),
                *np.frombuffer(columns.spans, np.int32).reshape(4, -1).tolist(),
                np.frombuffer(columns.context_norms, np.float64).tolist(),
                map(sys.intern, columns.tag_paths.split(_SEPARATOR)),
                np.frombuffer(columns.nofollow, np.bool_).tolist(),
            )
        )
    return page
