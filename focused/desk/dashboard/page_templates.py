"""The templates of the pages, and how they write numbers, times and addresses."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import HTMLResponse

from focused import __version__
from focused.desk.dashboard.figures import seconds_of
from focused.desk.dashboard.static_files import StaticFiles
from focused.desk.html_output import escaping_templates
from focused.explain.progress_line import in_words
from focused.live.questions import question_at
from focused.page.plain_text import plain

LONGEST = 300  #: characters of a text of the Web that a page shows, where nothing else is said


class Templates:
    """Makes HTML of templates. What comes from the Web is escaped by Jinja: no template marks it as safe."""

    def __init__(self, static: StaticFiles) -> None:
        self._jinja = escaping_templates("focused.desk.dashboard")
        self._jinja.globals.update(static=static.path, version=__version__)
        self._jinja.filters.update(
            number=number,
            percent=percent,
            ago=ago,
            words=in_words,
            moment=moment,
            web=web,
            openable=openable,
            quoted=quoted,
        )

    def page(self, request: Request, template: str, values: Mapping[str, Any], status: int = 200) -> HTMLResponse:
        """A page, of a template and its values."""
        served = request.app.state.served
        body = self._jinja.get_template(template).render(token=served.token, path=request.url.path, **values)
        return HTMLResponse(body, status)


def number(value: float) -> str:
    return f"{value:,}"


def percent(share: float) -> str:
    return f"{share:.0%}"


def ago(time: str) -> str:
    """How long ago a time of crawl.db was, as in ``3 minutes ago``."""
    return f"{in_words(max(0.0, datetime.now(UTC).timestamp() - seconds_of(time)))} ago"


def moment(time: str) -> str:
    """A time of crawl.db for a person: to the minute, in UTC."""
    return (time or "")[:16].replace("T", " ")


def web(text: str, most: int = LONGEST) -> str:
    """A text of the Web on one line, without turns of direction; cut where it is long. Questions are told in words."""
    question = question_at(text or "")
    line = plain(f"the search {question}" if question else text or "", most + 1)
    return f"{line[:most]}…" if len(line) > most else line


def openable(url: str) -> str:
    """A URL that a link may lead to; empty for anything that is not of the Web."""
    return url if url.startswith(("http://", "https://")) else ""


def quoted(text: str) -> str:
    """A text as part of an address."""
    return quote(text, safe="")
