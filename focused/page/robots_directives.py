"""What a page asks of robots: the directives of ``<meta name=robots>`` and of the ``X-Robots-Tag`` header."""

from __future__ import annotations

# Directives that carry a value after a colon; any other name before a colon is a crawler's.
_WITH_VALUE = ("unavailable_after", "max-snippet", "max-image-preview", "max-video-preview")
_NO_SNIPPET = {"nosnippet", "max-snippet:0"}


def directives(*values: str) -> frozenset[str]:
    """Lower-case directives that hold for every crawler, such as ``max-snippet:20``; ``none`` is ``noindex`` and ``nofollow``.

    Each value is one meta element or one header. Directives behind the name of a crawler (``googlebot: noindex``) are
    for that crawler only, up to the end of the value or line. Several headers are one value, a header a line.
    """
    found: set[str] = set()
    for line in "\n".join(values).lower().splitlines():
        for part in line.split(","):
            name, colon, _ = part.partition(":")
            if colon and name.strip() not in _WITH_VALUE:
                break
            found.add("".join(part.split()) if colon else name.strip())
    if "none" in found:
        found |= {"noindex", "nofollow"}
    return frozenset(found)


def bars_snippets(*values: str) -> bool:
    """Whether a page asks that nobody shows a piece of its text. Values as for `directives`."""
    return not _NO_SNIPPET.isdisjoint(directives(*values))
