"""A crawled collection whose titles, texts, addresses and anchors all try to become scripts."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from pathlib import Path

from focused.collection.desk import DONE, Desk
from focused.collection.repository import Stored
from focused.desk.dashboard.tasks import update_index
from focused.desk.portal.publishing import PortalWish, sorted_entries
from focused.live.session import Session
from tests.small_web import topic_of

PAGES = 100
FLAG = "window.hit = 1"
ATTEMPTS = (
    f"<script>{FLAG}</script>",
    f'"><img src=x onerror="{FLAG}">',
    f"'><svg onload='{FLAG}'>",
    f"</title></script><script>{FLAG}</script>",
    f"{{{{ ''.__class__ }}}} {{% if 1 %}}{FLAG}{{% endif %}}",
    f"javascript:{FLAG}",
    f'" autofocus onfocus="{FLAG}" x="',
    f"<iframe srcdoc='<script>parent.{FLAG}</script>'>",
    f"\u202eexe.txt\u202d <b onmouseover={FLAG}>",
    "<style>@import 'http://evil.example/'</style><link rel=stylesheet href='data:text/css,*{}'>",
)


def url_of(number: int) -> str:
    return f"http://host{number % 7}.example/{number}?q='%22%3E%3Cscript%3Ewindow.hit=1%3C/script%3E"


def page_of(number: int) -> str:
    attempt = ATTEMPTS[number % len(ATTEMPTS)]
    text = "solar energy from solar panels on a roof" if number % 3 else "football and cooking on a Sunday"
    links = "".join(
        f'<p>see <a href="{escape(url_of(target))}">{escape(ATTEMPTS[target % len(ATTEMPTS)])}</a></p>'
        for target in (number + 1, 2 * number + 1, 3 * number + 2)
    )
    return (
        f"<html><title>{escape(f'{number} {attempt}')}</title><p>{text} {number}. {escape(attempt)}</p>{links}</html>"
    )


def make_hostile(folder: Path) -> None:
    session = Session(topic_of(seeds=(url_of(0),)), folder)
    numbers = {url_of(number): number for number in range(PAGES)}
    for pick in _picks(session):
        url = session.store.url(pick)
        number = next((one for known, one in numbers.items() if url.split("?")[0] == known.split("?")[0]), None)
        if number is None:
            session.failed(pick, ATTEMPTS[pick % len(ATTEMPTS)], 404)
            continue
        answer = Stored(url, 200, (("Content-Type", "text/html; charset=utf-8"),), page_of(number).encode())
        record = session.fetched(pick, answer, "text/html; charset=utf-8")
        if not isinstance(record, str):
            session.journal.keep(record)
            session.journal.finish(record)
    session.close()
    update_index(folder)
    sorted_entries(folder, PortalWish(folder, folder.name), lambda *_: None)
    desk = Desk(folder)
    desk.taken({desk.ask("deny_host", ATTEMPTS[0]): (DONE, ATTEMPTS[1])})
    desk.tag(url_of(1), ATTEMPTS[0])
    desk.note(url_of(1), ATTEMPTS[1])
    desk.save_search(ATTEMPTS[0], ATTEMPTS[6])


def _picks(session: Session) -> Iterator[int]:
    while (pick := session.next()) is not None:
        yield pick.id
