"""What sends the visitor of a page elsewhere after some seconds, as browsers understand it."""

from __future__ import annotations

import pytest

from focused.page.refresh import LOOKED_AT, Refresh, refresh_of

URL = "http://h.net/a/b"
TO_NEXT = Refresh(0.0, "http://h.net/next")


def refresh(content: str, before: str = "", media_type: str = "text/html") -> Refresh | None:
    markup = f'<html><head>{before}<meta http-equiv="refresh" content="{content}"><title>t</title></head><body>x</body>'
    return refresh_of(URL, markup.encode(), media_type)


@pytest.mark.parametrize(
    "content",
    [
        *(
            "0; url=/next",
            "0;url=/next",
            "0;/next",
            "0,/next",
            "0 /next",
            " 0 ; URL = /next ",
            "0;URL='/next'",
            "0;'/next",
        ),
        *("0; url='/next' and more", "00;/next", ".9;/next", "0.5.5;/next", "0;\n\turl\n=\n/next"),
    ],
)
def test_each_way_to_say_it_leads_to_the_target(content: str) -> None:
    found = refresh(content)
    assert found is not None
    assert found.target.endswith("next")
    assert found.seconds < 1


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0; next", "http://h.net/a/next"),
        ("0; url", "http://h.net/a/url"),
        ("0; urlx=1", "http://h.net/a/urlx=1"),
        ("0; url=//o.net/?a=1&amp;b=2", "http://o.net/?a=1&b=2"),
        ("5", URL),
        ("5; url=", URL),
    ],
)
def test_what_stands_behind_the_seconds_is_a_url_like_any(content: str, target: str) -> None:
    found = refresh(content)
    assert found is not None
    assert found.target == target


@pytest.mark.parametrize(
    "content",
    ["", "soon", "-1;/next", "1e3;/next", "0next", ";/next", "0;javascript:go()", "0;data:text/html,x", "0;http://["],
)
def test_what_browsers_do_not_understand_or_the_web_does_not_hold_leads_nowhere(content: str) -> None:
    assert refresh(content) is None


def test_a_header_says_the_same_of_any_page_and_comes_first() -> None:
    assert refresh_of(URL, b"x", "text/plain", "0; url=/next") == TO_NEXT
    assert refresh_of(URL, b'<meta http-equiv=refresh content="0;/other">', "text/html", "0;/next") == TO_NEXT
    assert refresh_of(URL, b'<meta http-equiv=refresh content="0;/next">', "text/html", "nonsense") == TO_NEXT


def test_the_first_that_is_understood_counts() -> None:
    assert (
        refresh("0;/other", '<meta http-equiv=refresh content=x><meta http-equiv=Refresh content="0;/next">') == TO_NEXT
    )


def test_it_is_found_behind_all_that_a_head_may_hold() -> None:
    script = f"<script>if (a < b) document.write('<meta http-equiv=refresh content=0;/no>'); {'//' * 10_000}</script>"
    assert refresh("0;/next", script) == TO_NEXT
    assert refresh("0;/next", f"<!-- {'<meta' * 1000} --><style>p > a {{}}</style>") == TO_NEXT
    assert refresh("0;/next", "x" * LOOKED_AT) is None


def test_the_base_of_the_page_is_that_of_the_target() -> None:
    assert refresh("0;next", "<base href='/'>") == TO_NEXT
    assert refresh("0;/next", "<base href='http://['>") == TO_NEXT


@pytest.mark.parametrize("element", ["noscript", "template", "title", "textarea", "script", "style", "iframe"])
def test_what_a_browser_does_not_see_as_an_element_is_none(element: str) -> None:
    assert refresh("0;/next", f"<{element}>") is None
    assert refresh("0;/next", f"<{element}>x</{element}>") == TO_NEXT


def test_pages_in_any_encoding_and_none_but_pages() -> None:
    markup = "<META HTTP-EQUIV=REFRESH CONTENT='0;/next'>"
    assert refresh_of(URL, markup.encode("utf-16"), "text/html") == TO_NEXT
    assert refresh("0;/next", media_type="text/plain") is None
    assert refresh("0;/next", media_type="application/xhtml+xml") == TO_NEXT


@pytest.mark.parametrize(
    "content", ["9" * 50_000 + ";/next", "0" + " " * 50_000 + "x", "0;" + "url=" * 20_000, "0;'" * 20_000]
)
def test_long_ones_take_no_time_and_raise_nothing(content: str) -> None:
    found = refresh(content)
    assert found is None or found.seconds in (0.0, float("inf"))
