"""robots.txt of all kinds: what cannot be reached forbids, what is not there allows, what is hostile costs nothing."""

from __future__ import annotations

from collections.abc import Iterable

from lab.chaos.checker import HostRules
from lab.chaos.replies import answer, drip, hang, hang_up, page, raw, redirect, reset, robots
from lab.chaos.scene import Scene, scenario
from lab.chaos.server import Behaviour, Web

STAR = "User-agent: *\n"
PLAIN = ("Content-Type", "text/plain")
OPEN, CLOSED = True, False
LONGEST = 1.0  #: seconds; FOCUSED_MAX_CRAWL_DELAY of the scene

#: What robots.txt is, and whether the pages of its host may be asked for.
KINDS: dict[str, tuple[Behaviour, bool]] = {
    "missing": (answer(404, b"<html>not here</html>"), OPEN),
    "gone": (answer(410), OPEN),
    "forbidden": (answer(403), OPEN),
    "who": (answer(401, b"", ("WWW-Authenticate", "Basic")), OPEN),
    "empty": (robots(""), OPEN),
    "error": (answer(500), CLOSED),
    "busy": (answer(503), CLOSED),
    "gateway": (answer(502), CLOSED),
    "many": (answer(429, b"", ("Retry-After", "1")), CLOSED),
    "hang": (hang, CLOSED),
    "hang-up": (hang_up, CLOSED),
    "reset": (reset, CLOSED),
    "slow": (drip(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n", b"#", 0.2), CLOSED),
    "no-http": (raw(b"\0\1\2\3"), CLOSED),
    "all": (robots(STAR + "Disallow: /"), CLOSED),
    "bom": (robots(b"\xef\xbb\xbfUser-agent: *\nDisallow: /"), CLOSED),
    "carriage": (robots(b"User-agent: *\rDisallow: /\r"), CLOSED),
    "upper": (robots("USER-AGENT: *\nDISALLOW: /"), CLOSED),
    "spaces": (robots("  user-agent :  *  \n  disallow :  /  # all"), CLOSED),
    "html": (answer(200, b"<html><body>" + b"<p>Disallow: none</p>\n" * 5000, ("Content-Type", "text/html")), OPEN),
    "binary": (answer(200, bytes(range(256)) * 4000, PLAIN), OPEN),
    "zeros": (answer(200, b"\0" * 500_000, PLAIN), OPEN),
    "million-rules": (robots(STAR + "".join(f"Disallow: /no/{n}\n" for n in range(250_000))), OPEN),
    "million-agents": (robots("".join(f"User-agent: robot{n}\nDisallow: /{n}\n" for n in range(120_000))), OPEN),
    "one-line": (robots(STAR + "Disallow: /" + "a" * 4_900_000), OPEN),
    "stars": (robots(STAR + "Disallow: /*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b\n" * 2000), OPEN),
    "delay-nan": (robots(STAR + "Crawl-delay: nan"), OPEN),
    "delay-infinite": (robots(STAR + "Crawl-delay: inf"), OPEN),
    "delay-negative": (robots(STAR + "Crawl-delay: -5"), OPEN),
    "delay-huge": (robots(STAR + "Crawl-delay: 1e308"), OPEN),
    "delay-word": (robots(STAR + "Crawl-delay: often"), OPEN),
    "hop": (redirect("http://missing.example/robots.txt"), OPEN),
    "loop": (redirect("/robots.txt"), CLOSED),
    "elsewhere": (redirect("ftp://files.example/robots.txt"), CLOSED),
}


@scenario("robots.txt that fails, hangs, is huge, lies about itself or leads elsewhere")
def robots_files(kinds: Iterable[str] = KINDS) -> Scene:
    web, seeds, good = Web(), list[str](), set[str]()
    for name in kinds:
        behaviour, is_open = KINDS[name]
        host = f"{name}.example"
        path = "/" + "a" * 60
        urls = [f"http://{host}/solar", f"http://{host}{path}"]
        web.add(host, {"/robots.txt": behaviour, "/solar": page(name, path), path: page(f"{name} more")})
        web.rules[host] = HostRules(unreachable=not is_open, crawl_delay=LONGEST if name == "delay-huge" else 0.0)
        seeds.append(urls[0])
        good.update(urls if is_open else ())
    good -= {f"http://stars.example{path}"}  # a crawl may take so many wildcards for fewer, which bars it
    web.add(
        "rules.example",
        {
            "/robots.txt": robots(
                f"{STAR}Disallow: /private\nDisallow: /*.pdf$\nAllow: /private/open\nCrawl-delay: 0.6\n"
            ),
            "/": page(
                "rules",
                "/private",
                "/private/x",
                "/%70rivate/y",
                "/private/open",
                "/file.pdf",
                "/public",
                "//rules.example./z",
            ),
            "/private/open": page("open"),
            "/public": page("public"),
        },
        HostRules(crawl_delay=0.6, disallow=("/private/x", "/private/y", "/file.pdf")),
    )
    seeds.append("http://rules.example/")
    good |= {"http://rules.example/", "http://rules.example/private/open", "http://rules.example/public"}
    settings = {
        "RETRY_TIMES": 1,
        "DOWNLOAD_TIMEOUT": 2,
        "FOCUSED_MAX_CRAWL_DELAY": LONGEST,
        "DOWNLOAD_MAXSIZE": 10_000_000,
    }
    return Scene(web, tuple(seeds), len(seeds), frozenset(good), settings=settings, longest_wait=LONGEST, seconds=240)
