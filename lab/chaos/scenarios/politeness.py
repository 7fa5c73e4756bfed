"""Every strategy on a small honest Web whose hosts are slow, redirect to each other, fail now and then, and ask for delays."""

from __future__ import annotations

from functools import partial

from focused.strategies import get_strategy, names
from lab.chaos.checker import HostRules
from lab.chaos.replies import answer, in_turn, late, page, redirect, robots
from lab.chaos.scene import SCENARIOS, Scenario, Scene
from lab.chaos.server import Web
from lab.chaos.small_model import NAME, save_small_model

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
    scene = Scene(web, seeds, 1, good, arguments={"strategy": strategy}, settings={"RETRY_TIMES": 1})
    if get_strategy(strategy).needs_model:
        scene.arguments = {**scene.arguments, "strategy.model": NAME}
        scene.prepare = partial(save_small_model, strategy)
    return scene


NEEDS = {"hcla": "scipy", "plsi_phits": "scipy", "pagerank": "scipy", "adaptive": "wordllama"}
for _name in names():
    needs = "sklearn" if get_strategy(_name).needs_model else NEEDS.get(_name)
    SCENARIOS[f"strategy-{_name}"] = Scenario(
        f"strategy-{_name}",
        f"politeness of {_name}: redirects between hosts, retries, Crawl-delay, slow hosts",
        partial(crawled_by, _name),
        (needs,) if needs else (),
    )
