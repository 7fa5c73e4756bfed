"""Names whose addresses are private, or become so: the crawl looks them up and connects by itself, without a proxy."""

from __future__ import annotations

from lab.chaos.name_server import Answers
from lab.chaos.namespace import OTHER, PRIVATE, PUBLIC
from lab.chaos.replies import page, redirect
from lab.chaos.scenarios.honest import honest_host
from lab.chaos.scene import Scene, scenario
from lab.chaos.server import Web

SPELLED = (
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f.1",
    "0",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[fd00::1]",
    "localhost",
    "x.localhost",
)


@scenario(
    "names that resolve to private addresses, to several, or to others each time; without a proxy", "unshare", "ip"
)
def private_names() -> Scene:
    web = Web()
    names: dict[str, Answers] = {
        f"private{number}.example": ((address,),) for number, address in enumerate(("127.0.0.1", "::1", *PRIVATE))
    }
    names |= {
        "both.example": ((PUBLIC, "127.0.0.1", "10.0.0.1"),),
        "rebind.example": ((OTHER,), ("127.0.0.1",)),  # another one each time
        "rebind-late.example": ((OTHER,), (OTHER,), ("169.254.169.254",)),
        "mapped.example": (("::ffff:127.0.0.1",),),
    }
    for host in names:
        web.add(host, page(host, "/2", "/3", "/4", "/5"))
    targets = [f"http://{host}/solar" for host in (*names, *SPELLED, *PRIVATE[:6])]
    web.add("astray.example", {f"/{number}": redirect(target) for number, target in enumerate(targets)})
    for number, target in enumerate(targets):
        web.add(f"robots{number}.example", {"/robots.txt": redirect(target), "/": page(f"behind {number}")})
    links = [f"http://astray.example/{number}" for number in range(len(targets))]
    links += [f"http://robots{number}.example/" for number in range(len(targets))]
    seed, good = honest_host(web, 5, [*targets, *links])
    answers = {host: names.get(host, ((PUBLIC,),)) for host in web.sites}
    settings = {"RETRY_TIMES": 0, "DNSCACHE_ENABLED": 0, "DOWNLOAD_TIMEOUT": 3}
    return Scene(web, (seed,), 3 * len(targets), good, delay=0.05, settings=settings, names=answers)
