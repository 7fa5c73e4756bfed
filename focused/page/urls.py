"""URLs as a crawl knows them: one canonical form to fetch, one 64-bit key to tell whether it was seen."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b

from ada_url import join_url
from w3lib.url import canonicalize_url, safe_url_string

#: Characters; longer URLs are traps nearly always (the limit that Internet Explorer made customary, and Scrapy's URLLENGTH_LIMIT).
MAX_LENGTH = 2083

#: Query parameters that only say where a visitor came from; ``*`` and ``?`` stand for any characters and any one.
TRACKING_PARAMETERS = (
    *("utm_*", "mtm_*", "pk_campaign", "pk_kwd", "_ga", "_gl", "gclid", "gclsrc", "dclid", "gbraid", "wbraid"),
    *("fbclid", "msclkid", "yclid", "twclid", "ttclid", "igshid", "mc_cid", "mc_eid", "mkt_tok", "_hsenc", "_hsmi"),
)

#: A URL with more parameters is not normalised for its key: that takes 2 us for each, and only traps have so many.
MAX_SORTED = 100

NESTED_SESSION_IDS = 10  #: that come to light where others are removed; only traps have so many

_NO_BASE = "about:blank"  # nothing but an absolute URL can be joined to it
_INDEX = re.compile(
    r"/(?:index\.(?:s?html?|xhtml|php[345]?|aspx?|jsp|cgi)|default\.(?:html?|aspx?)|home\.html?)$", re.IGNORECASE
)
_CREDENTIALS = re.compile(r"(?<=//)[^/?#\s]*@")
# What `canonicalize_url` leaves as it is (property-tested): plain characters, at most one parameter.
_PLAIN = re.compile(r"https?://[a-z0-9.-]+(?::[0-9]+)?/[A-Za-z0-9/._~-]*(?:\?[A-Za-z0-9._-]+=[A-Za-z0-9._-]*)?")
#: Names of parameters that programs use for sessions; as values, only what can be an identifier.
_PARAMETER = re.compile(
    r"(?:^|&)(?:jsessionid|phpsessid|aspsessionid\w*|asp\.net_sessionid|cfid|cftoken|oscsid|zenid|sessionid|session_id|sess_id|sessid|"
    r"sid|s_id)=[\w.~+-]{8,}(?=&|$)",
    re.IGNORECASE,
)
_IN_PATH = re.compile(
    r";(?:jsessionid|phpsessid|sessionid|sid)=[\w.!~+-]+|/\((?:[A-Z]\([\w-]+\))+\)(?=/)", re.IGNORECASE
)
MAX_NAME = 253  #: characters of a name (RFC 1035, section 3.1: 255 octets, two of which are the ends)
REMEMBERED = 4_096  #: hosts; most links of a page lead to a few

_AS_THEY_ARE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
_NAME = re.compile(r"[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*")
_ADDRESS_6 = re.compile(r"\[[0-9a-f:]+\]")
_JOINERS = "\u200c\u200d"  # the two characters without shape that names may have: Persian and Indic scripts need them


@dataclass(slots=True, frozen=True)
class Address:
    """A canonical URL with its identity."""

    key: int
    host: str
    url: str


@dataclass(frozen=True, slots=True)
class UrlRules:
    """How a topic makes URLs canonical.

    fold_index : ``/a/index.html`` is fetched as ``/a/`` (any usual index name, unless a query follows)
    strip_parameters : query parameters to remove, as glob patterns; upper and lower case are the same
    strip_session_ids : remove session identifiers from path and query
    """

    fold_index: bool = False
    strip_parameters: tuple[str, ...] = TRACKING_PARAMETERS
    strip_session_ids: bool = True
    _stripped: re.Pattern[str] | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_stripped", _parameter_pattern(self.strip_parameters))

    def canonical(self, href: str, base: str | None = None, encoding: str = "utf-8") -> str | None:
        """The URL a browser would go to (WHATWG URL Standard), without fragment, credentials and tracking parameters.

        A host has one spelling, IP addresses included, without the dot that may end it (see `host_names`). Parameters keep their
        order, and http and https remain two URLs. None when there is nothing to fetch: not http(s), no host that can be,
        invalid, or longer than `MAX_LENGTH`, as written or in canonical form. Idempotent.

        encoding : Python's name of that of the page; letters of a query are sent in it
        """
        if len(href) > MAX_LENGTH:
            return None
        if encoding != "utf-8" and not href.isascii():
            href = _with_encoded_query(href, encoding)
        try:
            url = join_url(base or _NO_BASE, href)
        except ValueError:
            return None
        if not url.startswith(("http://", "https://")):
            return None
        url = url.partition("#")[0]
        scheme, _, written, path = url.split("/", 3)
        authority = authority_of(written)
        if authority is None:
            return None
        if authority != written:
            url = f"{scheme}//{authority}/{path}"
        if self.strip_session_ids and ("=" in url or "(" in url):
            for _ in range(NESTED_SESSION_IDS):
                if (cleaned := without_session_ids(url)) == url:
                    break
                url = join_url(_NO_BASE, cleaned)  # what is left may be ``/./``, or an identifier again
            else:
                return None
        if "?" in url:
            url = self._clean_query(url)
        elif self.fold_index:
            url = _INDEX.sub("/", url)
        return url if len(url) <= MAX_LENGTH else None

    @staticmethod
    def key(url: str) -> int:
        """Identity of a canonical URL, in [-2**63, 2**63): equal when only the order of the parameters or the way of
        percent-encoding differs. Two among n URLs collide with probability n**2 / 2**65 (1e-5 for 20 million).
        """
        if not _PLAIN.fullmatch(url):
            url = _normal_form(url)
        return number_of(url.encode())

    @staticmethod
    def address(canonical: str) -> Address:
        """A canonical URL with its identity."""
        return Address(UrlRules.key(canonical), host_of(canonical), canonical)

    def _clean_query(self, url: str) -> str:
        address, _, query = url.partition("?")
        if self._stripped:
            cleaned = self._stripped.sub("", query)
            if cleaned != query:
                query = cleaned.lstrip("&")
        if query:
            return f"{address}?{query}"
        return _INDEX.sub("/", address) if self.fold_index else address


def number_of(data: bytes) -> int:
    """A number in [-2**63, 2**63) that stands for some bytes, the same in every process."""
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "big", signed=True)


def host_of(url: str) -> str:
    """Host name of a canonical URL, without the port; an IPv6 address keeps its brackets."""
    host = url.split("/", 3)[2]
    if ":" not in host:
        return host
    return host[: host.index("]") + 1] if host.startswith("[") else host.partition(":")[0]


def at_canonical_host(url: str) -> str | None:
    """A URL whose host is spelt as canonical URLs spell it, without credentials; else as it is. None for no http(s) URL."""
    canonical = _AS_WRITTEN.canonical(url)
    if canonical is None or url.startswith(canonical[: canonical.index("/", len("https://")) + 1]):
        return canonical and url
    return canonical


def without_secrets(text: str) -> str:
    """A URL, or what was meant to be one, without credentials: to be shown."""
    return _CREDENTIALS.sub("", text)


def _normal_form(url: str) -> str:
    try:
        return safe_url_string(url) if url.count("&") > MAX_SORTED else canonicalize_url(url)
    except ValueError:  # a host that browsers take and Python's stricter IDNA codec does not
        return url


def _parameter_pattern(globs: tuple[str, ...]) -> re.Pattern[str] | None:
    """One pattern for all parameters to remove, each with its value and the ``&`` before it."""
    if not globs:
        return None
    names = "|".join(re.escape(glob).replace(r"\*", "[^&=]*").replace(r"\?", "[^&=]") for glob in globs)
    return re.compile(f"(?:^|&)(?:{names})(?:=[^&]*)?(?=&|$)", re.IGNORECASE)


def _with_encoded_query(href: str, encoding: str) -> str:
    """A link of a page as a browser would send its query (URL Standard, percent-encode after encoding)."""
    if encoding.startswith("utf-16"):
        return href
    address, fragment_mark, fragment = href.partition("#")
    path, mark, query = address.partition("?")

    def sent(letters: re.Match[str]) -> str:
        sent = letters[0].encode(encoding, "xmlcharrefreplace")
        return "".join(chr(byte) if chr(byte) in _AS_THEY_ARE else f"%{byte:02X}" for byte in sent)

    return f"{path}{mark}{_BEYOND_ASCII.sub(sent, query)}{fragment_mark}{fragment}"


_AS_WRITTEN = UrlRules(strip_parameters=(), strip_session_ids=False)


def without_session_ids(url: str) -> str:
    """A canonical URL without the session identifiers in its path and its query."""
    address, _, query = url.partition("?")
    if ";" in address or "(" in address:
        address = _IN_PATH.sub("", address)
    if "=" in query:
        kept = _PARAMETER.sub("", query)
        query = kept if kept == query else kept.removeprefix("&")
    return f"{address}?{query}" if query else address


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
