"""Where a URL lies on its host, and its form: what URLs have in common that one program makes without end."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import unquote

from tldextract import TLDExtract

#: Uses the list that comes with the package, not the network. Customers of one hoster (x.github.io, y.github.io) are strangers.
parts_of = TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)


@lru_cache(10_000)
def domain_of(host: str) -> str:
    """The registered domain of a host, such as ``example.co.uk``; the host itself where it has none (an address, ``localhost``)."""
    return parts_of(host).top_domain_under_public_suffix or host


_DIGITS = re.compile(r"[0-9]+")
_WORD = re.compile(r"[^\W\d]{1,40}", re.UNICODE)


def form_of(url: str) -> tuple[str, str, str]:
    """Directory, section and shape of a canonical URL.

    directory : its path up to the last slash; with a query, all of the path
    section : the first part of its path; empty for a page that lies at the top
    shape : its path with ``0`` for numbers, ``w`` for words and ``x`` for all else, and the names of its parameters in order
    """
    path, query = path_and_query(url)
    parts = path.split("/")
    directory = f"{path}?" if query else path[: path.rfind("/") + 1]
    section = parts[0] if len(parts) > 1 or query else ""
    names = sorted({pair.partition("=")[0] for pair in query.split("&")}) if query else []
    return directory, section, f"{'/'.join(map(_class_of, parts))}?{'&'.join(names)}"


def path_and_query(url: str) -> tuple[str, str]:
    """The path of a canonical URL without its first slash, and what follows the question mark."""
    path, _, query = url.split("/", 3)[3].partition("?")
    return path, query


def repeats(path: str) -> int:
    """How often the most frequent part of a path occurs in it; 0 for the top."""
    parts = [part for part in path.split("/") if part]
    return max((parts.count(part) for part in set(parts)), default=0)


def _class_of(part: str) -> str:
    text = part.partition(".")[0]
    if not text:
        return ""
    if _DIGITS.fullmatch(text):
        return "0"
    return "w" if all(_WORD.fullmatch(word) for word in re.split(r"[-_+ ]", unquote(text)) if word) else "x"
