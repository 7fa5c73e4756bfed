"""Hosts that say: not now. They are left alone as long as they say, and nothing is lost."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

from lab.chaos.access_log import Entry
from lab.chaos.replies import answer, in_turn, page
from lab.chaos.scenarios.honest import honest_host
from lab.chaos.scene import Scene, scenario
from lab.chaos.server import Behaviour, Web, Wire

SECONDS = 2
LONGEST = 5.0  #: seconds that the crawl obeys at most
#: Values of Retry-After; a host that tells one that cannot be read may be asked again when the crawl likes.
ODD = (
    "",
    "soon",
    "-5",
    "0",
    "1e3",
    "nan",
    "9" * 400,
    "Wed, 99 Foo 2026 99:99:99 GMT",
    "Thu, 01 Jan 1970 00:00:00 GMT",
    "\x1b[31m2",
)


def _busy(status: int, told: str) -> Behaviour:
    return answer(status, b"later", ("Retry-After", told))


def _until_a_date(status: int) -> Behaviour:
    """Tells the moment from which on it may be asked again; dates have whole seconds, so they tell a bit more."""

    async def behave(entry: Entry, wire: Wire) -> None:
        until = datetime.now(UTC) + timedelta(seconds=SECONDS + 1)
        await _busy(status, format_datetime(until, usegmt=True))(entry, wire)

    return behave


@scenario("429 and 503 with a Retry-After in seconds, as a date, or that cannot be read")
def throttling(odd: Sequence[str] = ODD, honest_pages: int = 20) -> Scene:
    web, good = Web(), set[str]()
    kinds = {
        "many": _busy(429, str(SECONDS)),
        "busy": _busy(503, str(SECONDS)),
        "many-date": _until_a_date(429),
        "busy-date": _until_a_date(503),
        **{f"odd-{number}": _busy(429, told) for number, told in enumerate(odd)},
    }
    hosts = []
    for name, behaviour in kinds.items():
        host = f"http://{name}.example"
        pages = {f"/{number}": page(f"{name} page {number}") for number in range(3)}
        pages["/0"] = in_turn(behaviour, page(f"{name} at last", "/1", "/2"))
        pages["/2"] = in_turn(
            behaviour, behaviour, behaviour, page(f"{name} at last again")
        )  # more often than Scrapy tries again
        web.add(f"{name}.example", pages)
        hosts.append(f"{host}/0")
        if not name.startswith("odd"):
            good.update(f"{host}{path}" for path in pages)
        else:
            good.update((f"{host}/0", f"{host}/1"))
    seed, honest = honest_host(web, honest_pages, hosts)
    settings = {"RETRY_TIMES": 2, "FOCUSED_MAX_RETRY_AFTER": LONGEST}
    return Scene(web, (seed,), len(kinds), honest | good, longest_wait=LONGEST, settings=settings)
