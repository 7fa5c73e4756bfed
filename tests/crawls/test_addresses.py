"""Many names of one address are asked as if they were one host: a wildcard in the DNS gives nobody a hundred requests at once."""

from __future__ import annotations

import socket

import pytest

from tests.crawls.crawling import crawl, fetched
from tests.crawls.mock_web import MockWeb, are_apart, page, redirect, serving
from tests.crawls.names import ADDRESS

NAMES = 20


def web_of(latency: float = 0.1) -> MockWeb:
    with socket.create_server((ADDRESS, 0)) as free:
        port = free.getsockname()[1]
    names = [f"w{number}.example" for number in range(NAMES)]
    links = [f"http://{name}:{port}/" for name in names]
    answers = {"http://seed.example/": page("solar energy", *links)}
    answers |= {f"http://{name}/": page(f"solar {name}") for name in names}
    answers["http://w0.example/"] = redirect(f"http://elsewhere.example:{port}/")
    answers["http://elsewhere.example/"] = page("solar elsewhere")
    return MockWeb(answers, latency=latency, port=port, address=ADDRESS)


def crawled(folder, *settings: str) -> MockWeb:
    with serving(web_of()) as web:
        options = ("DNS_RESOLVER=tests.crawls.names.Resolver", "ROBOTSTXT_OBEY=0", *settings)
        ended = crawl(0, folder, [f"http://seed.example:{web.port}/"], settings=options, scope__allow_private="true")
        assert ended.code == 0, ended.log
    assert len(fetched(folder)) == NAMES + 1
    return web


def test_names_of_one_address_are_asked_one_at_a_time(tmp_path):
    assert crawled(tmp_path).most_together == 1


def test_the_delay_lies_between_requests_to_any_two_of_them(tmp_path):
    web = crawled(tmp_path, "DOWNLOAD_DELAY=0.25")
    assert are_apart([asked.time for asked in web.asked], 0.25)


@pytest.mark.parametrize("settings", [["FOCUSED_POLITE_TO_ADDRESSES=0"]])
def test_who_does_not_want_it_turns_it_off(tmp_path, settings):
    assert crawled(tmp_path, *settings).most_together > 5
