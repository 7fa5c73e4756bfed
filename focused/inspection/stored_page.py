"""A stored page: describes it, and shows the page itself in a browser, once, without its scripts and without the network.

The page is a stranger's, and may be hostile. As a file it might reach other files, so we serve it from a small server, which
listens on this machine alone, at a path that cannot be guessed, and ends with the first visit. Two things make the page harmless:

- Headers. `sandbox` takes scripts, forms, windows and downloads from the page and gives it an origin of its own;
  `default-src 'none'` lets it load nothing, not even from our server. Its inline styles and pictures remain.
- Markup. A browser prepares to visit other pages without regard to a policy (preconnect, frames, a pointer over a link). So we
  replace the elements that lead out of the page, and its links are dead, too.
"""

from __future__ import annotations

import re
import secrets
import threading
import webbrowser
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from focused.collection.repository import Place, Stored
from focused.collection.store import FIRST_ID, IS_AGAIN, IS_VERSION, Row, Store, Ways
from focused.exceptions import FocusedError
from focused.live.own_fields import from_json
from focused.live.questions import question_at
from focused.page.decoding import decode
from focused.page.media_types import HTML_TYPES, media_type
from focused.page.page_kind import meaning_of
from focused.page.plain_text import plain
from focused.page.urls import UrlRules

ADDRESS = "127.0.0.1"
PATIENCE = 60.0  #: seconds to wait for the browser
SLOWEST = 10.0  #: seconds for which one connection may be silent

POLICY = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; "
    "form-action 'none'; base-uri 'none'; frame-ancestors {}"
)
HEADERS = {
    "Content-Security-Policy": POLICY.format("'none'"),
    "X-Content-Type-Options": "nosniff",
    "X-DNS-Prefetch-Control": "off",  # or the names of hosts that it links to would be looked up
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
#: The same for a page in a frame of ours; no other site may frame it.
FRAMED_HEADERS = HEADERS | {"Content-Security-Policy": POLICY.format("'self'")}
#: Any place where a browser would see the start or end tag of one of these elements. It knows no other letters for these names.
_LEADING_OUT = re.compile(
    r"<(/?)(?:(area|base|embed|frame|link|meta)|(a|fencedframe|iframe|object|portal))(?=[\s/>])",
    re.IGNORECASE | re.ASCII,
)
_NOTHING = "basefont"  #: an element without content or meaning, which is allowed in the head as well


def visit(body: bytes, content_type: str) -> None:
    """Open a page in the browser of this machine, and return when the browser has it.

    Raises FocusedError for a page that is neither HTML nor plain text, and if no browser comes for it.
    """
    data, kind = harmless(body, content_type)
    with _Server(data, kind) as server:
        thread = threading.Thread(
            target=server.serve_forever, kwargs={"poll_interval": 0.1}, name="one visit", daemon=True
        )
        thread.start()
        try:
            if not webbrowser.open(server.url):
                print(f"No browser was found. Open this within {PATIENCE:.0f} s: {server.url}", flush=True)
            if not server.visited.wait(PATIENCE):
                raise FocusedError(f"no browser came for the page within {PATIENCE:.0f} s; --raw writes it to a file")
        finally:
            server.shutdown()
            thread.join()


def harmless(body: bytes, content_type: str) -> tuple[bytes, str]:
    """A page in UTF-8, without elements that lead out of it, and the media type to serve it as."""
    kind = media_type(content_type, body)
    if kind in HTML_TYPES:
        text = _LEADING_OUT.sub(
            lambda tag: f"<{tag[1]}{_NOTHING if tag[2] else f'not-{tag[3]}'}", decode(body, content_type)
        )
        return text.encode("utf-8", "replace"), "text/html"
    if kind == "text/plain":
        return decode(body, content_type).encode("utf-8", "replace"), "text/plain"
    raise FocusedError(f"--open shows HTML and plain text, and this is {kind}; --raw writes it to a file")


class _Server(ThreadingHTTPServer):
    """Serves one page at one path; sets `visited` once it was sent. Uses threads, as browsers open spare connections."""

    daemon_threads = True

    def __init__(self, data: bytes, kind: str) -> None:
        super().__init__((ADDRESS, 0), _Handler)
        self.data, self.kind = data, kind
        self.url = f"http://{ADDRESS}:{self.server_port}/{secrets.token_urlsafe(32)}"
        self.visited = threading.Event()

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser may hang up whenever it likes."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = SLOWEST

    def do_GET(self) -> None:
        # A request from a stranger's page, led to this address by DNS rebinding, names another host.
        asked = f"http://{self.headers.get('Host')}{self.path}"
        if self.server.visited.is_set() or not secrets.compare_digest(asked.encode(), self.server.url.encode()):
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Type", f"{self.server.kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(self.server.data)))
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(self.server.data)
        self.server.visited.set()

    def version_string(self) -> str:
        return "focused"

    def log_message(self, *_: object) -> None:
        """Log nothing."""


