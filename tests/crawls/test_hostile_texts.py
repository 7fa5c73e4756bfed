"""A server that speaks to the terminal: nothing of it arrives there, in a log, in the database or in a spreadsheet."""

from __future__ import annotations

import csv
import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.crawls.crawling import Ended, crawl, end, scrapy
from tests.crawls.mock_web import Answer, MockWeb, serving

CLIPBOARD, LINK, C1, BIDI = "\x1b]52;c;ZXZpbA==\x07", "\x1b]8;;http://evil\x1b\\click", "\u009b31m", "\u202egnp.exe"
HOSTILE = f"{CLIPBOARD}{LINK}{C1}{BIDI}[red]x[/red]"
SEED = "http://hostile.example/"


def page(title: str, *links: str) -> bytes:
    anchors = "".join(f'<p>solar energy <a href="{link}">{HOSTILE} solar</a></p>' for link in links)
    markup = f'<html lang="{HOSTILE}"><title>{title}</title><p>solar energy {HOSTILE}</p>{anchors}</html>'
    return markup.encode()


def answer(body: bytes, content_type: str = "text/html; charset=utf-8", **headers: str) -> Answer:
    return Answer(200, (("Content-Type", content_type), *headers.items()), body)


def raw(head: str) -> bytes:
    """An answer with a head as it stands here."""
    return f"{head}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode("latin-1")


ANSWERS = {
    SEED: answer(page(f"=1+1{HOSTILE}", "/type", "/coded", "/phrase", "/away", "/status", f"/{CLIPBOARD}{BIDI}")),
    f"{SEED}type": answer(page("type"), f"text/{CLIPBOARD}\x9b31m"),
    f"{SEED}coded": answer(page("coded"), **{"Content-Encoding": "\x1b]0;evil\x07", "X-Robots-Tag": CLIPBOARD}),
    f"{SEED}phrase": raw(f"HTTP/1.1 418 {CLIPBOARD}"),
    f"{SEED}away": raw(f"HTTP/1.1 302 {CLIPBOARD}\r\nLocation: ftp://x/{CLIPBOARD}"),
    f"{SEED}status": raw("HTTP/1.1 \x1b]0;evil\x07 x"),
}


@dataclass
class Crawled:
    folder: Path
    port: int
    ended: Ended

    def run(self, *command: str) -> Ended:
        return end(scrapy(*command, port=self.port, folder=self.folder))


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawled]:
    folder = tmp_path_factory.mktemp("hostile")
    with serving(MockWeb(ANSWERS)) as web:
        feeds = [word for name in ("pages.csv", "pages.jsonl") for word in ("-O", str(folder / name))]
        ended = crawl(web, folder, [SEED], options=[*feeds, "-s", "RETRY_ENABLED=0"])
        yield Crawled(folder, web.port, ended)


def is_plain(text: str) -> bool:
    return all(one.isprintable() or one in "\n\t\u00a0" for one in text)


def test_the_log_is_plain(crawled: Crawled) -> None:
    assert crawled.ended.code == 0, crawled.ended.log
    assert crawled.ended.plain
    assert is_plain(crawled.ended.log) and is_plain(crawled.ended.output)


def test_what_is_kept_is_plain_and_reasons_are_short(crawled: Crawled) -> None:
    db = sqlite3.connect(crawled.folder / "test" / "crawl.db")
    kept = [
        str(value)
        for table in ("urls", "fetches", "links", "drops", "hosts", "runs", "picks")
        for row in db.execute(f"SELECT * FROM {table}")
        for value in row
    ]
    reasons = [reason for (reason,) in db.execute("SELECT reason FROM fetches WHERE reason IS NOT NULL")]
    titles = {title for (title,) in db.execute("SELECT title FROM fetches WHERE title IS NOT NULL")}
    db.close()
    assert any(title.startswith("=1+1") for title in titles)
    assert len(reasons) >= 3
    assert all(map(is_plain, kept))
    assert max(map(len, reasons)) <= 200


def test_commands_print_it_plain(crawled: Crawled) -> None:
    given = ("-a", "keywords=solar energy", "-a", f"seeds={SEED}")
    for command in (
        ("report", "test"),
        ("explain", SEED, f"{SEED}type", f"{SEED}away", f"{SEED}status", "--waiting", "9", "-a", "name=test"),
        ("judge", "test", "--sample", "9"),
        ("judge", "test", "--findings"),
        ("parse", SEED, *given),
        ("parse", SEED, *given),
    ):
        ended = crawled.run(*command)
        assert ended.output + ended.log and ended.plain, command
        assert is_plain(ended.output) and is_plain(ended.log), command


def test_no_cell_of_a_feed_is_a_formula_and_json_stays_as_it_is(crawled: Crawled) -> None:
    with (crawled.folder / "pages.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    cells = [text for row in rows for text in row.values()]
    assert any(row["title"].startswith("'=1+1") for row in rows)
    assert not [text for text in cells if text.startswith(tuple("=+-@\t\r"))]
    lines = [json.loads(line) for line in (crawled.folder / "pages.jsonl").read_text().splitlines()]
    assert any(line["title"].startswith("=1+1") for line in lines)
