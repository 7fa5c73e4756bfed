"""What a robots.txt says of the use of pages, to our own group, however oddly it is written."""

import pytest

from focused.live.robots.content_signals import missing_signal, signals_of
from focused.live.robots.own_rules import own_rules
from focused.topic.topic import Scope


@pytest.mark.parametrize(
    ("lines", "signals"),
    [
        ("User-agent: *\nContent-Signal: search=yes, ai-train=no\nAllow: /", "ai-train=no, search=yes"),
        ("User-agent: *\nCONTENT-SIGNAL : AI-Train = NO  # why", "ai-train=no"),
        ("User-agent: *\nContent-Signal: search=yes\nContent-Signal: ai-input=no", "ai-input=no, search=yes"),
        ("User-agent: *\nContent-Signal: search=yes,search=no,search=yes", "search=no"),
        ("User-agent: *\nContent-Signal: ai_train=no, search, =, tea=yes, ai-input=maybe,,", ""),
        ("Content-Signal: search=no\nUser-agent: *\nAllow: /", ""),
        ("User-agent: mybot\nAllow: /\n\nUser-agent: *\nContent-Signal: search=no", ""),
        ("User-agent: other\nContent-Signal: search=no\n\nUser-agent: mybot\nContent-Signal: search=yes", "search=yes"),
        ("User-agent: *\nAllow: /", ""),
        ("", ""),
    ],
)
def test_the_signals_of_our_group_count(lines: str, signals: str) -> None:
    assert signals_of(own_rules(lines.encode(), "mybot/1.0")) == signals


def test_a_signal_is_no_rule_for_paths() -> None:
    from scrapy.robotstxt import ProtegoRobotParser

    rules = own_rules(b"User-agent: *\nContent-Signal: search=yes\nDisallow: /private", "mybot")
    parser = ProtegoRobotParser(rules.encode(), None)
    assert parser.allowed("http://a.example/", "mybot")
    assert not parser.allowed("http://a.example/private", "mybot")


def test_ten_thousand_signals_are_read_once() -> None:
    body = b"User-agent: *\n" + b"Content-Signal: search=yes\n" * 10_000 + b"Content-Signal: search=no\n"
    assert signals_of(own_rules(body, "mybot")) == "search=no"


@pytest.mark.parametrize(
    ("signals", "demanded", "unrefused"),
    [
        ("ai-train=yes, search=no", "", ""),
        ("search=yes", "ai-train is not granted", ""),
        ("ai-train=no", "ai-train is not granted", "ai-train is refused"),
        ("", "ai-train is not granted", ""),
        (None, "ai-train is not granted", ""),
    ],
)
def test_a_topic_demands_a_use_or_that_it_is_not_refused(signals: str | None, demanded: str, unrefused: str) -> None:
    assert missing_signal(Scope(signals=("ai-train",)), signals) == demanded
    assert missing_signal(Scope(refusals=("ai-train",)), signals) == unrefused
    assert missing_signal(Scope(), signals) == ""
