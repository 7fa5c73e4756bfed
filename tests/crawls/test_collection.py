"""A whole crawl of a small web: what is fetched, what fails and why, and that the collection holds all of it."""

from __future__ import annotations

import gzip
import io

import pytest
from warcio.archiveiterator import ArchiveIterator

from focused.simulation.recorded_web import Answer
from tests.crawls.crawling import column, crawl, failures, fetched, rows
from tests.crawls.mock_web import HANG, Late, MockWeb, page, robots, serving

A, B = "http://a.example", "http://b.example"
LATIN = (("Content-Type", "text/html; charset=iso-8859-1"),)
JSON = (("Content-Type", "application/json"),)  # out of scope, but the status is what matters
ZIPPED = (("Content-Type", "text/html"), ("Content-Encoding", "gzip"))
PDF = b"%PDF-1.4\n% not much of a document\n%%EOF\n"


def failing_once(asked):
    return page("solar patience") if WEB.pages_asked().count(asked.url) > 1 else Answer(503, JSON, b"{}")


ANSWERS = {
    f"{A}/robots.txt": robots("Disallow: /private"),
    f"{A}/": page(
        "solar energy",
        *("one", "two#part", "two?utm_source=x", "two", f"{B}/", "missing", "broken", "patience", "private/x"),
        *("hang", "picture", "empty", "large", "half", "gone.zip", "http://unknown.example/", "mailto:x@y.example"),
        *("latin", "wide", "paper.pdf", "copy", "guarded", "javascript:void(0)", "http://127.0.0.1:1/"),
        *("nothing", "bomb", "garbled", "zipped"),
    ),
    f"{A}/one": page("solar panels", "/", "two", "one"),
    f"{A}/two": page("football club", f"{B}/deep"),
    f"{A}/broken": Answer(500, (), b"oops"),
    f"{A}/patience": failing_once,
    f"{A}/hang": HANG,
    f"{A}/picture": Late(Answer(200, (("Content-Type", "image/png"),), b"\x89PNG" * 1000)),
    f"{A}/empty": Answer(200, (("Content-Type", "text/html"),), b""),
    f"{A}/large": Answer(200, (("Content-Type", "text/html"),), b"x" * 200_000),
    f"{A}/bomb": Answer(200, ZIPPED, gzip.compress(b"x" * 1_000_000)),
    f"{A}/garbled": Answer(200, ZIPPED, b"this is not gzip"),
    f"{A}/zipped": Answer(200, ZIPPED, gzip.compress(b"<p>solar zipped")),
    f"{A}/half": b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000\r\n\r\nhalf",
    f"{A}/nothing": b"",
    f"{A}/latin": Answer(200, LATIN, "<title>Föhn énergie</title>".encode("latin-1")),
    f"{A}/wide": Answer(200, (("Content-Type", "text/html"),), "<title>Föhn énergie</title>".encode("utf-16")),
    f"{A}/paper.pdf": Answer(200, (("Content-Type", "application/pdf"),), PDF),
    f"{A}/copy": Answer(200, LATIN, "<title>Föhn énergie</title>".encode("latin-1")),
    f"{A}/guarded": page("solar guard", "/never", headers=(("X-Robots-Tag", "nofollow"),)),
    f"{B}/": page("wind energy", f"{A}/", "deep"),
    f"{B}/deep": page("solar deep"),
}
WEB = MockWeb(ANSWERS)
PAGES = {
    *(f"{A}/{name}" for name in ("", "one", "two", "patience", "half", "latin", "wide", "paper.pdf")),
    *(f"{A}/copy", f"{A}/guarded", f"{A}/zipped", f"{B}/", f"{B}/deep"),
}


def sent(url: str) -> bytes:
    """The body of a page, as its author knows it."""
    answer = page("solar patience") if url.endswith("patience") else ANSWERS[url]
    body = answer.rpartition(b"\n")[2] if isinstance(answer, bytes) else answer.body
    return gzip.decompress(body) if url.endswith("zipped") else body


@pytest.fixture(scope="module")
def collected(tmp_path_factory):
    folder = tmp_path_factory.mktemp("collected")
    types = '["text/html", "application/pdf"]'
    settings = ("DOWNLOAD_TIMEOUT=0.5", "RETRY_TIMES=1", "DOWNLOAD_MAXSIZE=100000")
    with serving(WEB):
        ended = crawl(
            WEB,
            folder,
            [f"{A}/"],
            settings=settings,
            popen={"env": {"no_proxy": "127.0.0.1"}},
            scope__content_types=types,
            scope__allow_private="true",  # for the port of this machine where nobody listens
            scope__ports="80,1",
        )
    return folder, ended


def test_every_reachable_page_is_fetched_once(collected):
    folder, ended = collected
    assert (ended.code, ended.plain) == (0, True)
    assert sorted(fetched(folder)) == sorted(PAGES)
    asked = [url for url in WEB.pages_asked() if url in PAGES]
    assert sorted(asked) == sorted([*PAGES, f"{A}/patience"])  # which failed once and was tried again


