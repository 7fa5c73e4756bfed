"""The first question: what all collections know of some words, and what a crawl for them would start from."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from focused.collection.search_query import Query, query_of
from focused.desk.dashboard.all_collections import ask_all
from focused.desk.dashboard.new_crawl import CHOICES, MOST_PAGES
from focused.desk.dashboard.search_form import SearchForm
from focused.desk.dashboard.views.requested import answer, served_of
from focused.exceptions import FocusedError
from focused.seeds.searching.search_providers import shown_spec

TICKED = 10  #: pages of an answer that a crawl starts from, unless a person says otherwise


def ask(request: Request) -> Response:
    """The best pages of all collections, and the form that starts a crawl for the same words."""
    served, text = served_of(request), SearchForm.of(request.query_params).q
    query, told = _query(text)
    answers = ask_all(served, query)
    if served.launcher is not None and query is not None:
        served.launcher.get_ready()
    values = {
        "q": text,
        "told": told,
        "answers": answers,
        "asked": query is not None,
        "may_crawl": served.launcher is not None,
        "providers": [shown_spec(spec) for spec in served.launcher.search] if served.launcher else [],
        "choices": CHOICES,
        "most_pages": MOST_PAGES,
        "ticked": TICKED,
    }
    return answer(request, "ask.html", values)


def progress(request: Request) -> Response:
    """How far the indexes are, for the script that shows it."""
    answers = ask_all(served_of(request), None)
    return JSONResponse({"told": answers.told, "done": not answers.updating})


def _query(text: str) -> tuple[Query | None, str]:
    """What is asked, and what is wrong with it."""
    try:
        return query_of(text), ""
    except FocusedError as error:
        return None, f"{error}." if text else ""


ROUTES = [Route("/search", ask), Route("/search/progress", progress)]
