"""A crawl that is killed and started again at once keeps its delays over the restart."""

from __future__ import annotations

from lab.chaos.checker import HostRules
from lab.chaos.replies import page, redirect, robots
from lab.chaos.scenarios.honest import honest_host
from lab.chaos.scene import Scene, scenario
from lab.chaos.server import Web

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
