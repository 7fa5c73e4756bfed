"""Pages that a browser runs: their scripts obey the same rules, and reach nobody else."""

from __future__ import annotations

from lab.chaos.checker import HostRules
from lab.chaos.replies import HTML, answer, robots
from lab.chaos.scenarios.honest import honest_host
from lab.chaos.scene import Scene, scenario
from lab.chaos.server import Web
from lab.chaos.sinks import own_address

WAYS = """
const ask = way => { try { way() } catch (error) {} };
const add = (tag, more) => ask(() => document.body.append(Object.assign(document.createElement(tag), more)));
const ticks = setInterval(() => document.body.append('. '), 50);  // a page that moves stays open
setTimeout(() => clearInterval(ticks), 3000);
for (const address of ['127.0.0.1:PORT', 'localhost:PORT', '[::1]:PORT', 'OWN:PORT']) {
    const url = 'http://' + address + '/';
    ask(() => fetch(url, {mode: 'no-cors'}).catch(() => {}));
    ask(() => new Image().src = url);
    ask(() => new WebSocket('ws://' + address + '/'));
    ask(() => new EventSource(url));
    ask(() => navigator.sendBeacon(url, 'x'));
    for (const rel of ['preconnect', 'prefetch', 'preload', 'stylesheet', 'icon']) add('link', {rel, href: url, as: 'fetch'});
    for (const tag of ['iframe', 'script', 'video', 'embed']) add(tag, {src: url});
    ask(() => {
        const stun = {urls: 'stun:' + address};
        const turn = {urls: 'turn:' + address + '?transport=tcp', username: 'u', credential: 'c'};
        const peer = new RTCPeerConnection({iceServers: [stun, turn]});
        peer.createDataChannel('x');
        peer.createOffer().then(offer => peer.setLocalDescription(offer));
    });
    ask(() => new WebTransport('https://' + address + '/'));
    ask(() => new Worker(URL.createObjectURL(new Blob([`fetch('${url}', {mode: 'no-cors'})`]))));
}
"""
FILL = (
    "document.getElementById('root').innerHTML = '<h1>Solar</h1><p>solar energy from panels </p>'.repeat(30) + LINKS;"
)


def _shell(script: str) -> bytes:
    return (
        "<!doctype html><html><head><title>App</title></head><body><noscript>You need to enable JavaScript.</noscript>"
        f"<div id=root></div><script>{script}</script></body></html>"
    ).encode()


@scenario(
    "rendered pages: scripts that open sockets of all kinds to this machine, that spin, that ask for much",
    "scrapy_playwright",
    "chromium",
)
def rendering() -> Scene:
    web = Web()

    def build(port: int) -> None:
        links = "'" + "".join(f'<a href="/{number}">solar {number}</a> ' for number in range(1, 4)) + "'"
        fill = FILL.replace("LINKS", links)
        pages = {
            "/robots.txt": robots("User-agent: *\nDisallow: /api/secret\n"),
            "/0": answer(200, _shell(fill + WAYS.replace("PORT", str(port)).replace("OWN", own_address())), HTML),
            "/1": answer(
                200,
                _shell(fill + "for (let n = 0; n < 4; n++) fetch('/api/' + n); fetch('/api/secret').catch(() => {})"),
                HTML,
            ),
            "/2": answer(
                200,
                _shell(fill + f"window.open('http://127.0.0.1:{port}/'); location.href = 'http://127.0.0.1:{port}/'"),
                HTML,
            ),
            "/3": answer(200, _shell("for (;;) {}"), HTML),
            **{f"/api/{number}": answer(200, b"{}", ("Content-Type", "application/json")) for number in range(4)},
        }
        web.add("app.example", pages, HostRules(disallow=("/api/secret",)))

    build(9)
    seed, good = honest_host(web, 5, [f"http://app.example/{number}" for number in range(4)])
    settings = {"RETRY_TIMES": 0}
    return Scene(
        web,
        (seed,),
        4,
        good | {"http://app.example/0", "http://app.example/1"},
        arguments={"render": "auto"},
        settings=settings,
        sinks=build,
        seconds=240,
        more=lambda outcome: () if any("/api/" in entry.path for entry in outcome.asked) else ("no script was run",),
    )
