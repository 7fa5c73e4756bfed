"""The first page: all collections with how they stand; and crawls that are started there, for words, a site, or a topic file."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from focused.desk.dashboard.launcher import CHOICES, MOST_DEPTH, MOST_PAGES, MOST_SEEDS, NewCrawl, SeedFinding, site_of
from focused.desk.dashboard.long_tables import whole
from focused.desk.dashboard.page_templates import answer, launcher_of, quoted, see, sent, sent_all, served_of, uploaded
from focused.desk.dashboard.served import Served
from focused.desk.dashboard.standing import CollectionStatus, sparkline, standing
from focused.exceptions import FocusedError, SearchError, TopicError
from focused.seeds.searching.seed_sources import read_list

PAGES, SITE_PAGES, SITE_DEPTH = "200", "200", "4"


@dataclass(frozen=True, slots=True)
class CollectionRow:
    """A collection in the list; one that cannot be read has `trouble` alone."""

    name: str
    stands: CollectionStatus | None
    line: str = ""  #: points of its sparkline
    trouble: str = ""


def index(request: Request) -> Response:
    served = served_of(request)
    rows = [_row(served, name) for name in served.names()]
    rows.sort(key=lambda row: (not (row.stands and row.stands.running), row.name))
    return answer(request, "collections.html", rows=rows, data=served.data, launcher=served.launcher, choices=CHOICES)


def start(request: Request) -> Response:
    """Start the crawl of a topic file, or go on with it."""
    launcher_of(request).start(sent(request, "topic"))
    return see("/")


def _row(served: Served, name: str) -> CollectionRow:
    shown = served.find(name)
    try:
        if shown is None:
            return CollectionRow(name, None, trouble="it is gone")
        with shown.store() as store:
            stands = standing(shown, store)
    except FocusedError as error:
        return CollectionRow(name, None, trouble=str(error))
    return CollectionRow(name, stands, sparkline(stands.numbers.pages.relevant))


def crawl_for(request: Request) -> Response:
    """Start a crawl, or first a search for its seeds.

    Fields: ``q``, ``strategy``, ``pages``; ``seed`` as often as pages are ticked; ``urls``, a text with addresses; ``list``, a file
    with some; ``providers``, whether they are asked.
    """
    served, launcher = served_of(request), launcher_of(request)
    seeds = tuple(dict.fromkeys((*sent_all(request, "seed"), *_pasted(sent(request, "urls")))))
    pages = _number("pages", sent(request, "pages", PAGES), 1, MOST_PAGES)
    new = NewCrawl(sent(request, "q"), seeds[:MOST_SEEDS], sent(request, "strategy", "adaptive"), pages)
    file, specs = uploaded(request, "list"), launcher.search if sent(request, "providers") else ()
    if file is not None:
        _addresses(file, "The file with addresses")
    if file is not None or specs:
        return see(f"/seeds/{served.seeds.begin(new, specs, file)}")
    if not seeds:
        raise TopicError(
            "Give the crawl something to start from: tick pages of your collections, paste addresses, or choose a file with "
            "bookmarks."
        )
    return _begin(request, new, "hits")


def map_site(request: Request) -> Response:
    """Start a crawl of one site. Fields: ``site``, ``q``, ``strategy``, ``pages``, ``depth``, ``domain``."""
    pages = _number("pages", sent(request, "pages", SITE_PAGES), 1, MOST_PAGES)
    depth = _number("depth", sent(request, "depth", SITE_DEPTH), 0, MOST_DEPTH)
    url, hosts = site_of(sent(request, "site"), whole_domain=bool(sent(request, "domain")))
    strategy = sent(request, "strategy", "shark_search")
    return _begin(request, NewCrawl(sent(request, "q"), (url,), strategy, pages, depth, hosts), "hits?then=map")


def seeds(request: Request) -> Response:
    """What a search for seeds has done, and what it found: nothing is crawled yet."""
    number, finding = _finding(request)
    return answer(request, "seeds.html", number=number, finding=finding, new=finding.new)


def seeds_progress(request: Request) -> Response:
    _, finding = _finding(request)
    return JSONResponse({"told": finding.told[-1] if finding.told else "", "done": finding.done})


def _begin(request: Request, new: NewCrawl, page: str) -> Response:
    served, launcher = served_of(request), launcher_of(request)
    name = new.begin(served.data, [*served.names(), *launcher.topics()])
    launcher.start_asked(name)
    return see(f"/c/{quoted(name)}/{page}")


def _finding(request: Request) -> tuple[int, SeedFinding]:
    number = whole(request.path_params["number"])
    finding = served_of(request).seeds.find(number)
    if finding is None:
        raise HTTPException(404, "There is no such search, or it was long ago.")
    return number, finding


def _pasted(text: str) -> list[str]:
    """The addresses in a text, whatever list of them it is. Raises FocusedError for a text without any."""
    if not text.strip():
        return []
    if not text.lstrip().startswith("<"):
        text = "\n".join(text.split())  # one a line
    return _addresses(text.encode("utf-8", "replace"), "The addresses that you pasted")


def _addresses(data: bytes, what: str) -> list[str]:
    """The addresses in a list of any kind. Raises FocusedError, which begins with ``what``."""
    try:
        return [found.url for found in read_list(data).found]
    except SearchError as error:
        raise FocusedError(f"{what}: {error}.") from None


def _number(name: str, text: str, least: int, most: int) -> int:
    """A number of a form. Raises TopicError."""
    number = whole(text.strip())
    if not least <= number <= most:
        raise TopicError(f"{name}: give a whole number from {least:,} to {most:,}.")
    return number


ROUTES = [
    Route("/", index),
    Route("/start", start, methods=["POST"]),
    Route("/crawl", crawl_for, methods=["POST"]),
    Route("/site", map_site, methods=["POST"]),
    Route("/seeds/{number}", seeds),
    Route("/seeds/{number}/progress", seeds_progress),
]
