"""A stored page in a browser: it runs nothing, loads nothing, and is shown to one visitor only."""

import http.client
import shutil
import socketserver
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from focused.exceptions import FocusedError
from focused.inspection import stored_page
from focused.inspection.stored_page import HEADERS, harmless, visit

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
Answer = tuple[int, dict[str, str], bytes]


def get(url: str, host: str = "", path: str = "") -> Answer:
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.netloc, timeout=10)
    connection.request("GET", path or parts.path, headers={"Host": host or parts.netloc})
    response = connection.getresponse()
    answer = response.status, dict(response.headers), response.read()
    connection.close()
    return answer


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[Answer]]:
    """Has a page opened by a browser that does as it is told with the URL."""

    def run(
        body: bytes, browser: Callable[[str], Answer | list[Answer]], content_type: str = "text/html"
    ) -> list[Answer]:
        answers: list[Answer] = []

        def come(url: str) -> bool:
            came = browser(url)
            answers.extend(came if isinstance(came, list) else [came])
            return True

        monkeypatch.setattr(stored_page.webbrowser, "open", come)
        visit(body, content_type)
        return answers

    return run


def test_the_page_comes_with_headers_that_take_all_its_powers(opened) -> None:
    ((status, headers, body),) = opened("<p>Käse".encode("latin-1"), get, "text/html; charset=iso-8859-1")
    assert (status, body.decode()) == (200, "<p>Käse")
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    assert HEADERS.items() <= headers.items()
    policy = headers["Content-Security-Policy"].split("; ")
    assert {"sandbox", "default-src 'none'"} <= set(policy)
    assert not any("script" in part or "http" in part for part in policy)


def test_only_who_knows_the_path_gets_the_page_and_once(opened) -> None:
    def guess(url: str) -> list[Answer]:
        port = urlsplit(url).port
        return [
            get(url, path="/"),
            get(url, path=urlsplit(url).path + "x"),
            get(url, host=f"evil.example:{port}"),  # its DNS says that it is this machine
            get(url, host=f"localhost:{port}"),
            get(url),
            get(url),
        ]

    answers = opened(b"secret", guess, "text/plain")
    assert [status for status, _, _ in answers] == [404, 404, 404, 404, 200, 404]
    assert [b"secret" in body for _, _, body in answers] == [False, False, False, False, True, False]


def test_each_visit_has_a_path_of_its_own_on_this_machine_only(opened) -> None:
    urls: list[str] = []
    for _ in range(2):
        opened(b"x", lambda url: urls.append(url) or get(url), "text/plain")
    assert all(url.startswith("http://127.0.0.1:") and len(urlsplit(url).path) > 40 for url in urls)
    assert urlsplit(urls[0]).path != urlsplit(urls[1]).path


def test_nobody_comes(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(stored_page.webbrowser, "open", lambda _: False)
    monkeypatch.setattr(stored_page, "PATIENCE", 0.05)
    with pytest.raises(FocusedError, match="no browser came for the page"):
        visit(b"x", "text/plain")
    assert "No browser was found. Open this within 0 s: http://127.0.0.1:" in capsys.readouterr().out


def test_elements_that_lead_out_are_none_any_more() -> None:
    page = b"<LINK rel=preconnect href=//a><meta\nhttp-equiv=refresh><base/><linked></base><metal><abbr><iframe><A href=x></a>"
    data, _ = harmless(page, "text/html")
    assert data == (
        b"<basefont rel=preconnect href=//a><basefont\nhttp-equiv=refresh><basefont/><linked></basefont><metal><abbr>"
        b"<not-iframe><not-A href=x></not-a>"
    )


def test_an_encoding_that_hides_markup_hides_nothing() -> None:
    data, kind = harmless("<link href=//a>".encode("utf-16"), "text/html; charset=utf-16")
    assert (data, kind) == (b"<basefont href=//a>", "text/html")


@pytest.mark.parametrize("kind", ["application/pdf", "image/svg+xml", "application/xml"])
def test_what_is_no_page_of_text_is_not_opened(kind: str) -> None:
    with pytest.raises(FocusedError, match=f"this is {kind}".replace("+", r"\+")):
        harmless(b"<x>", kind)


class Listener(socketserver.ThreadingTCPServer):
    """Another server: counts who connects, and what they ask for."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Noting)
        self.asked: list[bytes] = []
        self.port = self.server_address[1]


class _Noting(socketserver.StreamRequestHandler):
    server: Listener
    timeout = 2

    def handle(self) -> None:
        self.server.asked.append(b"connected")
        self.server.asked.append(self.rfile.readline())
        self.wfile.write(b"HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n")


@contextmanager
def listening() -> Iterator[Listener]:
    with Listener() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        yield server
        server.shutdown()


@pytest.fixture
def listener() -> Iterator[Listener]:
    with listening() as server:
        yield server


def hostile(port: int) -> bytes:
    """A page that tries all ways to reach a server."""
    evil = f"http://127.0.0.1:{port}"
    return f"""<!doctype html><title>still</title><base href="{evil}/">
<link rel=preconnect href="{evil}"><link rel=stylesheet href="/s.css">
<link rel=prefetch href="/prefetch"><link rel=icon href="/icon"><link rel=dns-prefetch href="//evil.example">
<meta http-equiv=refresh content="0;url={evil}/refresh">
<style>@import "{evil}/import.css"; @font-face {{font-family: x; src: url({evil}/font)}} p {{font-family: x;
background: url({evil}/background)}}</style>
<p id=seen>as it was <img src="{evil}/img" onerror="document.title='run'"><img src=x onerror="document.title='run'">
<iframe src="{evil}/frame"></iframe><iframe srcdoc="<img src='{evil}/srcdoc'><iframe src={evil}/inner>"></iframe>
<a href="{evil}/link" ping="{evil}/ping">link</a>
<object data="{evil}/object"></object><embed src="{evil}/embed"><video src="{evil}/video" poster="{evil}/poster"></video>
<svg><image href="{evil}/svg"/><script>document.title='run'</script></svg>
<form action="{evil}/form" id=f><button autofocus onfocus="f.submit()"></button></form>
<script src="{evil}/script.js"></script><script>document.title = 'run'; fetch('{evil}/fetch'); f.submit();</script>
<script type=speculationrules>{{"prefetch": [{{"urls": ["{evil}/speculation"]}}]}}</script>
""".encode()


@pytest.mark.skipif(BROWSER is None, reason="no browser on PATH: apt-get install chromium")
class TestInChromium:
    @pytest.fixture
    def chromium(self, tmp_path: Path) -> Callable[[str], str]:
        def dom(url: str) -> str:
            options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}", "--timeout=3000"]
            command = [str(BROWSER), *options, "--dump-dom", url]
            return subprocess.run(command, capture_output=True, text=True, timeout=100, check=False).stdout

        return dom

    def test_a_hostile_page_runs_nothing_and_reaches_nobody(self, chromium, opened, listener: Listener) -> None:
        doms: list[str] = []
        opened(hostile(listener.port), lambda url: doms.append(chromium(url)) or (0, {}, b""))
        assert "as it was" in doms[0] and "<title>still</title>" in doms[0]
        assert listener.asked == []

    def test_the_same_page_as_it_is_reaches_its_server(self, chromium, tmp_path: Path, listener: Listener) -> None:
        """Otherwise the test above could not fail."""
        page = tmp_path / "page.html"
        page.write_bytes(hostile(listener.port))
        chromium(page.as_uri())
        assert b"connected" in listener.asked and len(listener.asked) > 5
