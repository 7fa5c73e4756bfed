"""The core, the scheduler and Scrapy's downloader mean the same host, also where it is an IPv6 address."""

from __future__ import annotations

import pytest
from scrapy import Request
from scrapy.utils.httpobj import urlparse_cached

from focused.live.responses import host_of_request
from focused.live.scrapy_engine import slot_of
from focused.page.urls import host_of


@pytest.mark.parametrize("url", ["http://[::1]:8000/page", "http://a.example/", "http://127.0.0.1:80/"])
def test_a_host_has_one_name_in_the_core_and_its_slot_in_scrapy(url: str) -> None:
    request = Request(url)
    assert host_of_request(request) == host_of(url)
    assert slot_of(host_of_request(request)) == urlparse_cached(request).hostname


def test_a_dot_at_the_end_makes_no_other_host() -> None:
    assert host_of_request(Request("http://a.example./page")) == "a.example"
