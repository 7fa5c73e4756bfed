"""Which hosts can be: names as DNS has them and IP addresses, one spelling of each."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

MAX_NAME = 253  #: characters of a name (RFC 1035, section 3.1: 255 octets, two of which are the ends)
REMEMBERED = 4_096  #: hosts; most links of a page lead to a few

_NAME = re.compile(r"[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*")
_ADDRESS_6 = re.compile(r"\[[0-9a-f:]+\]")
_JOINERS = "\u200c\u200d"  # the two characters without shape that names may have: Persian and Indic scripts need them


@lru_cache(REMEMBERED)
def authority_of(written: str) -> str | None:
    """The host of a URL and its port, as in canonical URLs; None for a host or a port that cannot be.

    written : as the WHATWG URL Standard serialises it, between ``//`` and the next ``/``: in lower case, IP addresses and
        international names in their one form, ports that go without saying left out

    Credentials go, and so does the dot that may end a name: ``user:secret@a.example.:8080`` is ``a.example:8080``.
    """
    place = written.rpartition("@")[2]
    if place.startswith("["):
        host, _, port = place.partition("]")
        host, port = f"{host}]", port.removeprefix(":")
    else:
        host, _, port = place.partition(":")
        host = host.removesuffix(".")
    if port == "0" or not (_ADDRESS_6.fullmatch(host) or _is_name(host)):
        return None
    return f"{host}:{port}" if port else host


def _is_name(host: str) -> bool:
    """Whether a host is a name that DNS can hold, or an IPv4 address."""
    if len(host) > MAX_NAME or not _NAME.fullmatch(host):
        return False
    return "xn--" not in host or all(_is_punycode(label[4:]) for label in host.split(".") if label.startswith("xn--"))


def _is_punycode(encoded: str) -> bool:
    """Whether the rest of a label after ``xn--`` stands for letters beyond ASCII that a person can see."""
    try:
        label = encoded.encode().decode("punycode")
    except ValueError:
        return False
    unseen = ("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs")
    return not label.isascii() and not any(unicodedata.category(c) in unseen and c not in _JOINERS for c in label)
