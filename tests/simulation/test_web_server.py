"""The server of recorded webs, asked over real sockets on loopback as a proxy and as an origin."""

import asyncio
import gzip
import http.client
import socket
import ssl
from collections.abc import Iterator, Set
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from focused.exceptions import WebError
from focused.simulation.proxy import MAX_HEAD, WebServer, serving
from focused.simulation.recorded_web import Answer, html_answer

LONG = b"<p>" + b"a long page " * 200


class SmallWeb:
    """Two hosts; one page is broken on purpose."""

    pages = {  # noqa: RUF012
        "http://a.example/": html_answer(b"<h1>home</h1>"),
        "http://a.example/long": html_answer(LONG),
        "http://a.example/moved": Answer(
            301, (("Location", "/"), ("Content-Length", "99"), ("Connection", "odd")), b""
        ),
        "http://a.example/forged": Answer(200, (("X-Odd", "one\r\nSet-Cookie: two"),), b"x"),
        "http://a.example/image": Answer(200, (("Content-Type", "image/png"),), b"\0" * 2000),
        "http://a.example/strange": Answer(799, (), b"strange"),
        "https://b.example/": html_answer(b"secure"),
        "https://b.example:8443/": html_answer(b"secure elsewhere"),
    }

    @property
    def hosts(self) -> Set[str]:
        return {"a.example", "b.example"}

    def urls(self) -> Iterator[str]:
        return iter(self.pages)

    def answer(self, url: str) -> Answer | None:
        if url.endswith("/crash"):
            raise WebError("the recording is gone")
        if "c.example" in url:
            return None
        return self.pages.get(url, Answer(404, (), b"no"))


@pytest.fixture(scope="module")
def server() -> Iterator[WebServer]:
    with serving(SmallWeb()) as running:
        yield running


@pytest.fixture
def client(server: WebServer) -> Iterator[http.client.HTTPConnection]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    yield connection
    connection.close()


def get(
    client: http.client.HTTPConnection, target: str, method: str = "GET", **headers: str
) -> tuple[http.client.HTTPResponse, bytes]:
    client.request(method, target, headers={name.replace("_", "-"): value for name, value in headers.items()})
    response = client.getresponse()
    return response, response.read()


