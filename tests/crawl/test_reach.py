"""Where a topic lets a crawl connect to."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from focused.crawl.scope import PORT, PRIVATE, Reach
from focused.topic.topic import Scope


def bars(port: int, scope: Scope, *seeds: str) -> str:
    return Reach(scope, seeds).bars_url(f"http://a.example:{port}/", "a.example")


@pytest.mark.parametrize("port", [80, 443, 8000, 8080, 8443, 8999])
def test_ports_of_the_web_are_asked(port) -> None:
    assert bars(port, Scope()) == ""


@pytest.mark.parametrize("port", [1, 21, 22, 25, 53, 110, 2375, 3306, 5432, 6379, 9000, 9200, 11211, 27017, 65535])
def test_ports_of_other_services_are_not(port) -> None:
    assert bars(port, Scope()) == PORT


def test_a_topic_may_name_ports_or_none_or_all_and_its_seeds_name_theirs() -> None:
    assert bars(3000, Scope(ports=("3000-3002",))) == bars(22, Scope(ports=())) == ""
    assert bars(80, Scope(ports=("3000-3002",))) == PORT
    assert bars(3000, Scope(), "http://b.example:3000/") == bars(3000, Scope(), "HTTPS://me:pw@b.example:3000") == ""
    assert bars(3001, Scope(), "http://b.example:3000/") == PORT


def test_a_number_stands_for_a_port() -> None:
    assert Scope.model_validate_json('{"ports": [80, "8000-8001"]}', strict=True).ports == ("80", "8000-8001")


@pytest.mark.parametrize(
    "ports", ["[0]", "[65536]", '["9-8"]', '["x"]', '["-1"]', "[true]", '["1-99999999999"]', '["１"]']
)
def test_what_is_no_port_is_refused(ports) -> None:
    with pytest.raises(ValidationError):
        Scope.model_validate_json(f'{{"ports": {ports}}}', strict=True)


def test_private_addresses_are_asked_if_the_topic_says_so() -> None:
    closed, opened = Reach(Scope()), Reach(Scope(allow_private=True))
    assert closed.bars_url("http://127.0.0.1/", "127.0.0.1") == PRIVATE
    assert closed.bars_address("10.0.0.1") == f"{PRIVATE}: 10.0.0.1"
    assert closed.bars_address("8.8.8.8") == ""
    assert opened.bars_url("http://127.0.0.1/", "127.0.0.1") == opened.bars_address("10.0.0.1") == ""
    assert opened.bars_url("http://127.0.0.1:22/", "127.0.0.1") == PORT