MOST_COPIES = 10  #: copies of a page that are listed
MOST_STEPS = 30  #: pages on the way from the seed that are listed, those nearest to the page
LONGEST_VALUE = 200  #: characters of a header that are shown
#: Headers about the page; the others are about the server and the connection.
TELLING = ("content-type", "content-language", "date", "last-modified", "etag", "cache-control", "x-robots-tag", "link")


@dataclass(frozen=True, slots=True)
class StoredPage:
    """A page as crawl.db knows it."""

    place: Place
    id: int  #: of its URL
    asked: int  #: id of the URL that was asked for: another one if it redirects
    pick: int  #: number of the event that chose it
    status: int
    time: str
    bytes: int
    content_type: str
    language: str
    title: str
    relevance: float
    relevant: bool
    verdict: str | None
    kind: str | None
    duplicate_of: int | None
    noindex: bool
    truncated: bool
    rendered: bool
    seq: int  #: number of its fetch


_COLUMNS = (
    "file, offset, length, final_url, url, pick, status, time, bytes, content_type, language, title, relevance, relevant, "
    "verdict, kind, duplicate_of, noindex, truncated, rendered, seq"
)
#: The newest version of the page that a URL leads to.
_PAGE = f"""
SELECT {_COLUMNS} FROM fetches f WHERE {IS_VERSION} AND {FIRST_ID} = (
    SELECT {FIRST_ID} FROM fetches f WHERE {IS_VERSION} AND {{}} = ? ORDER BY seq DESC LIMIT 1)
ORDER BY seq DESC LIMIT 1
"""
MOST_LOOKS = 5  #: re-fetches of a page that are listed, the last ones


def stored_page(store: Store, rules: UrlRules, text: str) -> StoredPage:
    """The page at a URL as a person wrote it, in its newest version; a URL that redirects leads to the page.

    Raises FocusedError, which says what became of the URL, if there is no page.
    """
    canonical = rules.canonical(text)
    if canonical is None:
        raise FocusedError(f"{text}: not an http(s) URL")
    name = store.path.parent.name
    found = store.execute("SELECT id FROM urls WHERE key = ?", (UrlRules.key(canonical),)).fetchone()
    if found is None:
        near = nearest_url(store, canonical)
        hint = f"did you mean {near}?" if near else f"`scrapy search {name} WORDS` finds pages by their words"
        raise FocusedError(f"{canonical}: not known to this crawl; {hint}")
    for column in ("final_url", "url"):
        if row := store.execute(_PAGE.format(column), found).fetchone():
            return _page(row)
    other = store.execute(
        "SELECT outcome, reason, final_url FROM fetches WHERE url = ? ORDER BY seq DESC LIMIT 1", found
    ).fetchone()
    if other and other[0] == "alias" and (row := store.execute(_PAGE.format("final_url"), (other[2],)).fetchone()):
        return _page(row)
    what = f"gave no page ({other[1]})" if other and other[1] else "has not been fetched"
    raise FocusedError(f"{canonical}: {what}; `scrapy explain {name} {canonical}` says more")


def page_of_fetch(store: Store, seq: int) -> StoredPage:
    """The page that a fetch brought."""
    return _page(store.execute(f"SELECT {_COLUMNS} FROM fetches WHERE seq = ?", (seq,)).fetchone())