def exchange(server: WebServer, sent: bytes) -> bytes:
    """Everything the server says until it closes; the client says nothing more."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
        connection.sendall(sent)
        connection.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: connection.recv(65536), b""))


def test_a_proxy_request_is_answered(client: http.client.HTTPConnection) -> None:
    response, body = get(client, "http://a.example/")
    assert (response.status, body) == (200, b"<h1>home</h1>")
    assert response.headers["Content-Type"] == "text/html; charset=utf-8"


def test_a_plain_request_is_answered_by_its_host_header(client: http.client.HTTPConnection) -> None:
    assert get(client, "/", Host="a.example")[1] == b"<h1>home</h1>"


def test_one_connection_serves_many_requests(client: http.client.HTTPConnection) -> None:
    get(client, "http://a.example/")
    first = client.sock
    get(client, "http://a.example/long")
    assert first is not None and client.sock is first


def test_requests_sent_at_once_are_answered_in_order(server: WebServer) -> None:
    sent = b"GET http://a.example/ HTTP/1.1\r\n\r\nGET http://a.example/nothing HTTP/1.1\r\nConnection: close\r\n\r\n"
    said = exchange(server, sent)
    assert said.index(b"HTTP/1.1 200") < said.index(b"HTTP/1.1 404")


def test_unknown_pages_and_hosts_are_told_apart(client: http.client.HTTPConnection) -> None:
    assert get(client, "http://a.example/nothing")[0].status == 404
    response, body = get(client, "http://c.example/")
    assert (response.status, body) == (502, b"http://c.example/: this host is not in this recorded web\n")
    assert get(client, "http://c.example/robots.txt")[0].status == 404  # unreachable rules would be waited for


def test_head_tells_the_length_without_the_body(client: http.client.HTTPConnection) -> None:
    response, body = get(client, "http://a.example/long", "HEAD")
    assert (response.status, body, response.headers["Content-Length"]) == (200, b"", str(len(LONG)))


def test_text_is_compressed_for_clients_that_accept_it(client: http.client.HTTPConnection) -> None:
    response, body = get(client, "http://a.example/long", Accept_Encoding="br, gzip")
    assert response.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(body) == LONG
    assert len(body) < len(LONG)


@pytest.mark.parametrize(
    ("target", "accepted"),
    [("long", ""), ("long", "br"), ("long", "gzip;q=0"), ("long", "gzip; q=0.0"), ("image", "gzip"), ("", "gzip")],
)
def test_nothing_else_is_compressed(client: http.client.HTTPConnection, target: str, accepted: str) -> None:
    response, _ = get(client, f"http://a.example/{target}", Accept_Encoding=accepted)
    assert "Content-Encoding" not in response.headers


def test_recorded_transfer_headers_are_replaced_by_the_true_ones(client: http.client.HTTPConnection) -> None:
    response, body = get(client, "http://a.example/moved")
    assert (response.status, body, response.headers["Location"]) == (301, b"", "/")
    assert response.headers.get_all("Content-Length") == ["0"]
    assert response.headers.get_all("Connection") == ["keep-alive"]


def test_a_recorded_header_cannot_forge_another(client: http.client.HTTPConnection) -> None:
    response, _ = get(client, "http://a.example/forged")
    assert "Set-Cookie" not in response.headers
    assert response.headers["X-Odd"] == "one Set-Cookie: two"


def test_a_status_that_http_does_not_know_is_passed_on(client: http.client.HTTPConnection) -> None:
    assert get(client, "http://a.example/strange")[0].status == 799


@pytest.mark.parametrize(("port", "body"), [(443, b"secure"), (8443, b"secure elsewhere")])
def test_https_is_answered_through_a_tunnel(server: WebServer, port: int, body: bytes) -> None:
    trusting = ssl._create_unverified_context()
    client = http.client.HTTPSConnection("127.0.0.1", server.port, timeout=10, context=trusting)
    client.set_tunnel("b.example", port)
    assert get(client, "/")[1] == body
    assert get(client, "/")[1] == body  # again on the same connection
    client.close()


def test_the_certificate_names_the_host(server: WebServer) -> None:
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as plain:
        plain.sendall(b"CONNECT b.example:443 HTTP/1.1\r\n\r\n")
        assert plain.recv(1000).startswith(b"HTTP/1.1 200 ")
        with context.wrap_socket(plain, server_hostname="b.example") as secure:
            certificate = secure.getpeercert(binary_form=True)
    assert certificate and b"b.example" in certificate


def test_a_tunnel_to_another_host_is_refused(server: WebServer) -> None:
    said = exchange(server, b"CONNECT c.example:443 HTTP/1.1\r\n\r\n")
    assert said.startswith(b"HTTP/1.1 502 ")
    assert said.endswith(b"c.example is not in this recorded web\n")


def test_a_page_that_cannot_be_read_does_not_stop_the_server(
    client: http.client.HTTPConnection, caplog: pytest.LogCaptureFixture
) -> None:
    assert get(client, "http://a.example/crash")[0].status == 500
    assert "the recording is gone" in caplog.text
    assert get(client, "http://a.example/")[0].status == 200


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"hello\r\n\r\n", 400),
        (b"GET http://a.example/ FTP/1.0\r\n\r\n", 400),
        (b"GET http://a .example/ HTTP/1.1\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\n\r\n", 400),
        (b"GET ftp://a.example/ HTTP/1.1\r\n\r\n", 400),
        (b"GET http://[/ HTTP/1.1\r\n\r\n", 400),
        (b"GET http://a.example/ HTTP/1.1\r\nHos", 400),
        (b"CONNECT nowhere HTTP/1.1\r\n\r\n", 400),
        (b"POST http://a.example/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 411),
        (b"POST http://a.example/ HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 411),
        (b"POST http://a.example/ HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n", 413),
        (b"POST http://a.example/ HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc", 501),
        (b"GET http://a.example/ HTTP/1.1\r\nX: " + b"x" * MAX_HEAD + b"\r\n\r\n", 431),
    ],
)
def test_a_bad_request_is_told_so(server: WebServer, sent: bytes, status: int) -> None:
    assert exchange(server, sent).startswith(b"HTTP/1.1 %d " % status)


@settings(max_examples=2 * settings.default.max_examples, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(noise=st.binary(max_size=200))
def test_no_bytes_stop_the_server(server: WebServer, noise: bytes) -> None:
    exchange(server, noise)
    assert exchange(server, b"GET http://a.example/ HTTP/1.0\r\n\r\n").startswith(b"HTTP/1.1 200 ")


def test_requests_are_counted_by_url() -> None:
    with serving(SmallWeb()) as server:
        client = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
        get(client, "http://a.example/")
        get(client, "http://a.example/", "HEAD")
        get(client, "http://c.example/x")
        client.close()
    assert server.requests == {"http://a.example/": 2, "http://c.example/x": 1}


def test_the_access_log_has_a_line_for_each_request(tmp_path: Path) -> None:
    log = tmp_path / "access.log"
    log.write_text("what was there\n")
    with serving(SmallWeb(), log=log) as server:
        exchange(server, b"GET http://a.example/ HTTP/1.0\r\n\r\n")
        exchange(server, b"HEAD http://a.example/nothing HTTP/1.0\r\n\r\n")
    first, *lines = log.read_text().splitlines()
    assert first == "what was there"
    assert [line.split()[1:] for line in lines] == [
        ["GET", "http://a.example/", "200", "13"],
        ["HEAD", "http://a.example/nothing", "404", "0"],
    ]


def test_stopping_cuts_idle_connections_and_frees_the_port() -> None:
    with serving(SmallWeb()) as server:
        idle = socket.create_connection(("127.0.0.1", server.port), timeout=10)
        idle.sendall(b"GET http://a.example/ HTTP/1.1\r\n\r\n")
        assert idle.recv(1000).startswith(b"HTTP/1.1 200 ")
    assert idle.recv(1000) == b""
    idle.close()
    with serving(SmallWeb(), port=server.port) as again:
        assert again.port == server.port


def test_a_port_in_use_is_one_clear_line(server: WebServer) -> None:
    with (
        pytest.raises(WebError, match=rf"port {server.port} of 127\.0\.0\.1 cannot be used: .*choose another port"),
        serving(SmallWeb(), port=server.port),
    ):
        pass


def test_a_log_that_cannot_be_written_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(WebError, match="the access log cannot be written"), serving(SmallWeb(), log=tmp_path):
        pass


def test_a_slow_host_of_a_web_answers_later_than_others(monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow(SmallWeb):
        def slowness(self, host: str) -> float:
            return 7.0 if host == "b.example" else 0.0

    waited, sleep = [], asyncio.sleep

    async def noted(seconds: float) -> None:
        waited.append(seconds)
        await sleep(0)

    monkeypatch.setattr(asyncio, "sleep", noted)
    with serving(Slow(), latency=0.5) as server:
        client = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
        for url in ("http://a.example/", "http://b.example/"):
            get(client, url)
        client.close()
        assert waited == [0.5, 7.5]
