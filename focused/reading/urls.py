"""URLs as a crawl knows them: one canonical form to fetch, one 64-bit key to tell whether it was seen."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from hashlib import blake2b

from ada_url import join_url
from w3lib.url import canonicalize_url, safe_url_string

from focused.reading.host_names import authority_of
from focused.reading.session_ids import without_session_ids

#: Characters; longer URLs are traps nearly always (the limit that Internet Explorer made customary, and Scrapy's URLLENGTH_LIMIT).
MAX_LENGTH = 2083

#: Query parameters that only say where a visitor came from; ``*`` and ``?`` stand for any characters and any one.
TRACKING_PARAMETERS = (
    *("utm_*", "mtm_*", "pk_campaign", "pk_kwd", "_ga", "_gl", "gclid", "gclsrc", "dclid", "gbraid", "wbraid"),
    *("fbclid", "msclkid", "yclid", "twclid", "ttclid", "igshid", "mc_cid", "mc_eid", "mkt_tok", "_hsenc", "_hsmi"),
)

#: A URL with more parameters is not normalised for its key: that takes 2 us for each, and only traps have so many.
MAX_SORTED = 100

_NO_BASE = "about:blank"  # nothing but an absolute URL can be joined to it
_INDEX = re.compile(
    r"/(?:index\.(?:s?html?|xhtml|php[345]?|aspx?|jsp|cgi)|default\.(?:html?|aspx?)|home\.html?)$", re.IGNORECASE
)
_CREDENTIALS = re.compile(r"(?<=//)[^/?#\s]*@")
# What `canonicalize_url` leaves as it is (property-tested): plain characters, at most one parameter.
_PLAIN = re.compile(r"https?://[a-z0-9.-]+(?::[0-9]+)?/[A-Za-z0-9/._~-]*(?:\?[A-Za-z0-9._-]+=[A-Za-z0-9._-]*)?")


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

    def canonical(self, href: str, base: str | None = None) -> str | None:
        """The URL a browser would go to (WHATWG URL Standard), without fragment, credentials and tracking parameters.

        A host has one spelling, IP addresses included, without the dot that may end it (see `host_names`). Parameters keep their
        order, and http and https remain two URLs. None when there is nothing to fetch: not http(s), no host that can be,
        invalid, or longer than `MAX_LENGTH`, as written or in canonical form. Idempotent.
        """
        if len(href) > MAX_LENGTH:
            return None
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
        if self.strip_session_ids and not _PLAIN.fullmatch(url):
            cleaned = without_session_ids(url)
            if cleaned != url:
                url = join_url(_NO_BASE, cleaned)  # what is left may be ``/./``
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


_AS_WRITTEN = UrlRules(strip_parameters=(), strip_session_ids=False)
