"""Judging pages, for the audit and to teach the crawl: a page after the other, by keys, what the crawl thinks told afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from focused.collection.desk import AUDIT_PILE, PILES, TEACH_PILE, Desk
from focused.collection.store import Store
from focused.crawl.teaching import JUDGED, Lesson
from focused.desk.dashboard.long_tables import whole
from focused.desk.dashboard.page_templates import answer, openable, quoted, see, sent, sent_all, shown_of, web
from focused.desk.judging.audit import audit_so_far
from focused.desk.judging.labelling import Offered, excerpts, pages_at, to_judge
from focused.desk.judging.sheet import draw_sheet, sheet_of
from focused.exceptions import AuditError, FocusedError
from focused.explain.harvest_watch import LEVEL
from focused.scorers.verdict_teacher import FEWEST, FEWEST_OF_KIND

LESSONS = 6  #: that are shown, the newest
AHEAD = 40  #: pages that the script is given at once
MOST_SKIPPED = 2_000  #: pages that a browser may ask to leave out
MOST_DRAWN = 100_000
SAID = {"yes": True, "no": False, "undo": None}  #: what a form may say of a page


@dataclass(frozen=True, slots=True)
class LessonTold(Lesson):
    """What came of it: of the newest pages, how many were judged once more, and are now on topic, or no more."""

    looked: int
    gained: int
    lost: int


@dataclass(frozen=True, slots=True)
class Told:
    """How far a pile is judged, and what that says.

    yes, no : verdicts by what they say; of the audit those of the sample alone
    drawn : pages of the audit's sample; 0: none was drawn, or it is the other pile
    harvest, own : of the audit: the harvest rate by the verdicts, in words, and by the crawl itself
    trouble : why there is no harvest rate yet
    taken : of the pile that teaches: verdicts that a crawl has taken
    lessons : what it has learned, newest first
    """

    yes: int
    no: int
    drawn: int = 0
    harvest: str = ""
    own: str = ""
    trouble: str = ""
    found: Sequence[tuple[str, str]] = ()
    taken: int = 0
    lessons: Sequence[LessonTold] = ()

    @property
    def judged(self) -> int:
        return self.yes + self.no


def said_so_far(store: Store, desk: Desk, pile: str) -> Told:
    """Raises AuditError for a sheet that cannot be read."""
    return _of_audit(store, desk) if pile == AUDIT_PILE else _of_lessons(store, desk)


def _of_audit(store: Store, desk: Desk) -> Told:
    sample = [line for line in sheet_of(store, desk) if line.stratum is not None]
    yes, no = (sum(line.relevant is said for line in sample) for said in (True, False))
    told = Told(yes, no, len(sample))
    try:
        audit = audit_so_far(store) if told.judged else None
    except FocusedError as error:
        return replace(told, trouble=str(error))
    if audit is None:
        return told
    shares = (audit.relevant_share(called=True), audit.relevant_share(called=False))
    names = ("of pages that the crawl calls relevant", "of the others")
    found = [(name, share.in_short() if share else "none is judged") for name, share in zip(names, shares, strict=True)]
    harvest = audit.harvest
    words = f"{harvest.value:.0%} ({LEVEL:.0%} interval {harvest.low:.0%} to {harvest.high:.0%})"
    return replace(told, harvest=words, own=f"{audit.own_harvest:.0%}", found=found)


def _of_lessons(store: Store, desk: Desk) -> Told:
    verdicts = desk.verdicts(TEACH_PILE)
    yes = sum(verdict.relevant for verdict in verdicts)
    known = {number for (number,) in store.execute("SELECT desk FROM steering WHERE kind = ?", (JUDGED,))}
    columns = ", ".join(one.name for one in fields(LessonTold))
    rows = store.execute(f"SELECT {columns} FROM lessons ORDER BY seq DESC LIMIT ?", (LESSONS,))
    taken = sum(verdict.seq in known for verdict in verdicts)
    return Told(yes, len(verdicts) - yes, taken=taken, lessons=[LessonTold(*row) for row in rows])


def judge(request: Request) -> Response:
    """The page: a form for one page, which the script turns into a stack of them."""
    shown, pile, without = shown_of(request), _pile(request.query_params.get("pile", AUDIT_PILE)), _without(request)
    desk = shown.desk
    with shown.store() as store:
        return answer(
            request,
            "judge.html",
            pile=pile,
            told=said_so_far(store, desk, pile),
            pages=_with_texts(store, to_judge(store, desk, pile, 1, without)),
            last=_opinion(store, desk, request.query_params.get("last", ""), pile),
            without=without,
            running=shown.is_running,
            fewest=FEWEST,
            of_kind=FEWEST_OF_KIND,
        )


def ahead(request: Request) -> Response:
    """The next pages of a pile for the script, which never hold the crawl's opinion."""
    shown, pile = shown_of(request), _pile(request.query_params.get("pile", ""))
    with shown.store() as store:
        return JSONResponse(_with_texts(store, to_judge(store, shown.desk, pile, AHEAD, frozenset(_without(request)))))


def keep(request: Request) -> Response:
    """Keep verdicts: fields ``url`` and ``said`` as often as there are pages, in order, and ``pile``."""
    shown, pile = shown_of(request), _pile(sent(request, "pile"))
    urls, said = sent_all(request, "url"), sent_all(request, "said")
    if not urls or len(urls) != len(said) or not set(said) <= SAID.keys():
        raise HTTPException(400, f"A verdict is a URL and one of {', '.join(SAID)}.")
    desk = shown.desk
    desk.judge([(url, pile, SAID[word]) for url, word in zip(urls, said, strict=True)])
    if not sent(request, "script"):
        return see(f"/c/{quoted(shown.name)}/judge?{urlencode({'pile': pile, 'last': urls[-1]})}")
    with shown.store() as store:
        thought = {page.url: _thought(page) for page in pages_at(store, urls)}
    return JSONResponse({"thought": thought})


def findings(request: Request) -> Response:
    """What the verdicts say so far, alone: for the script that keeps it fresh."""
    shown, pile = shown_of(request), _pile(request.query_params.get("pile", ""))
    with shown.store() as store:
        said = said_so_far(store, shown.desk, pile)
    return answer(request, "judging_told.html", told=said, pile=pile, running=shown.is_running)


def draw(request: Request) -> Response:
    """Draw the sample of the audit, or a larger one; verdicts are kept."""
    shown, size = shown_of(request), whole(sent(request, "size").strip())
    if not 1 <= size <= MOST_DRAWN:
        raise AuditError(f"Draw a number of pages from 1 to {MOST_DRAWN:,}.")
    with shown.store() as store:
        draw_sheet(store, shown.desk, size)
    return see(f"/c/{quoted(shown.name)}/judge?pile={AUDIT_PILE}")


def _pile(name: str) -> str:
    if name not in PILES:
        raise HTTPException(404, f"There is no such pile: it is {' or '.join(PILES)}.")
    return name


def _without(request: Request) -> list[int]:
    """Numbers of fetches that a person has skipped or not yet been shown, each once."""
    parts = dict.fromkeys(request.query_params.get("without", "").split(","))
    return [seq for part in parts if (seq := whole(part, -1)) >= 0][-MOST_SKIPPED:]


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
