"""What hosts do with a request: behaviours for the server, from an honest page to bytes without end."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from html import escape
from random import Random

from lab.chaos.checker import Entry
from lab.chaos.scene import ODD
from lab.chaos.server import Behaviour, Web, Wire

Header = tuple[str, str]
HTML = ("Content-Type", "text/html; charset=utf-8")
#: What pages are about.
TOPICAL: Sequence[str] = ODD["topical"]
SYLLABLES = ["ba", "ce", "di", "fo", "gu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "zu"]
COMMON = ["the", "of", "and", "to", "in", "is", "for", "with", "on", "as", "are", "by", "from", "at", "which", "it"]
WORDS = 150  #: of a page's text


def raw(data: bytes, *, keep: bool = False) -> Behaviour:
    """These bytes and no others; the connection is closed then, unless it is kept."""

    async def behave(_: Entry, wire: Wire) -> None:
        wire.keep = keep
        await wire.send(data)

    return behave


def answer(status: int, body: bytes = b"", *headers: Header, length: object = None) -> Behaviour:
    """An answer as it should be; a ``length`` that is given stands in Content-Length whatever the body is."""
    lines = [f"HTTP/1.1 {status} X", *(f"{name}: {value}" for name, value in headers)]
    lines.append(f"Content-Length: {len(body) if length is None else length}")
    return raw("\r\n".join([*lines, "", ""]).encode("utf-8", "surrogateescape") + body, keep=length is None)


def prose(key: str) -> str:
    """Sentences about the topic, most of whose words hardly another page has: two keys make two pages that are no copies."""
    random = Random(key)
    words = []
    for _ in range(WORDS):
        kind = random.random()
        if kind < 0.35:
            words.append(random.choice(COMMON))
        elif kind < 0.5:
            words.append(random.choice(TOPICAL))
        else:
            words.append("".join(random.choices(SYLLABLES, k=3)))
    return " ".join(words)


def page_bytes(text: str, *links: str, title: str = "Solar energy", head: str = "") -> bytes:
    anchors = "".join(
        f'<p>{prose(f"{text} {place}")[:60]} <a href="{escape(link)}">solar {place}</a></p>'
        for place, link in enumerate(links)
    )
    body = f"<p>{text} {prose(text)}</p>{anchors}"
    markup = f"<html><head><title>{title}</title>{head}</head><body>{body}</body></html>"
    return markup.encode("utf-8", "surrogatepass")


def page(text: str, *links: str, head: str = "", headers: Iterable[Header] = ()) -> Behaviour:
    """An honest page about the topic, with links; another text makes another page."""
    return answer(200, page_bytes(text, *links, head=head), HTML, *headers)


def redirect(target: str, status: int = 302, *headers: Header) -> Behaviour:
    return answer(status, b"", ("Location", target), *headers)


def robots(text: str | bytes) -> Behaviour:
    return answer(200, text.encode() if isinstance(text, str) else text, ("Content-Type", "text/plain"))


def in_turn(*behaviours: Behaviour) -> Behaviour:
    """The first for the first request, and so on; the last for all that follow."""
    left = list(behaviours)

    async def behave(entry: Entry, wire: Wire) -> None:
        await (left.pop(0) if len(left) > 1 else left[0])(entry, wire)

    return behave


async def hang(_: Entry, __: Wire) -> None:
    """No answer at all."""
    await asyncio.Event().wait()


async def hang_up(_: Entry, __: Wire) -> None:
    """The connection ends without an answer."""


async def reset(_: Entry, wire: Wire) -> None:
    """The same, rudely."""
    wire.reset()


def late(seconds: float, behaviour: Behaviour) -> Behaviour:
    async def behave(entry: Entry, wire: Wire) -> None:
        await asyncio.sleep(seconds)
        await behaviour(entry, wire)

    return behave


def drip(head: bytes, piece: bytes, every: float) -> Behaviour:
    """A head, then the same bytes again and again, slowly, without end."""

    async def behave(_: Entry, wire: Wire) -> None:
        if head:
            await wire.send(head)
        while True:
            await wire.send(piece)
            await asyncio.sleep(every)

    return behave


def endless(head: bytes, piece: bytes) -> Behaviour:
    """As fast as the client reads."""
    return drip(head, piece, 0.0)


GOOD = "good"


def honest_host(web: Web, count: int, links: Sequence[str] = (), name: str = GOOD) -> tuple[str, frozenset[str]]:
    """Add a host of so many pages, the first of which leads to the others; its first URL, and all of them.

    links : to the hostile part, all on one page of their own: whoever thinks little of that page need not lose the others
    """
    host = f"{name}.example"
    paths = ["/", *(f"/{number}" for number in range(1, count))] + ["/links"] * bool(links)
    urls = [f"http://{host}{path}" for path in paths]
    pages = {path: page(f"{host} page {path}") for path in paths}
    pages["/"] = page(f"{host} first", *urls[1:])
    if links:
        pages["/links"] = page(f"{host} links", *links)
    web.add(host, pages)
    return urls[0], frozenset(urls)
