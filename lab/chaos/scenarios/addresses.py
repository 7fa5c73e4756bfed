"""Ways into the network of whoever crawls: links, redirects, robots.txt and markup that lead to private addresses and odd ports."""

from __future__ import annotations

from collections.abc import Sequence

from lab.chaos.replies import page, redirect
from lab.chaos.scenarios.honest import honest_host
from lab.chaos.scene import Scene, scenario
from lab.chaos.server import Site, Web

#: How private addresses are written; PORT is that of the sinks.
PRIVATE = (
    *(
        "127.0.0.1:PORT",
        "localhost:PORT",
        "[::1]:PORT",
        "127.1:PORT",
        "2130706433:PORT",
        "0x7f000001:PORT",
        "0177.0.0.1:PORT",
    ),
    *("0.0.0.0:PORT", "0:PORT", "[::]:PORT", "[::ffff:127.0.0.1]:PORT", "[::ffff:7f00:1]:PORT", "127.0.0.1.:PORT"),
    *(
        "LOCALHOST.:PORT",
        "a.localhost:PORT",
        "127.255.255.254:PORT",
        "\u2460\u2461\u2466.0.0.1:PORT",
        "user:x@127.0.0.1:PORT",
    ),
    *("127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "198.18.0.1", "224.0.0.1"),
    *(
        "255.255.255.255",
        "[fe80::1]",
        "[fd00::1]",
        "[ff02::1]",
        "[fe80::1%25lo]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
    ),
    *("metadata.google.internal", "router.local", "printer.localhost", "240.0.0.1", "0.1.2.3"),
)
PORTS = (1, 7, 22, 23, 25, 53, 110, 143, 445, 465, 587, 993, 3306, 5432, 6000, 6379, 6667, 9200, 11211, 27017)
PATH = "/latest/meta-data/solar"


@scenario("links and redirects of pages, of robots.txt and of markup to private addresses and odd ports")
def private_addresses(private: Sequence[str] = PRIVATE, ports: Sequence[int] = PORTS) -> Scene:
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
