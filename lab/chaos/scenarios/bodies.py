"""Answers that are none: slow, endless, cut, lying about their length, packed a thousandfold."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec

from lab.chaos.replies import HTML, answer, drip, endless, page_bytes, raw
from lab.chaos.scenarios.honest import honest_host
from lab.chaos.scene import Scene, scenario
from lab.chaos.server import Behaviour, Web

OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
BODY = page_bytes("solar")
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
MILLION = 10**6


def scene_of(behaviours: dict[str, Behaviour], honest_pages: int = 20, **more: object) -> Scene:
    """Each behaviour on a host of its own, behind a good page that leads to them all."""
    web = Web()
    for name, behaviour in behaviours.items():
        web.add(f"{name}.example", behaviour)
    seed, good = honest_host(web, honest_pages, [f"http://{name}.example/solar" for name in behaviours])
    return Scene(web, (seed,), len(behaviours), good, settings={"RETRY_TIMES": 0}, **more)  # type: ignore[arg-type]


def lying(length: object) -> Behaviour:
    return answer(200, BODY, HTML, length=length)


@scenario("slow, endless and cut answers, wrong lengths, huge and odd heads")
def answers() -> Scene:
    return scene_of(
        {
            "slow-head": drip(b"", b"H", 0.3),
            "slow-headers": drip(OK, b"X-More: 1\r\n", 0.3),
            "slow-body": drip(OK + b"\r\n", b"<p>", 0.3),
            "slow-long-body": drip(OK + b"Content-Length: 99999\r\n\r\n", b"<p>solar", 0.3),
            "endless": endless(OK + b"\r\n", b"<p>solar energy " * 4096),
            "endless-length": endless(OK + b"Content-Length: 999999999999\r\n\r\n", b"solar " * 8192),
            "endless-chunks": endless(CHUNKED, b"1000\r\n" + b"s" * 4096 + b"\r\n"),
            "endless-headers": endless(OK, b"X-Many: header\r\n" * 100),
            "endless-header": endless(OK + b"X-Long: ", b"solar" * 4096),
            "endless-100": endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 10),
            "too-short": lying(len(BODY) + 1000),
            "too-long": lying(10),
            "negative": lying(-1),
            "no-number": lying("many"),
            "huge-number": lying("9" * 400),
            "two-lengths": raw(OK + b"Content-Length: 10\r\nContent-Length: 20\r\n\r\n" + BODY),
            "length-and-chunks": raw(
                OK + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
            ),
            "bad-chunk": raw(CHUNKED + b"zz\r\nsolar\r\n"),
            "negative-chunk": raw(CHUNKED + b"-5\r\nsolar\r\n"),
            "huge-chunk": raw(CHUNKED + b"f" * 4000 + b"\r\nsolar"),
            "million-byte-header": raw(OK + b"X: " + b"a" * MILLION + b"\r\n\r\n" + BODY),
            "many-headers": raw(OK + b"X: a\r\n" * 100_000 + b"\r\n" + BODY),
            "no-head": raw(BODY),
            "empty": raw(b""),
            "line-break": raw(b"\r\n\r\n"),
            "other-protocol": raw(b"SSH-2.0-OpenSSH_9.2\r\n"),
            "zeros": raw(b"\0" * 10_000),
            "status-0": raw(b"HTTP/1.1 000 \r\nContent-Length: 0\r\n\r\n"),
            "status-999": raw(b"HTTP/1.1 999 No\r\nContent-Length: 0\r\n\r\n"),
            "status-words": raw(b"HTTP/1.1 OK OK\r\n\r\n" + BODY),
            "http-9": raw(b"HTTP/9.9 200 OK\r\n\r\n" + BODY),
            "switching": raw(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"),
            "status-206": raw(b"HTTP/1.1 206 Part\r\nContent-Range: bytes 0-1/9\r\nContent-Length: 2\r\n\r\nab"),
            "status-304": raw(b"HTTP/1.1 304 Same\r\n\r\n"),
            "status-204": raw(b"HTTP/1.1 204 None\r\n\r\n"),
            "control-header": raw(OK + b"X-\x1b[31m\x07: \x00\x1b]0;title\x07\r\nContent-Length: 0\r\n\r\n"),
            "control-reason": raw(b"HTTP/1.1 500 \x1b[2J\x1b[31mgone\x07\r\nContent-Length: 0\r\n\r\n"),
            "control-type": raw(b"HTTP/1.1 200 OK\r\nContent-Type: text/\x1b[31mhtml\r\nContent-Length: 1\r\n\r\na"),
            "header-without-colon": raw(OK + b"nothing\r\nContent-Length: 0\r\n\r\n"),
            "folded-header": raw(OK + b"X: a\r\n b\r\nContent-Length: 0\r\n\r\n"),
            "bytes-header": raw(OK + bytes(range(128, 256)) + b": x\r\nContent-Length: 0\r\n\r\n"),
            "cut-gzip": answer(200, gzip.compress(BODY)[:-20], HTML, ("Content-Encoding", "gzip")),
            "no-gzip": answer(200, BODY, HTML, ("Content-Encoding", "gzip")),
            "no-brotli": answer(200, BODY, HTML, ("Content-Encoding", "br")),
            "unknown-coding": answer(200, BODY, HTML, ("Content-Encoding", "secret")),
            "many-codings": answer(200, BODY, HTML, ("Content-Encoding", ", ".join(["gzip"] * 1000))),
            "cookies": answer(200, BODY, HTML, *[("Set-Cookie", f"c{n}=1; Path=/") for n in range(500)]),
        },
        more=no_controls_in_the_log,
    )


def no_controls_in_the_log(outcome: object) -> Iterable[str]:
    """Bytes of a server that a terminal takes for commands must not stand in a log."""
    log: str = outcome.log  # type: ignore[attr-defined]
    places = [place for sign in ("\x1b", "\x07", "\x00") if (place := log.find(sign)) >= 0]
    if places:
        yield f"control characters in the log: {log[max(0, min(places) - 60) : min(places) + 20]!r}"


def _gzipped(size: int) -> bytes:
    """So many bytes of spaces, packed."""
    packer = zlib.compressobj(1, zlib.DEFLATED, 31)
    block = b" " * 2**20
    return b"".join(packer.compress(block) for _ in range(size // len(block))) + packer.flush()


def _packed_by_others(body: bytes) -> dict[str, Behaviour]:
    """By packers that need not be installed; a crawl without them does not unpack what they packed."""
    modules = {"br": ("brotli",), "zstd": ("compression.zstd", "backports.zstd", "zstandard")}
    found = {coding: [name for name in names if _is_there(name)] for coding, names in modules.items()}
    return {
        coding: answer(200, import_module(names[0]).compress(body), HTML, ("Content-Encoding", coding))
        for coding, names in found.items()
        if names
    }


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # not even the package that it would lie in
        return False


@scenario("bodies packed a thousandfold: gzip, deflate, brotli, zstd, several layers")
def bombs() -> Scene:
    gzipped = _gzipped(200 * 2**20)
    twice = gzip.compress(gzipped)
    tags = gzip.compress(b"<b>" * 600_000)
    return scene_of(
        {
            "gzip": answer(200, gzipped, HTML, ("Content-Encoding", "gzip")),
            "x-gzip": answer(200, gzipped, HTML, ("Content-Encoding", "x-gzip")),
            "gzip-2": answer(200, twice, HTML, ("Content-Encoding", "gzip, gzip")),
            "gzip-3": answer(200, gzip.compress(twice), HTML, ("Content-Encoding", "gzip, gzip, gzip")),
            "deflate": answer(200, zlib.compress(b" " * 2**26), HTML, ("Content-Encoding", "deflate")),
            **_packed_by_others(b" " * 2**26),
            "tags": answer(200, tags, HTML, ("Content-Encoding", "gzip")),
            "gzip-file": answer(200, gzipped, ("Content-Type", "application/gzip")),
            "sitemap": answer(200, gzipped, ("Content-Type", "application/x-gzip")),
        }
    )
