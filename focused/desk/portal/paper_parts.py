"""The abstract and the references of a paper, found in its text by the words that papers put before them.

A heuristic: it knows English headings, and references with numbers in brackets. Where it finds nothing, nothing is shown.
"""

from __future__ import annotations

import re

from focused.page.plain_text import plain

MOST_REFERENCES = 100
SHORTEST, LONGEST = 20, 400  #: characters of a reference
LONGEST_LIST = 100_000  #: characters after the heading that are looked at
START = 6_000  #: characters of a paper among which its abstract begins
LONGEST_ABSTRACT, SHORTEST_ABSTRACT = 4_000, 80

_ABSTRACT = re.compile(r"\b(?:Abstract|ABSTRACT)\b\s*[:.—–-]?\s*")
_AFTER = re.compile(
    r"\b(?:Keywords|KEYWORDS|Key words|Index Terms|Categories and Subject Descriptors|CCS Concepts|CCS CONCEPTS)\b"
    r"|\b(?:1|I)\.?\s*(?:Introduction|INTRODUCTION)\b|\bINTRODUCTION\b"
)
_REFERENCES = re.compile(r"\b(?:References|REFERENCES|Bibliography|BIBLIOGRAPHY)\b")
_NUMBER = re.compile(r"\[(\d{1,3})\]\s")


def paper_abstract(text: str) -> str:
    """What stands between "Abstract" and the keywords or the introduction; empty where that cannot be told."""
    if not (found := _ABSTRACT.search(text[:START])):
        return ""
    rest = text[found.end() : found.end() + LONGEST_ABSTRACT]
    end = _AFTER.search(rest)
    return plain(rest[: end.start()]) if end and end.start() >= SHORTEST_ABSTRACT else ""


def paper_references(text: str) -> list[str]:
    """References numbered [1], [2], ... after the last heading that says so, in their order; none where they are not."""
    headings = list(_REFERENCES.finditer(text))
    if not headings:
        return []
    rest = text[headings[-1].end() :][:LONGEST_LIST]
    marks = list(_NUMBER.finditer(rest))
    found: list[str] = []
    for at, mark in enumerate(marks):
        if int(mark[1]) != len(found) + 1:  # a citation inside a reference, or of an appendix
            continue
        following = next((one.start() for one in marks[at + 1 :] if int(one[1]) == len(found) + 2), len(rest))
        reference = plain(rest[mark.end() : min(following, mark.end() + LONGEST)])
        if len(reference) < SHORTEST or len(found) == MOST_REFERENCES:
            break
        found.append(reference)
    return found
