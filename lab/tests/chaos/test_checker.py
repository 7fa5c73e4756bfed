"""The checker finds what is wrong in logs that were made up, and nothing in those that are right."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import lab.chaos.checker
from lab.chaos.checker import (
    EARLY,
    FORBIDDEN,
    OVERLAP,
    REACHED,
    RETRY_AFTER,
    SECRET,
    Entry,
    HostRules,
    Promise,
    check,
    is_private,
    line_of,
    read_log,
)

DELAY = Promise(delay=1.0)


def asked(start: float, path: str = "/", host: str = "a.example", took: float = 0.1, **more) -> Entry:
    values = {"connection": 1, "method": "GET", "scheme": "http", "port": 80, "status": 200} | more
    return Entry(start=start, host=host, path=path, end=start + took, **values)


def kinds(entries: list[Entry], promise: Promise = DELAY) -> list[str]:
    return [finding.kind for finding in check(entries, promise)]


def test_a_polite_log_is_right():
    assert kinds([asked(0, "/robots.txt"), asked(1.02, "/a"), asked(1.5, host="b.example"), asked(2.05, "/b")]) == []


def test_a_request_within_the_delay_is_early():
    assert kinds([asked(0), asked(0.8)]) == [EARLY]
    assert kinds([asked(0), asked(0.95)]) == []  # what a busy server notices late


def test_a_request_that_was_noticed_late_makes_the_next_no_early_one():
    assert kinds([asked(0.5, late=0.5), asked(1.1)]) == []
    assert kinds([asked(0.5, late=0.1), asked(1.1)]) == [EARLY]


def test_a_crawl_delay_holds_for_its_host_alone_and_may_be_cut():
    rules = {"a.example": HostRules(crawl_delay=3.0)}
    log = [asked(0), asked(2), asked(0, host="b.example"), asked(2, host="b.example")]
    assert kinds(log, Promise(delay=1.0, hosts=rules)) == [EARLY]
    assert kinds(log, Promise(delay=1.0, hosts=rules, longest_wait=1.5)) == []


def test_two_requests_under_way_overlap():
    log = [asked(0, took=5), asked(2, took=1), asked(3.5, took=5)]
    assert kinds(log) == [OVERLAP, OVERLAP]
    assert kinds(log, Promise(delay=1.0, at_once=2)) == []


def test_what_robots_txt_forbids_is_forbidden_however_it_is_written():
    promise = Promise(hosts={"a.example": HostRules(disallow=("/private",))})
    paths = ("/robots.txt", "/public", "/private/x", "/%70rivate/y")
    assert kinds([asked(n, path) for n, path in enumerate(paths)], promise) == [FORBIDDEN, FORBIDDEN]


def test_nothing_but_robots_txt_may_be_asked_of_a_host_whose_robots_txt_cannot_be_reached():
    promise = Promise(hosts={"a.example": HostRules(unreachable=True)})
    assert kinds([asked(0, "/robots.txt"), asked(9, "/robots.txt"), asked(20)], promise) == [FORBIDDEN]


def test_a_host_that_said_retry_after_is_left_alone_till_then():
    log = [asked(0, "/a", status=429, retry_after=5.0), asked(3, "/b"), asked(6, "/c")]
    assert kinds(log) == [RETRY_AFTER]
    assert kinds([log[0], log[2]]) == []
    assert kinds([log[0], asked(1, host="b.example")]) == []


@pytest.mark.parametrize(
    "more",
    [
        {"credentials": "user:word"},
        {"headers": {"cookie": "a=1"}},
        {"headers": {"authorization": "Basic eA=="}},
        {"headers": {"referer": "http://user:word@b.example/"}},
        {"headers": {"referer": "https://b.example/"}},
        {"path": "/?from=s3cret"},
    ],
)
def test_what_tells_a_secret_is_found(more):
    assert kinds([asked(0, **more)], Promise(secrets=("s3cret",))) == [SECRET]


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "a.localhost.",
        "printer.local",
        "metadata.google.internal",
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f.0.0.1",
        "0177.0.0.1",
        "0.0.0.0",
        "10.1.2.3",
        "169.254.169.254",
        "100.64.0.1",
        "224.0.0.1",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[fd00::1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
    ],
)
def test_private_addresses_are_known_however_they_are_written(host):
    assert is_private(host)
    assert REACHED in kinds([asked(0, host=host)])


def test_a_tunnel_is_no_request_of_its_own_but_must_not_lead_anywhere():
    tunnel = asked(0, method="CONNECT", port=443, took=9)
    assert kinds([tunnel, asked(0.1, port=443)]) == []
    assert kinds([asked(0, method="CONNECT", host="127.0.0.1")]) == [REACHED]


def test_a_log_is_read_as_it_was_written(tmp_path):
    log = [asked(2, credentials="u"), asked(1, headers={"cookie": "é"})]
    (tmp_path / "log").write_text("".join(map(line_of, log)))
    assert read_log(tmp_path / "log") == log[::-1]
    (tmp_path / "log").write_text("nothing")
    with pytest.raises(ValueError, match="line 1: no request"):
        read_log(tmp_path / "log")


def test_the_checker_does_not_know_the_product():
    tree = ast.parse(Path(lab.chaos.checker.__file__).read_text())
    names = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    names |= {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    assert {name.split(".")[0] for name in names} <= {
        *("__future__", "ipaddress", "collections", "dataclasses", "itertools", "urllib", "json", "pathlib")
    }