def test_every_failure_is_on_record_with_its_reason(collected):
    found = failures(collected[0])
    # The server may hang up on the connection that a proxy keeps, just when a request for robots.txt is sent on it.
    assert found.pop("http://unknown.example/") in ("robots.txt unreachable: http 502", "connection lost")
    assert found == {
        f"{A}/missing": "http 404",
        f"{A}/broken": "http 500",
        f"{A}/private/x": "robots.txt",
        f"{A}/hang": "timeout",
        f"{A}/picture": "content type image/png out of scope",
        f"{A}/empty": "empty body",
        f"{A}/large": "too large",
        f"{A}/bomb": "too large",
        f"{A}/garbled": "its body cannot be unpacked: gzip",
        f"{A}/nothing": "connection lost",
        "http://127.0.0.1:1/": "connection refused",
    }


@pytest.mark.usefixtures("collected")
def test_errors_that_may_pass_are_tried_again_and_others_are_not():
    asked = WEB.pages_asked()
    assert [asked.count(f"{A}/{name}") for name in ("broken", "hang", "missing", "private/x")] == [2, 2, 1, 0]


@pytest.mark.usefixtures("collected")
def test_the_body_of_a_type_out_of_scope_is_not_downloaded():
    assert [asked.cut for asked in WEB.asked if asked.url == f"{A}/picture"] == [True]


def test_every_column_of_the_history_is_filled(collected):
    folder = collected[0]
    names = column(folder, "SELECT name FROM pragma_table_info('history')")
    values = rows(folder, "SELECT * FROM history WHERE final_url = ?", (f"{B}/deep",))[0]
    row = dict(zip(names, values, strict=True))
    empty = {
        "signals",
        "reason",
        "language",
        "duplicate_of",
        "verdict",
        "rendered",
        "plain_file",
        "plain_offset",
        "plain_length",
    }
    assert {name for name, value in row.items() if value in (None, "")} == empty
    assert row["found_on"] in (f"{A}/two", f"{B}/")
    assert (row["status"], row["depth"], row["bytes"]) == (200, 2, len(ANSWERS[f"{B}/deep"].body))
    assert row["fetched"] >= row["picked"]
    seed = rows(folder, "SELECT depth, found_on, score FROM history WHERE url = ?", (f"{A}/",))
    assert seed == [(0, None, 1.0)]


def test_links_are_on_record_with_their_anchor_text_and_score(collected):
    links = rows(
        collected[0],
        "SELECT l.anchor, l.score FROM links l JOIN urls p ON p.id = l.page JOIN urls t ON t.id = l.target "
        "WHERE p.url = ? AND t.url = ?",
        (f"{A}/", f"{A}/one"),
    )
    assert [anchor for anchor, _ in links] == ["solar energy one"]
    assert links[0][1] > 0


def test_what_was_not_followed_is_on_record_with_its_reason(collected):
    assert rows(collected[0], "SELECT url, reason FROM dropped ORDER BY url") == [
        (f"{A}/gone.zip", "file type"),
        (f"{A}/never", "nofollow"),
    ]


def test_hosts_are_counted(collected):
    totals = rows(collected[0], "SELECT host, pages, failures FROM host_totals WHERE host LIKE '%.example' ORDER BY 1")
    assert totals == [("a.example", 11, 10), ("b.example", 2, 0), ("unknown.example", 0, 1)]


def test_every_page_lies_in_a_warc_record_at_its_place_as_it_was_sent(collected):
    folder = collected[0]
    places = rows(folder, "SELECT final_url, file, offset, length FROM history WHERE outcome = 'page'")
    for url, name, offset, length in places:
        data = (folder / "test" / "pages" / name).read_bytes()
        member = gzip.decompress(data[offset : offset + length])
        record = next(iter(ArchiveIterator(io.BytesIO(member))))
        body = record.content_stream().read()
        assert record.rec_headers.get_header("WARC-Target-URI") == url
        assert body == sent(url)
    with (folder / "test" / "pages" / places[0][1]).open("rb") as file:
        kinds = [record.rec_type for record in ArchiveIterator(file)]
    assert kinds == ["warcinfo", *["response"] * len(PAGES)]


def test_encodings_are_understood(collected):
    titles = dict(rows(collected[0], "SELECT url, title FROM history WHERE url IN (?, ?)", (f"{A}/latin", f"{A}/wide")))
    assert titles == {f"{A}/latin": "Föhn énergie", f"{A}/wide": "Föhn énergie"}


def test_a_pdf_in_scope_is_kept_and_counted(collected):
    row = rows(collected[0], "SELECT content_type, bytes FROM history WHERE url = ?", (f"{A}/paper.pdf",))
    assert row == [("application/pdf", len(PDF))]


def test_an_exact_copy_is_on_record_as_such(collected):
    copies = rows(collected[0], "SELECT url, duplicate_of FROM history WHERE duplicate_of IS NOT NULL")
    assert [set(copy) for copy in copies] == [{f"{A}/latin", f"{A}/copy"}]


def test_the_log_ends_with_a_summary_that_says_why_it_stopped_and_where_everything_lies(collected):
    folder, ended = collected
    for words in ("Ended: dead end: no URL is left to fetch", "13 pages", "12 failures", "1 that bring nothing new"):
        assert words in ended.log
    assert str(folder / "test" / "crawl.db") in ended.log
    assert column(folder, "SELECT reason FROM runs") == ["dead end: no URL is left to fetch"]
