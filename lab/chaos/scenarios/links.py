"""Scenes of links: redirects of all kinds, URLs that hardly are any, credentials, ways into the network of whoever crawls."""

from __future__ import annotations

from collections.abc import Sequence

from lab.chaos.replies import HTML, answer, honest_host, page, raw, redirect
from lab.chaos.scenarios.answers import no_controls_in_the_log
from lab.chaos.scene import ODD, Scene, scenario
from lab.chaos.server import Behaviour, Site, Web

SECRET = "sesame-4711"
TARGETS = (
    *ODD["targets"],
    *(f"http://{label}.example/" for label in ("a" * 300, "a." * 199 + "a")),
    f"http://good.example/{'a' * 100_000}",
    "http://good.example/?" + "a=1&" * 5000,
)


@scenario("redirects in circles, without end, to things that are no pages, by header and by markup")
def redirects() -> Scene:
    web = Web()
    pages = {f"/{number}": redirect(target) for number, target in enumerate(TARGETS)}
    refresh = '<meta http-equiv="refresh" content="0; url={}">'
    pages |= {
        "/self": redirect("/self"),
        "/ping": redirect("/pong"),
        "/pong": redirect("/ping"),
        "/status-300": redirect("/end", 300),
        "/status-399": redirect("/end", 399),
        "/no-location": answer(302),
        "/two-locations": raw(
            b"HTTP/1.1 302 X\r\nLocation: /end\r\nLocation: /self\r\nContent-Length: 0\r\n\r\n", keep=True
        ),
        "/refresh-self": page("x", head=refresh.format("/refresh-self")),
        "/refresh-script": page("x", head=refresh.format("javascript:alert(1)")),
        "/refresh-huge": page("x", head=refresh.format("/" + "a" * 50_000)),
        "/refresh-header": page("x", headers=[("Refresh", "0; url=/refresh-header-2")]),
        "/refresh-late": page("x", head='<meta http-equiv="refresh" content="999999999999; url=/end">'),
        "/refresh-odd": page("x", head='<meta http-equiv="refresh" content="-1e999; url=/end">'),
        "/refresh-many": page("x", head=refresh.format("/end") * 5000),
        "/end": page("end"),
        **{f"/chain/{number}": redirect(f"/chain/{number + 1}", 301 + number % 2) for number in range(30)},
    }
    web.add("redirects.example", pages)
    hops = {f"/{number}": redirect(f"http://hop{(number + 1) % 7}.example/{number + 1}") for number in range(40)}
    for number in range(7):
        web.add(f"hop{number}.example", hops)
    starts = [path for path in pages if not path.startswith("/chain")]
    links = [f"http://redirects.example{path}" for path in [*starts, "/chain/0"]]
    seed, good = honest_host(web, 20, [*links, "http://hop0.example/0"])
    settings = {"RETRY_TIMES": 0}
    return Scene(
        web, (seed,), len(pages) + 1, good, delay=0.1, settings=settings, arguments={"scope.denied_hosts": "no.example"}
    )


@scenario("credentials in links, redirects and cookies are sent to nobody")
def credentials() -> Scene:
    web = Web()
    pages = {
        "/": page(
            "first",
            f"http://user:{SECRET}@other.example/a",
            "/redirect",
            "/relative",
            "https://other.example/tls",
            "/cookie",
            "/after-cookie",
        ),
        "/redirect": redirect(f"http://user:{SECRET}@other.example/b"),
        "/relative": redirect(f"//user:{SECRET}@secret.example/c"),
        "/cookie": page("cookie", headers=[("Set-Cookie", f"session={SECRET}; Path=/"), ("WWW-Authenticate", "Basic")]),
        "/after-cookie": page("after"),
        "/good": page("good"),
    }
    web.add("secret.example", pages | {"/c": page("c")})
    web.add(
        "other.example",
        {
            "/a": answer(401, b"who?", ("WWW-Authenticate", 'Basic realm="solar"')),
            "/b": page("b", "http://plain.example/"),
            "/tls": page("tls", "http://plain.example/", "http://plain.example/2"),
        },
    )
    web.add("plain.example", {"/": page("plain"), "/2": page("plain 2")})
    seed, good = honest_host(web, 4)
    return Scene(web, ("http://secret.example/", seed), 6, good, secrets=(SECRET,))


BASE = "http://odd.example"
LINKS = (
    *TARGETS,
    *ODD["urls"],
    *(f"{BASE}/{'a/' * depth}" for depth in (100, 1000)),
    *(f"{BASE}/{'../' * 500}x", f"{BASE}/\ud800", f"{BASE}/%25%32%35{'%25' * 300}", f"{BASE}/?{'a' * 1900}"),
    f"{BASE}/?" + "&".join(f"a{n}={n}" for n in range(150)),
    *("x" * 3000, "../" * 200 + "x", "?" * 1000, "#" * 1000),
    *(f"/{sign}" for sign in "<>\"'`{}|^~[]@!$&()*+,;=:"),
)


@scenario("links that are hardly URLs: odd schemes, hosts, ports, signs, lengths")
def odd_urls() -> Scene:
    web = Web()
    everything: Behaviour = page("odd")
    web.add("odd.example", everything)
    web.add("evil.example", everything)
    seed, good = honest_host(web, 20, ["http://odd.example/list", "http://odd.example/raw"])
    listed, raw = (
        page("list", *LINKS),
        answer(200, b"".join(b'<a href="%s">x</a>' % odd.encode("utf-8", "replace") for odd in LINKS), HTML),
    )
    odd = {"/list": listed, "/raw": raw, "/robots.txt": answer(404)}
    web.sites["odd.example"] = lambda path: odd.get(path, everything)
    return Scene(web, (seed,), len(LINKS), good, delay=0.05, settings={"RETRY_TIMES": 0}, more=no_controls_in_the_log)


PATH = "/latest/meta-data/solar"


@scenario("links and redirects of pages, of robots.txt and of markup to private addresses and odd ports")
def private_addresses(private: Sequence[str] = ODD["private"], ports: Sequence[int] = ODD["ports"]["odd"]) -> Scene:
    web = Web()

    def build(port: int) -> None:
        targets = [f"http://{address.replace('PORT', str(port))}{PATH}" for address in private]
        targets += [f"http://ports.example:{number}/" for number in ports]
        pages = {f"/{number}": redirect(target, 301 + number % 2) for number, target in enumerate(targets)}
        pages |= {
            f"/meta/{number}": page(f"meta {number}", head=f'<meta http-equiv="refresh" content="0; url={target}">')
            for number, target in enumerate(targets)
        }
        for number, target in enumerate(targets):
            host = f"robots{number}.example"
            web.add(host, {"/robots.txt": redirect(target), "/": page(f"behind robots.txt {number}")})
        web.add("astray.example", pages)
        web.add("ports.example", {"/": page("port")})
        behind = [f"http://robots{number}.example/" for number in range(len(targets))]
        first = [f"http://astray.example{path}" for path in pages]
        web.sites["good.example"] = _site([*targets, *first, *behind])

    build(9)  # so that the hosts are known; the port of the sinks comes later
    _, good = honest_host(Web(), 5, ["http://astray.example/0"])
    return Scene(
        web,
        ("http://good.example/",),
        4 * (len(private) + len(ports)),
        good,
        delay=0.05,
        settings={"RETRY_TIMES": 0, "DOWNLOAD_TIMEOUT": 3},
        sinks=build,
    )


def _site(links: list[str]) -> Site:
    web = Web()
    honest_host(web, 5, links)
    return web.sites["good.example"]
