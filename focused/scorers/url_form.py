"""What can be read from the text of a URL alone: its words, its directory, and the form that it shares with others."""

from __future__ import annotations

import re
from typing import NamedTuple
from zlib import crc32

WORDS = 6  #: last words of a URL that are read

_WORD, _DIGIT = re.compile(r"[a-z]{2,}|0+|~"), re.compile(r"\d")
_USER, _DIGITS = re.compile(r"~[^/]*"), re.compile(r"\d+")


class UrlForm(NamedTuple):
    """A URL as text, without its host, unless where it says so."""

    directory: int  #: hash of the host and of all before the last slash
    pattern: int  #: hash of the host and of the form: names of users and digits left out, any name of a file the same
    words: str  #: see `words_of`, with spaces between them
    slashes: int
    has_user: bool  #: a tilde
    is_folder: bool  #: it ends with a slash
    has_query: bool

    @classmethod
    def of(cls, url: str, host: str) -> UrlForm:
        path = url.split("/", 3)[-1]
        directory, slash, file = path.rpartition("/")
        folder = _DIGITS.sub("0", _USER.sub("~", directory))
        return cls(
            crc32(f"{host}/{directory}".encode()),
            crc32(f"{host}/{folder}{slash}{'file' if file else ''}".encode()),
            " ".join(words_of(url)),
            path.count("/"),
            "~" in path,
            not file,
            "?" in path,
        )


def words_of(url: str) -> list[str]:
    """The last words of an absolute URL behind its host, in lower case: of a number, as many zeros as digits; a tilde is a word."""
    return _WORD.findall(_DIGIT.sub("0", url.split("/", 3)[-1].lower()))[-WORDS:]
