"""Hosts that are dead: a page full of links to them is no outage of the network."""

from __future__ import annotations

from lab.chaos.replies import hang, hang_up, reset
from lab.chaos.scenarios.honest import honest_host
from lab.chaos.scene import Scene, scenario
from lab.chaos.server import Web

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
