"""A crawl that is killed and started again at once keeps its delays over the restart."""

from __future__ import annotations

from dataclasses import replace

from lab.chaos.replies import robots
from lab.chaos.scenarios.politeness import polite_web
from lab.chaos.scene import Scene, scenario

DELAY = 5.0  #: seconds


@scenario("kill -9 and an immediate restart, four times: delays hold over the restarts")
def restarts() -> Scene:
    web, seeds, good = polite_web()
    # A new process needs a second or two to begin: only a longer delay shows whether it is kept.
    rules = {host: replace(rules, crawl_delay=DELAY) for host, rules in web.rules.items() if host == "host0.example"}
    web.rules |= rules
    first = web.sites["host0.example"]
    told = robots(f"User-agent: *\nDisallow: /private\nCrawl-delay: {DELAY}\n")
    web.sites["host0.example"] = lambda path: told if path == "/robots.txt" else first(path)
    return Scene(web, seeds, 4, good, kills=(8, 5, 7, 9), delay=1.5, settings={"RETRY_TIMES": 1}, seconds=240)
