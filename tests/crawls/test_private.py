"""Nobody is let in: no page, redirect, robots.txt or answer of the DNS leads a crawl into a private network."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from focused.simulation.recorded_web import Answer
from tests.crawls.crawling import crawl, end, failures, fetched, rows, scrapy
from tests.crawls.mock_web import MockWeb, page, redirect, serving

METADATA = "http://169.254.169.254/latest/meta-data"
SITE = "http://site.example"
INTRANET = "http://intranet.corp.example"
NAMES = "tests.crawls.scripted_names.ScriptedNames"


@contextmanager
def sink() -> Iterator[socket.socket]:
    """A socket of this machine that nobody must connect to."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setblocking(False)
        yield listening


def port_of(listening: socket.socket) -> int:
    return int(listening.getsockname()[1])


def visits(listening: socket.socket) -> int:
    """How many have connected."""
    count = 0
    while True:
        try:
            listening.accept()[0].close()
        except BlockingIOError:
            return count
        count += 1


def resolving(names: dict[str, str]) -> dict[str, object]:
    """Options of a crawl that has no proxy, and knows these names alone."""
    known = " ".join(f"{name}={address}" for name, address in names.items())
    return {"settings": [f"DNS_RESOLVER={NAMES}"], "popen": {"env": {"NAMES": known}}}


def test_links_into_private_networks_are_dropped_and_redirects_into_them_fail(tmp_path) -> None:
    refresh = f'<meta http-equiv="refresh" content="0;url={METADATA}">'
    links = ("http://127.0.0.1/", "http://2130706433/", "http://[::ffff:10.0.0.1]/", "http://printer.local/", METADATA)
    other = ("http://other.example:22/", "http://other.example:6379/", "http://other.example:8080/")
    web = MockWeb(
        {
            f"{SITE}/": page("solar", *links, *other, f"{SITE}/moved", f"{SITE}/refresh"),
            f"{SITE}/moved": redirect(METADATA, 302),
            f"{SITE}/refresh": Answer(200, (("Content-Type", "text/html"),), refresh.encode()),
            "http://other.example:8080/": page("solar"),
            METADATA: page("keys of the cloud"),
        }
    )
    with serving(web):
        assert crawl(web, tmp_path, [f"{SITE}/"]).code == 0
    assert sorted(fetched(tmp_path)) == ["http://other.example:8080/", f"{SITE}/"]
    why = "redirects out of scope: private address"
    assert failures(tmp_path) == {f"{SITE}/moved": why, f"{SITE}/refresh": why}
    assert dict(rows(tmp_path, "SELECT reason, count(*) FROM dropped GROUP BY reason")) == {
        "private address": 4,  # two of them are one
        "port not allowed": 2,
    }
    assert {asked.host for asked in web.asked} == {"site.example", "other.example"}


def test_a_robots_txt_that_redirects_into_a_private_network_is_asked_for_once_and_not_read_there(tmp_path) -> None:
    web = MockWeb({f"{SITE}/robots.txt": redirect("http://127.0.0.1/robots.txt", 302), f"{SITE}/": page("solar")})
    seeds = [f"{SITE}/", f"{SITE}/other"]
    with serving(web):
        ended = crawl(web, tmp_path, seeds)
    assert [asked.url for asked in web.asked] == [f"{SITE}/robots.txt"]
    assert failures(tmp_path) == dict.fromkeys(seeds, "robots.txt unreachable: redirects to private address")
    assert ended.plain


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_name_that_resolves_to_a_private_address_is_not_connected_to(tmp_path, scheme) -> None:
    with sink() as listening:
        seed = f"{scheme}://site.example:{port_of(listening)}/"
        ended = crawl(0, tmp_path, [seed], **resolving({"site.example": "127.0.0.1"}))
        assert visits(listening) == 0
    assert failures(tmp_path) == {seed: "private address: 127.0.0.1"}
    assert ended.plain
    assert "allow_private" in ended.log


def test_the_topic_may_allow_it(tmp_path) -> None:
    web = MockWeb({})
    with serving(web):
        seed, named = (f"http://{host}:{web.port}/" for host in ("site.example", "127.0.0.1"))
        answer = page("solar", named)
        web.answers = {"http://site.example/": answer, "http://127.0.0.1/": answer}  # it is told no port
        web.hosts = {"site.example", "127.0.0.1"}
        options = resolving({"site.example": "127.0.0.1", "127.0.0.1": "127.0.0.1"})
        crawl(0, tmp_path, [seed], scope__allow_private="true", **options)
    assert web.pages_asked() == ["http://site.example/", "http://127.0.0.1/"]
    assert not failures(tmp_path)


def test_a_proxy_of_this_machine_may_be_used_and_is_not_asked_for_private_addresses(tmp_path) -> None:
    web = MockWeb({f"{INTRANET}/": page("solar", "http://intranet/", "http://localhost/", "http://10.1.2.3/")})
    with serving(web):
        crawl(web, tmp_path, [f"{INTRANET}/"])
    assert fetched(tmp_path) == [f"{INTRANET}/"]
    assert {asked.host for asked in web.asked} == {"intranet.corp.example"}


@pytest.mark.parametrize("seed", ["http://127.0.0.1:8000/", "http://localhost/", "http://[::1]/", "http://0x7f.1/"])
def test_a_seed_that_is_private_by_itself_is_told_before_anything_is_fetched(seed) -> None:
    arguments = ("-a", "keywords=solar", "-a", f"seeds={seed}", "-a", "name=test")
    ended = end(scrapy("crawl", "topical", *arguments))
    assert ended.code != 0
    assert ended.plain
    (line,) = [line for line in ended.log.splitlines() if "allow_private" in line]
    assert seed in line


@pytest.mark.parametrize("command", [("parse", "--spider", "topical"), ("parse",)])
@pytest.mark.parametrize(
    ("url", "what", "setting"),
    [
        ("http://127.0.0.1:8000/", "private address", "-a scope.allow_private=true"),
        ("http://site.example:8000/", "private address: 127.0.0.1", "-a scope.allow_private=true"),
        ("http://site.example:22/", "port not allowed", "-a scope.ports=PORT"),
    ],
)
def test_who_looks_at_one_page_is_told_in_one_line_what_bars_it_and_which_setting_does_not(
    command, url, what, setting
) -> None:
    names = resolving({"site.example": "127.0.0.1"})
    options = [word for setting in names["settings"] for word in ("-s", setting)]
    ended = end(scrapy(command[0], url, *command[1:], "-a", "keywords=solar", *options, **names["popen"]))
    assert (ended.code, ended.plain) == (1, True)
    (line,) = [line for line in ended.log.splitlines() if line.startswith(f"scrapy {command[0]}: ")]
    assert f" {url}: " in line
    assert f"{what}; if you mean it" in line
    assert setting in line