def described(store: Store, page: StoredPage, stored: Stored, *, with_path: bool = True) -> Iterator[tuple[str, str]]:
    """Yield what is known of a page, as pairs of name and line; a line that continues the one before has an empty name."""
    size = f"{page.bytes:,} bytes" + (", of which only the first part was read" if page.truncated else "")
    form = ", ".join(filter(None, (page.content_type, page.language, "rendered by a browser" if page.rendered else "")))
    yield "fetched", f"{page.time}, status {page.status}, {size}, {form}"
    yield from _named("again", _looks(store, page))
    if page.asked != page.id:
        yield "asked for", store.url(page.asked)
    yield "relevance", f"{page.relevance:.3f} ({'relevant' if page.relevant else 'not relevant'})"
    pick = store.execute("SELECT score, depth FROM picks WHERE seq = ?", (page.pick,)).fetchone()
    if pick:
        yield "score", f"{pick[0]:.4f} when it was chosen, at depth {pick[1]:,}"
    if page.verdict:
        original = f" of {store.url(page.duplicate_of)}" if page.duplicate_of is not None else ""
        yield "verdict", f"{page.verdict}{original}"
    if page.kind:
        yield "kind", f"{page.kind}: {meaning_of(page.kind)}"
    yield from _named("copies", _copies(store, page))
    yield from _named("own fields", _own_fields(store, page))
    if page.noindex:
        yield "noindex", "it asks not to be found by search engines"
    if pick and with_path:
        yield from _named("path", _path(store, page.pick))
    yield from _named("headers", _headers(stored))
    yield "stored in", f"{page.place.file} at byte {page.place.offset:,}"


def _page(row: Row) -> StoredPage:
    return StoredPage(Place(*row[:3]), *row[3:])


def nearest_url(store: Store, canonical: str) -> str | None:
    """A known URL that a person who wrote another one may have meant; None without one."""
    keys = [UrlRules.key(url) for url in _variants(canonical)]
    row = store.execute(f"SELECT url FROM urls WHERE key IN ({', '.join('?' * len(keys))}) LIMIT 1", keys).fetchone()
    return row[0] if row else None


def _variants(canonical: str) -> Iterator[str]:
    """A URL with either scheme, with and without www. and the slash at its end."""
    scheme, rest = canonical.split("://", 1)
    slashed = rest.removesuffix("/") if rest.endswith("/") else f"{rest}/"
    for path in (rest, slashed):
        other = path.removeprefix("www.") if path.startswith("www.") else f"www.{path}"
        yield from (f"{one}://{host}" for one in (scheme, "http", "https") for host in (path, other))


def _copies(store: Store, page: StoredPage) -> Iterator[str]:
    copied = "FROM fetches f JOIN urls u ON u.id = f.final_url WHERE f.outcome = 'page' AND f.duplicate_of = ?"
    rows = store.execute(f"SELECT u.url, f.verdict {copied} ORDER BY f.seq LIMIT ?", (page.id, MOST_COPIES)).fetchall()
    yield from (f"{url} ({verdict})" if verdict else url for url, verdict in rows)
    count = store.execute(f"SELECT count(*) {copied}", (page.id,)).fetchone()[0]
    if count > len(rows):
        yield f"... and {count - len(rows):,} more"


def _looks(store: Store, page: StoredPage) -> Iterator[str]:
    """What came of re-fetching a page, the last time first."""
    looks = f"SELECT time, outcome, reason FROM fetches WHERE {IS_AGAIN} AND pick = ? ORDER BY seq DESC LIMIT ?"
    for time, outcome, reason in store.execute(looks, (page.pick, MOST_LOOKS)):
        yield f"{time}: {outcome}{f' ({reason})' if reason else ''}"


def _own_fields(store: Store, page: StoredPage) -> Iterator[str]:
    row = store.execute("SELECT fields FROM own_fields WHERE seq = ?", (page.seq,)).fetchone()
    for name, value in from_json(row[0]).items() if row else ():
        yield f"{name}: {plain(str(value), LONGEST_VALUE)}"


def _path(store: Store, pick: int) -> Iterator[str]:
    """The pages whose links led to a page, from the seed on."""
    (source,) = store.execute("SELECT source FROM picks WHERE seq = ?", (pick,)).fetchone()
    way = Ways(store, MOST_STEPS).to(source)
    if not way:
        yield "a start of the crawl: no page led to it"
        return
    if len(way) == MOST_STEPS:
        yield "..."
    for url in way:
        question = question_at(url)
        yield f"the search {question}" if question else url
    yield "this page"


def _headers(stored: Stored) -> Iterator[str]:
    for name, value in stored.headers:
        if name.lower() in TELLING:
            yield f"{name}: {value if len(value) <= LONGEST_VALUE else value[:LONGEST_VALUE] + ' ...'}"


def _named(name: str, lines: Iterator[str]) -> Iterator[tuple[str, str]]:
    for line in lines:
        yield name, line
        name = ""
