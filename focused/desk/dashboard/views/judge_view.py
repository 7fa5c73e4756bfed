"""Judging pages, for the audit and to teach the crawl: a page after the other, by keys, what the crawl thinks told afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote, urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from focused.collection.desk import AUDIT_PILE, PILES, Desk
from focused.collection.store import Store
from focused.desk.dashboard.judging_told import said_so_far
from focused.desk.dashboard.page_templates import openable, web
from focused.desk.dashboard.views.requested import answer, sent, fields, see, shown_of
from focused.desk.judging.judged_sheet import draw_sheet
from focused.desk.judging.offered_pages import Offered, excerpts, pages_at, to_judge
from focused.exceptions import AuditError
from focused.relevance.verdict_teacher import FEWEST, FEWEST_OF_KIND

AHEAD = 40  #: pages that the script is given at once
MOST_SKIPPED = 2_000  #: pages that a browser may ask to leave out
MOST_DRAWN = 100_000
SAID = {"yes": True, "no": False, "undo": None}  #: what a form may say of a page


def judge(request: Request) -> Response:
    """The page: a form for one page, which the script turns into a stack of them."""
    shown, pile, without = shown_of(request), _pile(request.query_params.get("pile", AUDIT_PILE)), _without(request)
    desk = shown.desk
    with shown.store() as store:
        values = {
            "name": shown.name,
            "pile": pile,
            "told": said_so_far(store, desk, pile),
            "pages": _with_texts(store, to_judge(store, desk, pile, 1, without)),
            "last": _opinion(store, desk, request.query_params.get("last", ""), pile),
            "without": without,
            "running": shown.is_running,
            "fewest": FEWEST,
            "of_kind": FEWEST_OF_KIND,
        }
    return answer(request, "judge.html", values)


def ahead(request: Request) -> Response:
    """The next pages of a pile for the script, which never hold the crawl's opinion."""
    shown, pile = shown_of(request), _pile(request.query_params.get("pile", ""))
    with shown.store() as store:
        return JSONResponse(_with_texts(store, to_judge(store, shown.desk, pile, AHEAD, frozenset(_without(request)))))


def keep(request: Request) -> Response:
    """Keep verdicts: fields ``url`` and ``said`` as often as there are pages, in order, and ``pile``."""
    shown, pile = shown_of(request), _pile(sent(request, "pile"))
    urls, said = fields(request, "url"), fields(request, "said")
    if not urls or len(urls) != len(said) or not set(said) <= SAID.keys():
        raise HTTPException(400, f"A verdict is a URL and one of {', '.join(SAID)}.")
    desk = shown.desk
    desk.judge([(url, pile, SAID[word]) for url, word in zip(urls, said, strict=True)])
    if not sent(request, "script"):
        return see(f"/c/{quote(shown.name, safe='')}/judge?{urlencode({'pile': pile, 'last': urls[-1]})}")
    with shown.store() as store:
        thought = {page.url: _thought(page) for page in pages_at(store, urls)}
    return JSONResponse({"thought": thought})


def findings(request: Request) -> Response:
    """What the verdicts say so far, alone: for the script that keeps it fresh."""
    shown, pile = shown_of(request), _pile(request.query_params.get("pile", ""))
    with shown.store() as store:
        said = said_so_far(store, shown.desk, pile)
        values = {"name": shown.name, "told": said, "pile": pile, "running": shown.is_running}
    return answer(request, "judging_told.html", values)


def draw(request: Request) -> Response:
    """Draw the sample of the audit, or a larger one; verdicts are kept."""
    shown, text = shown_of(request), sent(request, "size").strip()
    if not text.isdecimal() or not 1 <= int(text[:9]) <= MOST_DRAWN:
        raise AuditError(f"Draw a number of pages from 1 to {MOST_DRAWN:,}.")
    with shown.store() as store:
        draw_sheet(store, shown.desk, int(text))
    return see(f"/c/{quote(shown.name, safe='')}/judge?pile={AUDIT_PILE}")


def _pile(name: str) -> str:
    if name not in PILES:
        raise HTTPException(404, f"There is no such pile: it is {' or '.join(PILES)}.")
    return name


def _without(request: Request) -> list[int]:
    """Numbers of fetches that a person has skipped or not yet been shown, each once."""
    parts = request.query_params.get("without", "").split(",")
    return [int(part) for part in dict.fromkeys(parts) if part.isdecimal() and len(part) < 19][-MOST_SKIPPED:]


def _with_texts(store: Store, pages: Sequence[Offered]) -> list[dict[str, Any]]:
    """Pages as the script shows them: texts only."""
    return [
        {
            "seq": page.seq,
            "url": page.url,
            "shown_url": web(page.url),
            "open": openable(page.url),
            "title": web(page.title) or "(no title)",
            "host": web(page.host, 100),
            "text": text or "This page has no text that can be read. Judge it by its title, or skip it.",
        }
        for page, text in zip(pages, excerpts(store, pages), strict=True)
    ]


def _opinion(store: Store, desk: Desk, url: str, pile: str) -> dict[str, Any] | None:
    """What was said of the page that was judged last, and what the crawl thinks of it; None where nothing was said."""
    said = {verdict.url: verdict.relevant for verdict in desk.verdicts(pile)}.get(url) if url else None
    page = next(pages_at(store, [url]), None) if said is not None else None
    return {"url": url, "title": web(page.title or url), "said": said, "thought": _thought(page)} if page else None


def _thought(page: Offered) -> str:
    """The crawl's opinion, for one who has given theirs."""
    return f"the crawl said {page.relevance:.2f}, {'relevant' if page.relevant else 'not relevant'}"


ROUTES = [
    Route("/c/{name}/judge", judge),
    Route("/c/{name}/judge/ahead", ahead),
    Route("/c/{name}/judge/findings", findings),
    Route("/c/{name}/judge", keep, methods=["POST"]),
    Route("/c/{name}/judge/draw", draw, methods=["POST"]),
]
