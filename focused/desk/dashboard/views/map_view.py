"""The maps of one collection: pages by topic, hosts by links."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

import numpy as np
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from focused.collection.collection import mark_of
from focused.desk.dashboard.long_tables import whole
from focused.desk.dashboard.map_file import (
    ENDINGS,
    MEDIA_TYPES,
    neighbours,
    saved,
    theme_pages,
    themes_in,
    values_of,
)
from focused.desk.dashboard.page_templates import answer, as_file, quoted, see, sent, shown_of
from focused.desk.dashboard.served import Shown
from focused.desk.mapping.link_maps import HostMap, LinkTree
from focused.desk.mapping.making import KINDS, DrawnMap, Making, MapKind
from focused.desk.mapping.page_map import PageMap
from focused.desk.mapping.page_reading import addresses_and_titles

MOST, DEEPEST = 400, 40  #: pages of an outline, and links from the start
TITLES = {"pages": "pages by topic", "hosts": "hosts by links", "domains": "domains by links", "tree": "tree of links"}
TABLE_ROWS = 200  #: hosts that the list beside the map has


@dataclass(slots=True)
class Branch:
    """A page with what hangs on it.

    pages, relevant : of the whole branch, this one included
    """

    url: str
    title: str
    relevance: float
    is_relevant: bool
    level: int
    pages: int = 1
    relevant: int = 0
    branches: list[Branch] = field(default_factory=list)


def branches(tree: LinkTree) -> list[Branch]:
    """The outline from each start: pages with relevant ones below first, `MOST` pages at most."""
    pages, level = tree.pages, tree.level.tolist()
    every = [
        Branch(url, title, float(pages.relevance[i]), bool(pages.relevant[i]), level[i], 1, int(pages.relevant[i]))
        for i, (url, title) in enumerate(zip(tree.urls, tree.titles, strict=True))
    ]
    parents = tree.parent.tolist()
    for child in range(len(every) - 1, -1, -1):  # whatever hangs on a page comes after it
        if parents[child] >= 0:
            every[parents[child]].pages += every[child].pages
            every[parents[child]].relevant += every[child].relevant
    order = sorted(range(len(every)), key=lambda i: (level[i], -every[i].relevant, i))[:MOST]
    roots: list[Branch] = []
    shown = set(order)
    for i in order:
        if parents[i] < 0:
            roots.append(every[i])
        elif parents[i] in shown and level[i] <= DEEPEST:
            every[parents[i]].branches.append(every[i])
    return roots


def map_page(request: Request) -> Response:
    """The page: a picture that the script draws, and beside it the same as a list."""
    shown, kind = shown_of(request), _kind(request)
    making = _asked(shown, kind)
    beside = _beside(request, shown, making.drawn)[1] if making.drawn else {}
    return answer(request, "map.html", kind=kind, making=making, drawn=making.drawn, **beside)


def state(request: Request) -> Response:
    """How far the map is; asking begins one that is out of date."""
    shown = shown_of(request)
    making = _asked(shown, _kind(request))
    told = {name: getattr(making, name) for name in ("doing", "done", "total", "trouble", "version")}
    return JSONResponse(told | {"running": shown.is_running})


def data(request: Request) -> Response:
    """What the script draws."""
    shown, drawn = shown_of(request), _drawn(request)
    with shown.store() as store:
        return JSONResponse(values_of(drawn, themes_in(drawn, store, shown.desk)))


def about(request: Request) -> Response:
    """URL and title of one page, for who points at it."""
    shown = shown_of(request)
    drawn, url = shown.maps.pages(), whole(request.query_params.get("id", ""))
    at = -1 if drawn is None else int(drawn.pages.at(np.array([url]))[0])
    if drawn is None or at < 0:
        raise HTTPException(404, "There is no such page.")
    with shown.store() as store:
        ((address, title),) = addresses_and_titles(store, drawn.pages.seq[[at]])
    return JSONResponse({"url": address, "title": title})


def beside(request: Request) -> Response:
    """The list beside the map alone, for the script: all themes or one, all hosts or one."""
    drawn = _drawn(request)
    template, values = _beside(request, shown_of(request), drawn)
    return answer(request, template, kind=_kind(request), drawn=drawn, **values)


def _beside(request: Request, shown: Shown, drawn: DrawnMap) -> tuple[str, dict[str, Any]]:
    """The template of the list, and its values."""
    if isinstance(drawn, PageMap):
        return "map_themes.html", _themes(shown, drawn, request.query_params.get("theme", ""))
    if isinstance(drawn, LinkTree):
        return "map_tree.html", {"branches": branches(drawn)}
    return "map_hosts.html", _hosts(drawn, request.query_params.get("host", ""))


def save(request: Request) -> Response:
    """The map as a file; a picture may be shown by the page itself."""
    shown, kind, ending = shown_of(request), _kind(request), request.path_params["ending"]
    if ending not in ENDINGS:
        raise HTTPException(404, "There is no such map.")
    drawn = _drawn(request)
    with shown.store() as store:
        parts = saved(drawn, themes_in(drawn, store, shown.desk), store, ending, f"{shown.name}: {TITLES[kind]}")
        body = "".join(parts).encode("utf-8", "replace")
    # A picture is shown as an image, where no script runs; whatever else is a file to be kept, never a page of the dashboard.
    return Response(body, media_type=MEDIA_TYPES[ending], headers=as_file(f"{shown.name}-{kind}.{ending}"))


def rename(request: Request) -> Response:
    """Give a theme a name, or take it back with an empty one."""
    shown = shown_of(request)
    shown.desk.name(sent(request, "key"), sent(request, "text"))
    return see(f"/c/{quoted(shown.name)}/map?{urlencode({'theme': sent(request, 'theme')})}")


def _kind(request: Request) -> MapKind:
    asked = request.query_params.get("kind", KINDS[0])
    if asked not in KINDS:
        raise HTTPException(404, "There is no such map.")
    return asked


def _asked(shown: Shown, kind: MapKind) -> Making:
    with shown.store() as store:
        mark, pages = mark_of(store), len(shown.figures.numbers(store).pages)
    return shown.maps.ask(kind, pages, mark=mark, running=shown.is_running)


def _drawn(request: Request) -> DrawnMap:
    """The map that is asked for; an HTTPException of status 404 where it is not drawn yet."""
    if (drawn := _asked(shown_of(request), _kind(request)).drawn) is None:
        raise HTTPException(404, "The map is not drawn yet.")
    return drawn


def _themes(shown: Shown, drawn: PageMap, asked: str) -> dict[str, Any]:
    """What the list of themes shows; with the pages of one that is asked for."""
    with shown.store() as store:
        themes = themes_in(drawn, store, shown.desk)
        number = whole(asked)
        one = themes[number] if 0 <= number < len(themes) else None
        return {"themes": themes, "theme": one, "pages": theme_pages(drawn, store, number) if one else []}


def _hosts(drawn: HostMap, asked: str) -> dict[str, Any]:
    """What the list of hosts shows; with the neighbours of one that is asked for."""
    at = drawn.names.index(asked) if asked in drawn.names else -1
    rows = list(zip(drawn.names, drawn.pages.tolist(), drawn.relevant.tolist(), drawn.hosts.tolist(), strict=True))
    return {
        "hosts": rows[:TABLE_ROWS],
        "more": max(0, len(rows) - TABLE_ROWS) + drawn.left_out,
        "host": rows[at] if at >= 0 else None,
        "neighbours": neighbours(drawn, at) if at >= 0 else [],
    }


ROUTES = [
    Route("/c/{name}/map", map_page),
    Route("/c/{name}/map.{ending}", save),
    Route("/c/{name}/map/state", state),
    Route("/c/{name}/map/data", data),
    Route("/c/{name}/map/about", about),
    Route("/c/{name}/map/beside", beside),
    Route("/c/{name}/map/name", rename, methods=["POST"]),
]
