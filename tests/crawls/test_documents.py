"""PDF documents live: read in a process of their own, the same when the crawl goes on, and never waited for."""

from __future__ import annotations

from focused.simulation.recorded_web import Answer
from tests.crawls.crawling import crawl, failures, rows
from tests.crawls.mock_web import MockWeb, page, serving
from tests.page.test_documents import pdf

A = "http://a.example"
TYPE = (("Content-Type", "application/pdf"),)
ANSWERS = {
    f"{A}/": page("solar energy", "good", "broken", "locked", "next"),
    f"{A}/good": Answer(200, TYPE, pdf("solar energy", "and wind", title="Solar title")),
    f"{A}/broken": Answer(200, TYPE, b"%PDF-1.4 broken"),
    f"{A}/locked": Answer(200, TYPE, pdf("solar", password="secret")),
    f"{A}/next": page("solar next"),
}
DOCUMENTS = {"reading__documents": "true", "scope__content_types": "text/html,application/pdf"}
QUERY = "SELECT url, outcome, reason, title, relevance > 0 FROM history ORDER BY url"


def test_documents_are_pages_or_failures_and_stay_so_when_the_crawl_is_read_again(tmp_path):
    with serving(MockWeb(ANSWERS)) as web:
        ended = crawl(web, tmp_path, [f"{A}/"], **DOCUMENTS)
        before = rows(tmp_path, QUERY)
        again = crawl(web, tmp_path, [f"{A}/"], **DOCUMENTS, keywords="solar energy, wind")
    assert (ended.code, ended.plain) == (0, True), ended.log
    assert (f"{A}/good", "page", None, "Solar title", 1) in before
    assert failures(tmp_path) == {f"{A}/broken": "broken PDF", f"{A}/locked": "encrypted PDF"}
    assert "Rescoring all pages" in again.log
    assert rows(tmp_path, QUERY) == before
