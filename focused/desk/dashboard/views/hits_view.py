"""The hits of one crawl as they come in, with the agents that find them; what was asked for here may be kept or forgotten."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from focused.collection.collection import DATABASE, PAGES, open_repository
from focused.crawl.standing_orders import OrderKind
from focused.desk.dashboard.found_hits import AT_ONCE, BEST, MOST, NEWEST, HitOrder
from focused.desk.dashboard.launcher import MOST_PAGES, forget, is_asked_here
from focused.desk.dashboard.long_tables import whole
from focused.desk.dashboard.page_templates import answer, as_file, launcher_of, quoted, see, sent, served_of, shown_of
from focused.desk.dashboard.served import Shown
from focused.desk.dashboard.standing import curve, standing, tiles
from focused.exceptions import FocusedError
from focused.export.reading_processes import PlainCollection, with_contents
from focused.export.row import FIELDS, PATH, READ, TEXT, chosen, own_columns
from focused.export.selection import Selection
from focused.export.writers import CsvTable, ExportSpec, FileWriter, JsonLines
from focused.live.last_run import LastRun, last_run
from focused.page.page_text import TextRequest
from focused.scorers.relevance import page_model_version

NAMES = ("number", "parent", "born", "died", "pages", "hits")
#: By format: who writes it, and its media type. A table for spreadsheets has no texts: a cell takes 32,767 characters.
FORMATS: dict[str, tuple[type[FileWriter], str]] = {
    "csv": (CsvTable, "text/csv; charset=utf-8"),
    "jsonl": (JsonLines, "application/x-ndjson"),
}
ROWS, ROWS_WITH_TEXT = 2_000, 50  #: that are sent at once
LOOK_SECONDS, FIRST_LOOK_SECONDS = 1.0, 0.2  #: between two looks; until there is a hit
PATIENCE = 30  #: seconds for which a crawl that was started may make no database
STILL_HERE = ": still here\n\n"  #: says that a stream is alive
MAP = "map"  #: where a person goes when a crawl has begun, instead of here


@dataclass(slots=True)
class RunningAgent:
    """One agent.

    word : the keyword that it has and its parent has not; empty: none
    born, died : pages fetched by all at that time; died -1: it lives
    """

    number: int
    parent: int
    born: int
    died: int
    pages: int
    hits: int
    energy: float
    word: str
    offspring: list[RunningAgent] = field(default_factory=list)

    @property
    def lives(self) -> bool:
        return self.died < 0


@dataclass(frozen=True, slots=True)
class Agents:
    """All agents that are told of.

    roots : those that began with a seed, or whose parent is forgotten
    born : how many there were, also those that are forgotten
    """

    roots: list[RunningAgent]
    born: int
    living: int
    most_energy: float


def agents_of(status: Mapping[str, Any]) -> Agents | None:
    """The agents in the status of a run; None where its strategy has none. What makes no sense is left out."""
    told = status.get("strategy")
    listed = told.get("agents") if isinstance(told, dict) else None
    if not isinstance(told, dict) or not isinstance(listed, list):
        return None
    agents: dict[int, RunningAgent] = {}
    for one in listed:
        if isinstance(one, dict) and all(isinstance(one.get(name), int) for name in NAMES):
            energy, word = one.get("energy"), one.get("word")
            number, parent, born, died, pages, hits = (int(one[name]) for name in NAMES)
            energy = float(energy) if isinstance(energy, int | float) else 0.0
            agents[number] = RunningAgent(number, parent, born, died, pages, hits, energy, str(word or ""))
    roots: list[RunningAgent] = []
    for agent in agents.values():
        mother = agents.get(agent.parent) if agent.parent < agent.number else None
        (mother.offspring if mother else roots).append(agent)
    living = [agent for agent in agents.values() if agent.lives]
    every = told.get("born")
    most = max((agent.energy for agent in living), default=0.0)
    return Agents(roots, every if isinstance(every, int) else len(agents), len(living), most)


def download(shown: Shown, kind: str) -> Iterator[bytes]:
    """The relevant pages of a collection, copies left out, piece by piece; each piece opens the database anew.

    Raises FocusedError before the first piece where nothing can be exported.
    """
    with shown.store() as store:
        run, own = last_run(store), own_columns(store)
        seqs = Selection(relevant=True, dedupe=True).events(store)
        fields = tuple(name for name in FIELDS if name != PATH and (kind == "jsonl" or name not in READ))
        fields = chosen(fields, own, shown.name, adds_own=True)
    if not seqs:
        raise FocusedError(f"{shown.name} has no relevant page to export yet.")
    kept = open_repository(run.pages, shown.folder / PAGES)
    order = ExportSpec(
        fields, f"{shown.name}.{kind}", shown.name, kept, {name: own[name] for name in fields if name in own}
    )
    return _pieces(shown, run, kind, order, seqs)


def _pieces(shown: Shown, run: LastRun, kind: str, order: ExportSpec, seqs: Sequence[int]) -> Iterator[bytes]:
    file = BytesIO()
    writer = FORMATS[kind][0](file, order)
    model = page_model_version(run.topic["relevance"]["model"]).removeprefix("page model ")
    collection = PlainCollection.of(shown.folder, run, TextRequest(facts=True))
    has_text = TEXT in order.fields
    step = ROWS_WITH_TEXT if has_text else ROWS
    for start in range(0, len(seqs), step):
        with shown.store() as store:
            rows = list(Selection(versions="all").pages(store, model, list(seqs[start : start + step]), order.own))
        for row in with_contents(rows, collection, 1) if has_text else rows:
            writer.write(row)
        if start + step >= len(seqs):
            writer.close()
        yield file.getvalue()
        file.seek(0)
        file.truncate()


def hits(request: Request) -> Response:
    """The page; of a crawl that has only just been started, one that says so."""
    name, order = request.path_params["name"], _order(request)
    then = f"/c/{quoted(name)}/map?kind=tree" if request.query_params.get("then") == MAP else ""
    if served_of(request).find(name) is None:
        if _is_to_come(request):
            return answer(request, "hits.html", order=order, stands=None, agents=None, asked_here=True, then=then)
        launcher = served_of(request).launcher
        if why := launcher.failures().get(name, "") if launcher else "":
            raise FocusedError(f"The crawl of {name} ended with an error: {why}")
    shown = shown_of(request)
    if then:
        return see(then)
    found = _found(request, shown)
    return answer(request, "hits.html", then="", asked_here=_is_asked_here(request, shown), **found)


def hit_list(request: Request) -> Response:
    """The list alone, for the script that shows more when a person asks for it."""
    return answer(request, "hit_list.html", **_found(request, shown_of(request)))


def agents(request: Request) -> Response:
    """The tree of agents alone."""
    shown = shown_of(request)
    with shown.store() as store:
        return answer(request, "agents.html", agents=agents_of(standing(shown, store).status))


def live(request: Request) -> Response:
    """What a crawl does, as events: for its hits and for its overview."""
    if not _is_to_come(request):
        shown_of(request)
    return StreamingResponse(_messages(request), media_type="text/event-stream")


def go_on(request: Request) -> Response:
    """Go on with a crawl that was asked for here, for some pages more."""
    shown, launcher = shown_of(request), launcher_of(request)
    more = whole(sent(request, "more").strip())
    if not 1 <= more <= MOST_PAGES:
        raise FocusedError(f"Give a number of pages from 1 to {MOST_PAGES:,}.")
    with shown.store() as store:
        pages = len(standing(shown, store).numbers.pages)
    shown.desk.ask(OrderKind.BUDGET, "", f"pages={pages + more}")
    launcher.start_asked(shown.name)
    return see(f"/c/{quoted(shown.name)}/hits")


def may_forget(request: Request) -> Response:
    """Ask whether a collection is to be deleted for good."""
    shown = shown_of(request)
    if not _is_asked_here(request, shown):
        raise HTTPException(404, "Only a collection that was asked for here can be deleted here.")
    return answer(request, "forget.html", pages=len(shown.numbers().pages))


def forget_it(request: Request) -> Response:
    """Delete a collection that was asked for here; ``sure`` must be its name."""
    shown, served = shown_of(request), served_of(request)
    if sent(request, "sure") != shown.name or served.launcher is None:
        raise HTTPException(403, "Nothing is deleted that nobody is sure of.")
    forget(served.data, shown.folder)
    served.forget(shown.name)
    served.launcher.forget(shown.name)
    return see("/")


def _found(request: Request, shown: Shown) -> dict[str, Any]:
    order, most = _order(request), min(MOST, whole(request.query_params.get("most", ""), AT_ONCE))
    with shown.store() as store:
        stands = standing(shown, store)
        found = shown.hits.read(store, order, max(1, most))
    told = {"agents": agents_of(stands.status), "tiles": tiles(stands)}
    return {"order": order, "stands": stands, "hits": found, "most": most, **told}


async def _messages(request: Request) -> AsyncIterator[str]:
    before, waited, hits = None, 0.0, 0
    while not await request.is_disconnected():
        shown = served_of(request).find(request.path_params["name"])
        if shown is None:
            waited += FIRST_LOOK_SECONDS
            if waited > PATIENCE or not _is_to_come(request):
                yield _message("ended", {})
                return
        else:
            stamp = _stamp_of(shown.folder)
            running = await asyncio.to_thread(_runs, request, shown)
            if stamp != before:
                told = await asyncio.to_thread(_told, shown)
                hits = told.get("hits", hits)
                yield _message("stands", told)
            else:
                yield STILL_HERE
            before = stamp
            if not running:
                yield _message("ended", {})
                return
        await asyncio.sleep(LOOK_SECONDS if hits else FIRST_LOOK_SECONDS)


def _message(event: str, data: Any) -> str:
    """One event as it is sent."""
    return f"event: {event}\ndata: {json.dumps(data)}\n\n"


def _stamp_of(folder: Path) -> list[tuple[int, int]]:
    """What is another when somebody has written to the database of a collection."""
    found = []
    for name in (DATABASE, f"{DATABASE}-wal"):
        with suppress(OSError):
            status = (folder / name).stat()
            found.append((status.st_mtime_ns, status.st_size))
    return found


def _told(shown: Shown) -> dict[str, Any]:
    """How a crawl stands; nothing while it cannot be read."""
    try:
        with shown.store() as store:
            stands = standing(shown, store)
    except FocusedError:
        return {}
    pages, agents = stands.numbers.pages, agents_of(stands.status)
    return {
        "tiles": tiles(stands),
        "hits": stands.numbers.relevant,
        "newest": max(pages.seq[pages.relevant].tolist(), default=0),
        "curve": curve(pages.relevant),
        "agents": agents is not None,
    }


def _runs(request: Request, shown: Shown) -> bool:
    """Whether more may come: it is crawled, or about to be."""
    launcher = served_of(request).launcher
    return shown.is_running or (launcher is not None and launcher.is_starting(shown.name))


def _is_to_come(request: Request) -> bool:
    """Whether a crawl was started here whose database is not there yet."""
    served, name = served_of(request), request.path_params["name"]
    if served.launcher is None or not served.launcher.is_starting(name):
        return False
    return is_asked_here(served.data / name) and not (served.data / name / DATABASE).exists()


def _is_asked_here(request: Request, shown: Shown) -> bool:
    served = served_of(request)
    return served.launcher is not None and shown.folder.parent == served.data and is_asked_here(shown.folder)


def _order(request: Request) -> HitOrder:
    return NEWEST if request.query_params.get("sort") == NEWEST else BEST


def export(request: Request) -> Response:
    shown, kind = shown_of(request), request.query_params.get("format", "")
    if kind not in FORMATS:
        raise HTTPException(404, f"There is no such format here: take {' or '.join(FORMATS)}, or `scrapy export`.")
    headers = as_file(f"{shown.name}.{kind}")
    return StreamingResponse(download(shown, kind), media_type=FORMATS[kind][1], headers=headers)


ROUTES = [
    Route("/c/{name}/hits", hits),
    Route("/c/{name}/hits/list", hit_list),
    Route("/c/{name}/hits/agents", agents),
    Route("/c/{name}/live", live),
    Route("/c/{name}/go-on", go_on, methods=["POST"]),
    Route("/c/{name}/forget", may_forget),
    Route("/c/{name}/forget", forget_it, methods=["POST"]),
    Route("/c/{name}/export", export),
]
