"""The access log of the hostile server, one line of JSON a request, and what in it a polite crawler must not have done.

Imports nothing of the product: whoever judges the crawler by this log must not believe the crawler. What a host asks for is told by
those who made the host (`HostRules`), the rest by the log itself.
"""

from __future__ import annotations

import ipaddress
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote, urlsplit

#: Headers of a request that may tell somebody's secrets; they are kept, others are not.
TELLING = ("authorization", "cookie", "proxy-authorization", "referer")


@dataclass(slots=True)
class Entry:
    """One request.

    start, end : seconds of the server's monotonic clock: when its head had arrived; when the answer was sent or the client left
    late : seconds by which the client may have begun it earlier: the server stood still, or a connection had to be made first
    connection : number of the client's connection
    host : as the client wrote it, in lower case, without port and credentials
    path : with the query
    credentials : of the URL that was asked for
    headers : those of `TELLING` that came
    status : that was sent; 0 where none was
    retry_after : seconds that the answer told the client to wait, from its end on
    """

    start: float
    connection: int
    method: str
    scheme: str
    host: str
    port: int
    path: str
    credentials: str = ""
    late: float = 0.0
    headers: dict[str, str] = field(default_factory=dict)
    end: float = 0.0
    status: int = 0
    retry_after: float | None = None

    @property
    def url(self) -> str:
        """For a person."""
        usual = {"http": 80, "https": 443}.get(self.scheme)
        return f"{self.scheme}://{self.host}{'' if self.port == usual else f':{self.port}'}{self.path}"

    @property
    def is_robots(self) -> bool:
        return self.path.partition("?")[0] == "/robots.txt"


def line_of(entry: Entry) -> str:
    return json.dumps(asdict(entry)) + "\n"


def read_log(path: Path) -> list[Entry]:
    """All requests of a log, by the time they came. Raises ValueError for a line that is none."""
    return sorted(_entries(path), key=lambda entry: entry.start)


def _entries(path: Path) -> Iterator[Entry]:
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            try:
                yield Entry(**json.loads(line))
            except (TypeError, json.JSONDecodeError):
                raise ValueError(f"{path}, line {number}: no request of an access log: {line[:100]!r}") from None


#: What can be found.
EARLY, OVERLAP, FORBIDDEN = "early", "overlap", "forbidden"
RETRY_AFTER, SECRET, REACHED = "retry-after", "secret", "reached"
KINDS = (EARLY, OVERLAP, FORBIDDEN, RETRY_AFTER, SECRET, REACHED)
WEB_PORTS = (80, 443)
#: Names that mean this machine or the network around it.
LOCAL_NAMES = (".localhost", ".local", ".internal", ".home.arpa")


@dataclass(frozen=True, slots=True)
class HostRules:
    """What a host asks for.

    crawl_delay : seconds between two requests, of its robots.txt; the longer one of this and the crawl's own delay counts
    disallow : beginnings of paths that its robots.txt forbids
    unreachable : nobody could read its robots.txt: all but robots.txt is forbidden
    """

    crawl_delay: float = 0.0
    disallow: tuple[str, ...] = ()
    unreachable: bool = False


@dataclass(frozen=True, slots=True)
class Promise:
    """What the crawl promised.

    delay : seconds from the start of a request to the start of the next one to the same host
    at_once : requests to a host that may be under way at a time
    longest_wait : seconds; a Retry-After or Crawl-delay beyond that may be cut to it
    slack : seconds by which the server may have noticed one request later than the next, on a busy machine
    secrets : texts that no request may hold
    """

    delay: float = 0.0
    at_once: int = 1
    longest_wait: float = 60.0
    slack: float = 0.1
    secrets: tuple[str, ...] = ()
    hosts: Mapping[str, HostRules] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that must not be."""

    kind: str
    host: str
    text: str


def check(entries: Iterable[Entry], promise: Promise) -> list[Finding]:
    """All that is wrong in a log, in the order of hosts."""
    by_host: dict[str, list[Entry]] = defaultdict(list)
    found = []
    for entry in sorted(entries, key=lambda entry: entry.start):
        found += [*_reached(entry), *_secrets(entry, promise)]
        if entry.method != "CONNECT":  # whose tunnel brings the request itself
            by_host[same_host(entry.host)].append(entry)
    for host, asked in by_host.items():
        rules = promise.hosts.get(host, HostRules())
        found += _early(host, asked, promise, rules)
        found += _overlaps(host, asked, promise)
        found += _forbidden(host, asked, rules)
        found += _too_soon(host, asked, promise)
    return found


def same_host(host: str) -> str:
    """One spelling for all names of a host: ``X.`` is ``x``."""
    return host.lower().rstrip(".")


def is_private(host: str) -> bool:
    """Whether a name or a literal address leads to this machine or the network around it, however it is written."""
    name = same_host(host).strip("[]")
    if name == "localhost" or name.endswith(LOCAL_NAMES):
        return True
    address = address_of(name)
    if address is None:
        return False
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1]
        if address in ipaddress.ip_network("64:ff9b::/96"):
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None and not inner.is_global:
            return True
    return not address.is_global or address.is_multicast


def address_of(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address that a literal means; shortened, octal and hexadecimal ones are read as browsers read them."""
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        pass
    try:
        *firsts, last = (_number(part) for part in name.split("."))
        value = last
        for place, part in enumerate(firsts):
            if part > 255:
                return None
            value += part << 8 * (3 - place)
        return ipaddress.IPv4Address(value)
    except ValueError:
        return None


