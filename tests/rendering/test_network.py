"""The browser has no network: whatever a page tries, nothing arrives at this machine's sockets, by TCP or UDP."""

import socket
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.crawls.crawling import Ended, crawl, failures, fetched, rows
from tests.crawls.mock_web import MockWeb, redirect, serving
from tests.crawls.test_private import port_of, sink, visits
from tests.rendering.script_web import html, script, shell, writes
from tests.rendering.test_crawl import needs_browser

SITE = "http://site.example"

#: All that a page may open a connection with, to HOST:PORT, and stay what it is.
TRIES = """
const tries = [
    () => fetch('http://HOST:PORT/fetch', {mode: 'no-cors'}).catch(() => {}),
    () => fetch('https://HOST:PORT/fetch', {mode: 'no-cors', targetAddressSpace: 'local'}).catch(() => {}),
    () => new WebSocket('ws://HOST:PORT/socket'),
    () => new EventSource('http://HOST:PORT/events'),
    () => navigator.sendBeacon('http://HOST:PORT/beacon', 'x'),
    () => { new Image().src = 'http://HOST:PORT/image'; },
    () => { new Audio('http://HOST:PORT/audio').load(); },
    () => new WebTransport('https://HOST:PORT/transport').ready.catch(() => {}),
    () => navigator.serviceWorker.register('http://HOST:PORT/worker.js').catch(() => {}),
    () => new Worker(URL.createObjectURL(new Blob(["fetch('http://HOST:PORT/').catch(() => {})"]))),
    () => {
        const call = new RTCPeerConnection({iceServers: [
            {urls: ['stun:HOST:UDP', 'stun:HOST:PORT?transport=tcp']},
            {urls: ['turn:HOST:UDP', 'turn:HOST:PORT?transport=tcp', 'turns:HOST:PORT'], username: 'u', credential: 'p'},
        ]});
        call.createDataChannel('x');
        call.createOffer().then(offer => call.setLocalDescription(offer));
    },
    () => {
        const frame = document.body.appendChild(document.createElement('iframe'));
        const call = new frame.contentWindow.RTCPeerConnection({iceServers: [{urls: 'stun:HOST:UDP'}]});
        call.createDataChannel('x');
        call.createOffer().then(offer => call.setLocalDescription(offer));
    },
    ...['dns-prefetch', 'preconnect', 'prefetch', 'preload', 'icon', 'manifest', 'prerender'].map(rel => () => {
        const link = document.createElement('link');
        Object.assign(link, {rel, href: 'http://HOST:PORT/link', as: 'fetch'});
        document.head.append(link);
    }),
    ...['iframe', 'embed', 'object', 'script', 'video', 'track'].map(name => () => {
        const element = document.createElement(name);
        element.src = element.data = 'http://HOST:PORT/element';
        document.body.append(element);
    }),
    () => window.open('http://HOST:PORT/window'),
];
for (const attempt of tries) { try { attempt(); } catch (error) {} }
"""

#: A page that changes for three seconds is not read before.
GOES_ON = "const end = Date.now() + 3000; setInterval(() => Date.now() < end && document.body.append('.'), 100);"
#: Some ways are open to secure pages only: let this one count as such.
SECURE = 'PLAYWRIGHT_LAUNCH_OPTIONS={"args": ["--unsafely-treat-insecure-origin-as-secure=http://site.example"]}'

#: And what leads the page itself elsewhere.
LEAVES = (
    "location.href = '{url}'",
    "Object.assign(document.createElement('a'), {{href: '{url}'}}).click()",
    "window.open('{url}', '_self')",
    "document.head.innerHTML += '<meta http-equiv=refresh content=\"0;url={url}\">'",
)


def rendered_crawl(folder: Path, answers: dict[str, object], **options: object) -> tuple[Ended, MockWeb]:
    with serving(MockWeb(answers)) as web:
        seeds = [url for url in answers if url.endswith("/")]
        return crawl(web, folder, seeds, render="always", rendering__seconds=6, **options), web


@needs_browser
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_nothing_that_a_page_opens_reaches_this_machine(tmp_path, host) -> None:
    with sink() as listening, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams:
        datagrams.bind(("127.0.0.1", 0))
        datagrams.setblocking(False)
        tries = TRIES.replace("HOST", host).replace("PORT", str(port_of(listening)))
        tries = tries.replace("UDP", str(datagrams.getsockname()[1]))
        ended, web = rendered_crawl(tmp_path, {f"{SITE}/": shell(writes() + tries + GOES_ON)}, settings=[SECURE])
        assert visits(listening) == 0
        with pytest.raises(BlockingIOError):
            datagrams.recv(1)
    assert fetched(tmp_path) == [f"{SITE}/"]
    assert {asked.host for asked in web.asked} == {"site.example"}
    assert ended.plain


def sites(markups: Iterable[str]) -> dict[str, object]:
    """A host for each."""
    return {f"http://site{number}.example/": shell(markup) for number, markup in enumerate(markups)}


@needs_browser
def test_a_page_that_leads_into_a_private_network_is_a_redirect_there(tmp_path) -> None:
    with sink() as listening:
        url = f"http://127.0.0.1:{port_of(listening)}/"
        answers = sites(leaves.format(url=url) for leaves in LEAVES)
        rendered_crawl(tmp_path, answers)
        assert visits(listening) == 0
    assert failures(tmp_path) == dict.fromkeys(answers, "redirects out of scope: private address")


#: What is no page of the Web, as an expression of JavaScript.
NO_PAGES = (
    *("'file:///etc/passwd'", "'chrome://version'", "'view-source:http://site0.example/'"),
    "'data:text/html,<title>PLANTED</title>'",
    "URL.createObjectURL(new Blob(['<title>PLANTED</title>'], {type: 'text/html'}))",
)


@needs_browser
def test_what_is_no_page_of_the_web_is_never_the_result(tmp_path) -> None:
    waits = "setTimeout(() => document.body.append('waits'), 300);"
    answers = sites(f"location.href = {target};{waits}" for target in NO_PAGES)
    rendered_crawl(tmp_path, answers)
    assert sorted(fetched(tmp_path)) == sorted(answers)
    assert set(rows(tmp_path, "SELECT title FROM history")) == {("App",)}


@needs_browser
def test_a_script_that_redirects_to_a_file_of_this_machine_gets_none(tmp_path) -> None:
    """The host of a file's URL is that of the page, as if it were its own."""
    secret = tmp_path / "secret.txt"
    secret.write_text("document.body.append('SECRET'); fetch('/stolen')")
    answers = {
        f"{SITE}/": html("<script src=/away.js></script>"),
        f"{SITE}/away.js": redirect(f"file://site.example{secret}"),
    }
    _, web = rendered_crawl(tmp_path, answers | {f"{SITE}/stolen": script("")})
    assert fetched(tmp_path) == [f"{SITE}/"]
    assert f"{SITE}/stolen" not in [asked.url for asked in web.asked]
