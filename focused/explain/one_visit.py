"""A stored page shown in a browser, once: from the archive, without its scripts, and without anything from the network.

The page is a stranger's, and may be hostile. As a file it could be let near other files, so it comes from a server of ours, which
listens on this machine alone, at a path that nobody can guess, and ends with the first visit. Two things make it harmless:

- Headers. `sandbox` takes scripts, forms, windows and downloads from it and gives it an origin of its own; `default-src 'none'`
  lets it load nothing, not even from where it comes. Styles and pictures that it holds itself remain.
- Where a browser asks no policy, for it gets ready to go to another page before it asks (preconnect, frames, a pointer over a
  link), the markup is changed: elements that lead out of the page are no elements any more. So its links are dead, too.
"""

from __future__ import annotations

import re
import secrets
import threading
import webbrowser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from focused.exceptions import FocusedError
from focused.page.decoding import HTML_TYPES, decode, media_type

ADDRESS = "127.0.0.1"
PATIENCE = 60.0  #: seconds for which the browser is waited for
SLOWEST = 10.0  #: seconds for which one connection may say nothing

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
#: The same for a page in a frame of ours: nobody else may frame it.
FRAMED_HEADERS = HEADERS | {"Content-Security-Policy": POLICY.format("'self'")}
#: Where a browser would see the start or the end of one of these, wherever that stands. It knows no other letters for these names.
_LEADING_OUT = re.compile(
    r"<(/?)(?:(area|base|embed|frame|link|meta)|(a|fencedframe|iframe|object|portal))(?=[\s/>])",
    re.IGNORECASE | re.ASCII,
)
_NOTHING = "basefont"  #: an element that has neither content nor meaning, and may stand in the head as well


def visit(body: bytes, content_type: str) -> None:
    """Open a page in the browser of this machine, and return when it has got it.

    Raises FocusedError for what is neither HTML nor plain text, and where no browser comes for it.
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
        return _LEADING_OUT.sub(_harmless_tag, decode(body, content_type)).encode("utf-8", "replace"), "text/html"
    if kind == "text/plain":
        return decode(body, content_type).encode("utf-8", "replace"), "text/plain"
    raise FocusedError(f"--open shows HTML and plain text, and this is {kind}; --raw writes it to a file")


def _harmless_tag(tag: re.Match[str]) -> str:
    return f"<{tag[1]}{_NOTHING if tag[2] else f'not-{tag[3]}'}"


class _Server(ThreadingHTTPServer):
    """Serves one page at one path; `visited` is set when somebody has got it. In threads: browsers hold connections in store."""

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
        # A page of somebody else that is led to this address (DNS rebinding) says another host.
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
        """Nobody reads a log of one visit."""