def _number(text: str) -> int:
    if text.startswith(("0x", "0X")):
        return int(text[2:] or "0", 16)
    return int(text, 8) if len(text) > 1 and text.startswith("0") else int(text)


def _reached(entry: Entry) -> Iterator[Finding]:
    if is_private(entry.host):
        yield Finding(REACHED, entry.host, f"{entry.method} {entry.url}: a private address")
    elif entry.port not in WEB_PORTS:
        yield Finding(REACHED, entry.host, f"{entry.method} {entry.url}: port {entry.port} is no port of the Web")


def _secrets(entry: Entry, promise: Promise) -> Iterator[Finding]:
    told = [f"{name}: {entry.headers[name]}" for name in ("authorization", "cookie") if name in entry.headers]
    if entry.credentials:
        told.append(f"credentials in the URL: {entry.credentials}")
    if referer := entry.headers.get("referer", ""):
        parts = urlsplit(referer)
        if "@" in parts.netloc:
            told.append(f"referer with credentials: {referer}")
        if parts.scheme == "https" and entry.scheme == "http":
            told.append(f"referer of an encrypted page: {referer}")
    everything = " ".join((entry.path, *entry.headers.values()))
    told += [f"the secret {secret!r}" for secret in promise.secrets if secret in everything]
    for text in told:
        yield Finding(SECRET, entry.host, f"{entry.method} {entry.url}: {text}")


def _early(host: str, asked: Sequence[Entry], promise: Promise, rules: HostRules) -> Iterator[Finding]:
    delay = max(promise.delay, min(rules.crawl_delay, promise.longest_wait))
    for before, after in pairwise(asked):
        gap = after.start - before.start
        if gap + before.late < delay - promise.slack:
            yield Finding(EARLY, host, f"{after.url} came {gap:.2f} s after {before.url}, not {delay:g} s")


def _overlaps(host: str, asked: Sequence[Entry], promise: Promise) -> Iterator[Finding]:
    under_way: list[Entry] = []
    for entry in asked:
        under_way = [other for other in under_way if other.end - promise.slack > entry.start]
        if len(under_way) >= promise.at_once:
            yield Finding(OVERLAP, host, f"{entry.url} came while {under_way[0].url} was under way")
        under_way.append(entry)


def _forbidden(host: str, asked: Sequence[Entry], rules: HostRules) -> Iterator[Finding]:
    for entry in asked:
        if entry.is_robots:
            continue
        if rules.unreachable:
            yield Finding(FORBIDDEN, host, f"{entry.url}: the robots.txt of this host cannot be reached")
        elif unquote(entry.path).startswith(rules.disallow or ("\0",)):
            yield Finding(FORBIDDEN, host, f"{entry.url}: robots.txt forbids it")


def _too_soon(host: str, asked: Sequence[Entry], promise: Promise) -> Iterator[Finding]:
    until, told_by = 0.0, ""
    for entry in asked:
        if entry.start < until - promise.slack:
            yield Finding(
                RETRY_AFTER, host, f"{entry.url} came {until - entry.start:.2f} s before {told_by} allowed it"
            )
        if entry.retry_after is not None and entry.retry_after > 0:
            until = max(until, entry.end + min(entry.retry_after, promise.longest_wait))
            told_by = f"the Retry-After of {entry.url}"
