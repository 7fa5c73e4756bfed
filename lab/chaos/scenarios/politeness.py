"""Scenes of politeness: hosts that are slow, dead or busy, that ask for delays, robots.txt of all kinds, kills and restarts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from functools import partial

from focused.strategies import get_strategy, names
from lab.chaos.checker import Entry, HostRules
from lab.chaos.replies import (
    answer,
    drip,
    hang,
    hang_up,
    honest_host,
    in_turn,
    late,
    page,
    raw,
    redirect,
    reset,
    robots,
)
from lab.chaos.scene import ODD, SCENARIOS, Scenario, Scene, scenario
from lab.chaos.server import Behaviour, Web, Wire

CHOOSY = ("info_spiders",)  #: leave pages out on purpose: agents die
HOSTS, PAGES = 4, 3
ROBOTS = "User-agent: *\nDisallow: /private\n"


def polite_web() -> tuple[Web, tuple[str, ...], frozenset[str]]:
    """Hosts that link to and redirect to each other; the first asks for a longer delay, the last answers slowly."""
    web, good = Web(), set[str]()
    for number in range(HOSTS):
        host, following = f"host{number}.example", f"http://host{(number + 1) % HOSTS}.example"
        pages = {
            f"/{place}": page(f"{host} page {place}", f"/{place + 1}", f"{following}/{place}") for place in range(PAGES)
        }
        pages["/0"] = page(f"{host} first", *pages, "/private/x", "/moved", "/broken", "/twice", following + "/0")
        pages["/twice"] = in_turn(answer(503), page(f"{host} twice"))
        pages["/moved"] = redirect(f"{following}/target")
        pages["/target"] = page(f"{host} target")
        good.update(f"http://{host}{path}" for path in pages if path != "/moved")
        pages["/broken"] = answer(500)
        delay = 0.6 if number == 0 else 0.0
        pages["/robots.txt"] = robots(ROBOTS + (f"Crawl-delay: {delay}\n" if delay else ""))
        if number == HOSTS - 1:
            pages = {path: late(0.5, behaviour) for path, behaviour in pages.items()}
        web.add(host, pages, HostRules(crawl_delay=delay, disallow=("/private",)))
    return web, ("http://host0.example/0", f"http://host{HOSTS - 1}.example/0"), frozenset(good)


def crawled_by(strategy: str) -> Scene:
    web, seeds, good = polite_web()
    if strategy in CHOOSY:
        good = frozenset(seeds)
    return Scene(web, seeds, 1, good, arguments={"strategy": strategy}, settings={"RETRY_TIMES": 1})


NEEDS = {"hcla": ("scipy",), "plsi_phits": ("scipy",), "pagerank": ("scipy",), "adaptive": ("wordllama",)}
for _name in (name for name in names() if not get_strategy(name).needs_model):
    SCENARIOS[f"strategy-{_name}"] = Scenario(
        f"strategy-{_name}",
        f"politeness of {_name}: redirects between hosts, retries, Crawl-delay, slow hosts",
        partial(crawled_by, _name),
        NEEDS.get(_name, ()),
    )


SECONDS = 2
LONGEST_TOLD = 5.0  #: seconds that the crawl obeys at most


def _busy(status: int, told: str) -> Behaviour:
    return answer(status, b"later", ("Retry-After", told))


def _until_a_date(status: int) -> Behaviour:
    """Tells the moment from which on it may be asked again; dates have whole seconds, so they tell a bit more."""

    async def behave(entry: Entry, wire: Wire) -> None:
        until = datetime.now(UTC) + timedelta(seconds=SECONDS + 1)
        await _busy(status, format_datetime(until, usegmt=True))(entry, wire)

    return behave


@scenario("429 and 503 with a Retry-After in seconds, as a date, or that cannot be read")
def throttling(odd: Sequence[str] = (*ODD["retry_after"], "9" * 400), honest_pages: int = 20) -> Scene:
    web, good = Web(), set[str]()
    kinds = {
        "many": _busy(429, str(SECONDS)),
        "busy": _busy(503, str(SECONDS)),
        "many-date": _until_a_date(429),
        "busy-date": _until_a_date(503),
        **{f"odd-{number}": _busy(429, told) for number, told in enumerate(odd)},
    }
    hosts = []
    for name, behaviour in kinds.items():
        host = f"http://{name}.example"
        pages = {f"/{number}": page(f"{name} page {number}") for number in range(3)}
        pages["/0"] = in_turn(behaviour, page(f"{name} at last", "/1", "/2"))
        pages["/2"] = in_turn(
            behaviour, behaviour, behaviour, page(f"{name} at last again")
        )  # more often than Scrapy tries again
        web.add(f"{name}.example", pages)
        hosts.append(f"{host}/0")
        if not name.startswith("odd"):
            good.update(f"{host}{path}" for path in pages)
        else:
            good.update((f"{host}/0", f"{host}/1"))
    seed, honest = honest_host(web, honest_pages, hosts)
    settings = {"RETRY_TIMES": 2, "FOCUSED_MAX_RETRY_AFTER": LONGEST_TOLD}
    return Scene(web, (seed,), len(kinds), honest | good, longest_wait=LONGEST_TOLD, settings=settings)


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


DEAD = 300


@scenario("a page with 300 links to hosts that hang up")
def dead_links(dead: int = DEAD, pages: int = 40) -> Scene:
    web = Web()
    hosts = [f"dead{number}.example" for number in range(dead)]
    for host in hosts:
        web.sites[host] = lambda _: hang_up
    seed, good = honest_host(web, pages, [f"http://{host}/solar" for host in hosts])
    return Scene(web, (seed,), dead, good, settings={"DOWNLOAD_TIMEOUT": 3, "RETRY_TIMES": 1})


@scenario("hosts that hang up, reset, or never answer, some of them as seeds")
def dead_seeds() -> Scene:
    web = Web()
    kinds = {"hang-up": hang_up, "reset": reset, "hang": hang}
    for name, behaviour in kinds.items():
        for number in range(5):
            web.sites[f"{name}{number}.example"] = lambda _, behaviour=behaviour: behaviour  # type: ignore[misc]
    dead = [f"http://{host}/" for host in web.sites]
    seed, good = honest_host(web, 20, dead[3:])
    settings = {"DOWNLOAD_TIMEOUT": 2, "RETRY_TIMES": 1}
    return Scene(web, (*dead[:3], seed), len(dead), good, settings=settings)


DELAY = (
    15.0  #: seconds that one host asks for: a process that is started anew needs less to begin, also on a busy machine
)


@scenario("kill -9 and an immediate restart, four times: delays hold over the restarts")
def restarts() -> Scene:
    web = Web()
    slow = "http://slow.example"
    pages = {f"/{number}": page(f"slow {number}") for number in range(2)}
    pages["/0"] = page("slow first", "/1")
    good = {f"{slow}{path}" for path in pages}
    pages["/robots.txt"] = robots(f"User-agent: *\nDisallow: /private\nCrawl-delay: {DELAY}\n")
    web.add("slow.example", pages, HostRules(crawl_delay=DELAY, disallow=("/private",)))
    seeds = [f"{slow}/0"]
    for number in range(3):
        name = f"host{number}"
        seed, own = honest_host(web, 14, [f"{slow}/1", f"{slow}/private/x", f"http://moved{number}.example/"], name)
        web.add(f"moved{number}.example", {"/": redirect(f"http://{name}.example/3")})
        seeds.append(seed)
        good |= own
    return Scene(
        web,
        tuple(seeds),
        4,
        frozenset(good),
        kills=(6, 6, 6, 6),
        arguments={"strategy": "breadth_first"},  # begins soonest
        settings={"RETRY_TIMES": 1},
        seconds=240,
    )
