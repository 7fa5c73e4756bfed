"""Extracts what a robots.txt says to one robot, as a small text that is quick to parse and to match, however odd the original is.

A robots.txt of 500 KiB may name 10,000 robots with 10,000 rules, and a parser would keep each rule for each robot; or it may hold
patterns that take long to match. So we pick the lines for our robot first. Rules beyond our limits are read so that they bar more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from math import isfinite

LONGEST_READ = 500 * 1024  #: bytes of a robots.txt; the rest is ignored (RFC 9309, 2.5: no less than this)
LONGEST_PATTERN = 2_048  #: characters of a path
MOST_STARS = 16  #: wildcards in one path
MOST_PATTERNS = 2_000  #: paths with ``*`` or ``$``, which are more than a prefix
MOST_RULES = 10_000  #: a further rule bars the whole directory at the top of its path
MOST_DIRECTORIES = 1_000  #: with more barred directories, all pages are barred

AGENTS = ("user-agent", "user agent", "useragent")
ALLOW = "allow"
#: As authors spell it, and Protego reads it.
BARS = ("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw")
DELAYS = ("crawl-delay", "crawl delay")
SIGNAL = "content-signal"
#: A Crawl-delay as authors write it: a number, and perhaps its unit.
DELAY = re.compile(
    r"((?:[0-9]{1,20}(?:[.,][0-9]{0,20})?|[.,][0-9]{1,20})(?:e\+?[0-9]{1,3})?)[ \t]*([a-z]*)", re.IGNORECASE
)
#: Seconds; any other word, or none, is a second.
UNITS = {
    **dict.fromkeys(("ms", "msec", "msecs", "millisecond", "milliseconds"), 0.001),
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes"), 60.0),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), 3600.0),
}
TOKEN = re.compile(r"[\w.-]+")
#: How robots begin that would be taken for browsers; their own name is behind "compatible", else the first with a version.
BROWSER = "mozilla"
COMPATIBLE = re.compile(r"\bcompatible;\s*([a-z][\w.-]*)")
PRODUCT = re.compile(r"(?:^|[\s(;])([a-z][\w.-]*)/v?[0-9]")
OF_BROWSERS = frozenset(
    (BROWSER, "applewebkit", "khtml", "gecko", "chrome", "safari", "firefox", "version", "mobile", "build", "edg")
)
#: A line that opens a group of rules or is one of them; others, such as Sitemap, belong to none.
LINE = re.compile(
    rf"^[ \t]*({'|'.join((*AGENTS, ALLOW, *BARS, *DELAYS, SIGNAL))})(?:[ \t]*:|[ \t]|$)([^#\n]*)",
    re.IGNORECASE | re.MULTILINE,
)
DIRECTORY = re.compile(r"/[^/*$]{1,255}/")
ESCAPES_AT_END = re.compile(r"(?:%[0-9A-Fa-f]{0,2})+$")


def own_rules(body: bytes, robot: str) -> str:
    """The rules for a robot of this name, as a robots.txt for all robots; empty if all is allowed.

    By RFC 9309 (2.2.1), all groups of the robot's product token count together; without any, the groups of ``*`` do.
    ``robot`` may be a whole User-Agent, see `product_token`.
    """
    lines = [(field.lower(), value.strip()) for field, value in LINE.findall(_text(body))]
    names, us = {_name(value) for field, value in lines if field in AGENTS}, product_token(robot)
    rules = list(_bounded(dict.fromkeys(_of_group(lines, us if us and us in names else "*"))))
    return "\n".join(["User-agent: *", *rules, ""]) if rules else ""


def _text(body: bytes) -> str:
    """Text decoded as UTF-8, without invalid bytes; UTF-16 of plain letters is UTF-8 with zeros between."""
    whole = body[:LONGEST_READ]
    if len(body) > len(whole):  # half a line says something else
        whole = whole[: max(whole.rfind(b"\n"), whole.rfind(b"\r")) + 1]
    return whole.decode("utf-8-sig", "ignore").replace("\0", "").replace("\r", "\n")


def product_token(user_agent: str) -> str:
    """The name of a robot, in lower case: how its User-Agent begins, up to a slash or a blank; empty where it has none.

    Of one that begins as a browser does, it is the name that sites mean: of ``Mozilla/5.0 (compatible; mybot/1.0)`` that is mybot.
    """
    agent = user_agent.lower()
    first = TOKEN.search(agent)
    if first is None or first[0] != BROWSER:
        return first[0] if first else ""
    if (own := COMPATIBLE.search(agent)) is not None:
        return own[1]
    return next((product[1] for product in PRODUCT.finditer(agent) if product[1] not in OF_BROWSERS), BROWSER)


def _name(value: str) -> str:
    """The product token that a line names. There are no wildcards in names, but some write them."""
    for_all = value.startswith("*") and not value.split(maxsplit=1)[0].strip("*")
    return "*" if for_all else product_token(value.replace("*", ""))


def _of_group(lines: list[tuple[str, str]], us: str) -> Iterator[tuple[str, str]]:
    """The rules of all groups that are opened with a name; of several delays the longest."""
    ours, opening, delays = False, False, list[float]()
    for field, value in lines:
        if field in AGENTS:
            ours = (opening and ours) or _name(value) == us
            opening = True
            continue
        opening = False
        if not (ours and value):
            continue
        if field in DELAYS:
            delays += _seconds(value)
        else:
            yield ("disallow" if field in BARS else field), value
    if delays:
        yield "crawl-delay", f"{max(delays):g}"


def _seconds(value: str) -> Iterator[float]:
    """A Crawl-delay as authors write it: ``2``, ``1,5``, ``.5``, ``5s``, ``2 minutes``; nothing for what is no time."""
    if found := DELAY.match(value):
        seconds = float(found[1].replace(",", ".")) * UNITS.get(found[2].lower(), 1.0)
        if isfinite(seconds):
            yield seconds


def _bounded(rules: dict[tuple[str, str], None]) -> Iterator[str]:
    """Lines for these rules. Beyond a limit, an allowing rule is dropped, and a barring one bars all that begins alike."""
    patterns, kept, barred = 0, list[tuple[str, str]](), dict[str, None]()
    for number, (field, value) in enumerate(rules, 1):
        path = re.sub(r"\*+", "*", value)
        if field in ("crawl-delay", SIGNAL):
            kept.append((field, value))
            continue
        if number > MOST_RULES:
            barred |= {} if field == ALLOW else {_top(path): None}
            if len(barred) > MOST_DIRECTORIES:
                barred = {"/": None}
                break
            continue
        stars = MOST_STARS
        if "*" in path or "$" in path:
            patterns += 1
            stars *= patterns <= MOST_PATTERNS
        shorter = _beginning(path, stars, ends=patterns <= MOST_PATTERNS)
        if field != ALLOW or shorter == path:
            kept.append((field, shorter))
    # The longest rule counts, so one that allows a part of a barred directory would win.
    yield from (
        f"{field}: {path}" for field, path in kept if not barred or field != ALLOW or _is_elsewhere(path, barred)
    )
    yield from (f"disallow: {directory}" for directory in barred)


def _is_elsewhere(path: str, barred: Mapping[str, None]) -> bool:
    """Whether all that a path allows lies outside of the directories that are barred as a whole."""
    return _top(path) not in ("/", *barred) and "/" not in barred


def _top(path: str) -> str:
    """The directory at the top of a path; ``/`` if the path does not begin with one."""
    found = DIRECTORY.match(path)
    return found[0] if found else "/"


def _beginning(path: str, stars: int, *, ends: bool) -> str:
    """A path itself if it is within the limits, else a pattern for all that begins like it."""
    shorter = "*".join(path[:LONGEST_PATTERN].split("*", stars + 1)[: stars + 1])
    if not ends:
        shorter = shorter.partition("$")[0]
    if shorter == path:
        return path
    return ESCAPES_AT_END.sub("", shorter.rstrip("$")) or "/"
