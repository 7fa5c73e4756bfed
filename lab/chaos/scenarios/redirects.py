"""Redirects of all kinds: in circles, without end, to what is no page, with credentials."""

from __future__ import annotations

from lab.chaos.replies import answer, page, raw, redirect
from lab.chaos.scenarios.honest import honest_host
from lab.chaos.scene import Scene, scenario
from lab.chaos.server import Web

SECRET = "sesame-4711"
TARGETS = (
    *("", " ", "#", "?", "/", "//", "///", "http:", "http://", "http:///", "http://[", "http://[::1", "http://]"),
    *(
        "http://:80/",
        "http://good.example:0/",
        "http://good.example:99999/",
        "http://good.example:-1/",
        "http://good.example:x/",
    ),
    *("ftp://good.example/", "file:///etc/passwd", "javascript:alert(1)", "data:text/html,solar", "mailto:a@b.example"),
    *(
        "about:blank",
        "view-source:http://good.example/",
        "blob:http://good.example/1",
        "chrome://settings",
        "ws://good.example/",
    ),
    *(
        "gopher://good.example:70/1",
        "HTTP://GOOD.EXAMPLE./",
        "http://good.example\\@evil.example/",
        "\\\\evil.example\\x",
    ),
    *("http://good.example/%", "http://good.example/%zz", "http://good.example/%00", "http://good.example/\x01\x02"),
    *(
        "http://g\u00f6\u00f6d.example/",
        "http://xn--.example/",
        "http://xn--zzzzzzzz.example/",
        f"http://{'a' * 300}.example/",
    ),
    *(f"http://{'a.' * 200}example/", f"http://good.example/{'a' * 100_000}", "http://good.example/?" + "a=1&" * 5000),
    *(
        "http://1.2.3.4.5/",
        "http://999.1.1.1/",
        "http://good..example/",
        "http://.example/",
        "http://-.example/",
        "http://_/",
    ),
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
