"""What a robots.txt says to us, whatever else is in it, and in how little time."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from protego import Protego

from focused.live.robots.own_rules import LONGEST_READ, MOST_DIRECTORIES, MOST_RULES, own_rules, product_token

ROBOT = "focused/0.2 (topical crawler; mail me@bot.example)"
EVERY = "User-agent: *\n"
CPU = 4.0  #: seconds; measured: up to .16, and 1.1 on a slow machine. Without limits some of these take minutes, and gigabytes


def rules(*lines: str) -> list[str]:
    return own_rules("\n".join(lines).encode(), ROBOT).splitlines()[1:]


def test_the_groups_of_our_name_hold_together_and_those_for_all_do_not():
    assert rules(
        *("User-agent: *", "Disallow: /all", "", "user-agent: FOCUSED", "Disallow: /one"),
        *("User-agent: other", "User-agent: focused", "Disallow: /two", "User-agent: other", "Disallow: /three"),
    ) == ["disallow: /one", "disallow: /two"]


def test_the_rules_for_all_hold_where_nobody_speaks_to_us():
    assert rules("User-agent: other", "Disallow: /", "User-agent: *", "Disallow: /a # why", "Crawl-delay: 3") == [
        "disallow: /a",
        "crawl-delay: 3",
    ]
    assert rules("User-agent: other", "Disallow: /") == []


@pytest.mark.parametrize(
    ("name", "is_ours"),
    [
        *(
            (name, True)
            for name in ("focused", "FOCUSED", "focused/1.0", "Focused Crawler", "focused*", "**", "* (all)")
        ),
        *(
            (name, True)
            for name in ("focused, other", "focused;", '"focused"', "Mozilla/5.0 (compatible; focused/1.0)")
        ),
        *((name, False) for name in ("crawler", "foc", "foc*", "focused-news", "bot", "mail", "me", "bot.example", "")),
    ],
)
def test_our_product_token_names_us_whole(name, is_ours):
    """RFC 9309, section 2.2.1."""
    assert bool(rules(f"User-agent: {name}", "Disallow: /")) == is_ours


def test_a_word_of_our_contact_address_displaces_no_group():
    body = b"User-agent: bug\nAllow: /\n\nUser-agent: net\nAllow: /\n\nUser-agent: *\nDisallow: /p\n"
    assert own_rules(body, "bugbot/2.0 (+mailto:me@bug-mail.net)").splitlines()[1:] == ["disallow: /p"]


@pytest.mark.parametrize(
    ("user_agent", "token"),
    [
        ("focused/0.2 (topical crawler; mail me@bot.example)", "focused"),
        ("My-Bot", "my-bot"),
        ("Foo Bar/2.1", "foo"),
        ("Mozilla/5.0 (compatible; mybot/1.0; +https://mybot.example/about)", "mybot"),
        (
            "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; my_bot/2; +http://a.example) Safari/3",
            "my_bot",
        ),
        ("Mozilla/5.0", "mozilla"),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:109.0) Gecko/20100101 Firefox/115.0", "mozilla"),
        (
            "Mozilla/5.0 (Linux; Android 6; Nexus Build/M) Chrome/1 Mobile Safari/5 (compatible; mybot/2; +http://a)",
            "mybot",
        ),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X) Version/13 Safari/605 (mybot/0.1; +http://a.example/1)", "mybot"),
        ("Mozilla/5.0 (compatible; +http://bot.example/about)", "mozilla"),
        ("mybot,other", "mybot"),
        ("mybot\t1", "mybot"),
        ("", ""),
    ],
)
def test_a_robot_is_called_as_its_user_agent_begins_or_behind_that_of_a_browser(user_agent, token):
    assert product_token(user_agent) == token


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        *(
            ("2", "2"),
            ("2 seconds", "2"),
            ("5s", "5"),
            ("1,5", "1.5"),
            (".5", "0.5"),
            ("2 minutes", "120"),
            ("500ms", "0.5"),
            ("2 hours", "7200"),
            ("1e9", "1e+09"),
        ),
        *((said, None) for said in ("often", "-5", "nan", "inf", "", "1e999", "s5")),
    ],
)
def test_a_delay_is_a_number_of_seconds_however_it_is_written(said, seconds):
    assert rules("User-agent: *", f"Crawl-delay: {said}") == ([f"crawl-delay: {seconds}"] if seconds else [])


def test_of_several_delays_of_ours_the_longest_holds():
    assert rules(
        "User-agent: focused",
        "Crawl-delay: 9",
        "User-agent: b",
        "Crawl-delay: 99",
        "User-agent: Focused",
        "Crawl-delay: 1",
    ) == ["crawl-delay: 9"]


@pytest.mark.parametrize("user_agent", ["", "()"])
def test_a_robot_without_a_name_is_one_of_all(user_agent):
    body = b"User-agent:\nDisallow: /a\n\nUser-agent: *\nDisallow: /b\n"
    assert own_rules(body, user_agent).splitlines()[1:] == ["disallow: /b"]


def test_lines_of_other_things_belong_to_no_group():
    assert rules("User-agent: *", "Sitemap: /x", "User-agent: b", "Host: x", "Disallow: /a") == ["disallow: /a"]


def test_what_is_misspelt_is_understood_as_protego_does():
    assert rules("useragent *", "dissallow /a", "ALLOW:/b", "allowance: /c") == ["disallow: /a", "allow: /b"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_encodings_and_ends_of_lines_do_not_matter(encoding, end):
    text = end.join(["User-agent: *", "Disallow: /a", "Disallow: /b"])
    assert own_rules(text.encode(encoding), ROBOT).splitlines()[1:] == ["disallow: /a", "disallow: /b"]


def test_half_a_line_at_the_limit_does_not_count():
    end = b"\nDisallow: /a\nAllow: /a/b/c"
    body = EVERY.encode() + b"#" * (LONGEST_READ - len(EVERY) - len(end) + 3) + end + b"\n"
    assert own_rules(body, ROBOT).splitlines()[1:] == ["disallow: /a"]


PATHS = [
    "/" + "a" * 3000 + "$",
    "/" + "*a" * 40 + "b",
    "/x" * 1000 + "%41%4",
    "*" * 5000 + "/a$",
    "$" * 3000,
    "/" + "%C3%A9" * 600,
]


@pytest.mark.parametrize("path", PATHS)
def test_a_path_that_is_too_much_bars_more_and_allows_nothing(path):
    (line,) = rules("User-agent: *", f"Disallow: {path}")
    assert len(line) <= 2100
    assert line.count("*") <= 16
    for url in ("/" + "a" * 3000, "/" + "a" * 50 + "b", "/x" * 1000 + "A", "/a", "/" + "%C3%A9" * 600):
        barred = not Protego.parse(f"{EVERY}Disallow: {path}").can_fetch(url, ROBOT)
        assert not (barred and Protego.parse(EVERY + line).can_fetch(url, ROBOT)), url


def test_what_is_too_much_to_allow_is_not_allowed():
    assert rules("User-agent: *", f"Allow: /{'*a' * 40}", "Disallow: /") == ["disallow: /"]


def test_more_rules_than_anybody_needs_bar_all():
    lines = rules("User-agent: *", *(f"Disallow: /{n}" for n in range(MOST_RULES + 5)))
    assert len(lines) == MOST_RULES + 1
    assert lines[-1] == "disallow: /"


def test_more_rules_than_anybody_needs_bar_their_directories_and_what_was_allowed_in_these():
    first = [f"Allow: /no/{n}" for n in range(5)] + [f"Allow: /yes/{n}" for n in range(5)]
    lines = rules("User-agent: *", *first, *(f"Disallow: /no/{n}/x" for n in range(MOST_RULES)))
    assert lines[-1] == "disallow: /no/"
    assert not any(line.startswith("allow: /no/") for line in lines)
    assert sum(line.startswith("allow: /yes/") for line in lines) == 5


def test_rules_for_more_directories_than_anybody_has_bar_all():
    lines = rules("User-agent: *", *(f"Disallow: /{n}/x" for n in range(MOST_RULES + MOST_DIRECTORIES + 1)))
    assert lines[-1] == "disallow: /"


def repeated(line: str) -> Callable[[], str]:
    """100,000 lines for all robots, each with another number."""
    return lambda: EVERY + "".join(line.format(f"{n:x}") for n in range(100_000))


WORST: dict[str, Callable[[], str]] = {
    "rules": repeated("allow:/{}\n"),
    "escapes": repeated("disallow:/%41%42{}\n"),
    "dollars": repeated("disallow:$$$%{}\n"),
    "indexes": repeated("allow:/{}/index.html\n"),
    "a wildcard each": repeated("disallow:/*a{}\n"),
    "many wildcards": repeated("disallow:/*ab*ab*ab*ab*ab*ab*ab*ab*{}\n"),
    "one long pattern": lambda: f"{EVERY}Disallow: /{'*a' * 240_000}b\n",
    "stars": lambda: f"{EVERY}Disallow: /{'*' * 500_000}b\n",
    "robots": lambda: "".join(f"user-agent:{n:x}\n" for n in range(100_000)),
    "robots times rules": lambda: (
        "".join(f"user-agent:{n:x}\n" for n in range(16_000)) + repeated("allow:/{}\n")()[14:]
    ),
    "our names times rules": lambda: "user-agent:f\nuser-agent:*\n" * 9_000 + repeated("allow:/{}\n")(),
    "groups": lambda: "".join(f"user-agent:*\nallow:/{n:x}\n" for n in range(100_000)),
    "empty lines": lambda: "\n" * 1_000_000,
    "blanks": lambda: " " * 5_000_000,
    "one line": lambda: f"{EVERY}disallow:/{'x' * 5_000_000}",
    "delays": repeated("crawl-delay:{}\n"),
}


@pytest.mark.parametrize("kind", WORST)
def test_the_worst_that_500_kib_can_hold_is_read_and_matched_quickly(kind):
    body = WORST[kind]().encode()
    begun = time.process_time()
    parsed = Protego.parse(own_rules(body, ROBOT))
    parsed.can_fetch(f"http://a.example/{'a' * 2000}", ROBOT)
    assert time.process_time() - begun < CPU


@given(
    st.lists(
        st.sampled_from([b"user-agent", b"disallow", b":", b"*", b" ", b"\n", b"/", b"$", b"%4", b"\xff", b"\0", b"#"])
    )
)
def test_any_bytes_are_read(pieces):
    said = own_rules(b"".join(pieces), ROBOT)
    assert {line.partition(":")[0] for line in said.split("\n")} <= {"User-agent", "disallow", ""}
    assert isinstance(Protego.parse(said).can_fetch("http://a.example/x", ROBOT), bool)


@given(
    st.lists(
        st.sampled_from(
            [
                "User-agent: *",
                "User-agent: focused",
                "User-agent: other",
                "Disallow: /a",
                "Allow: /a/b",
                "Disallow: /*b$",
                "",
                "Sitemap: x",
            ]
        ),
        max_size=12,
    )
)
def test_what_is_picked_out_says_what_the_whole_says(lines):
    whole, ours = Protego.parse("\n".join(lines)), Protego.parse("\n".join(["User-agent: *", *rules(*lines)]))
    for url in ("/a", "/a/b", "/b", "/c"):
        assert ours.can_fetch(url, ROBOT) == whole.can_fetch(url, ROBOT)
