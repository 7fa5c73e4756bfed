"""Which links are looked at before anybody clicks them: few, promising, and none that does something."""

import pytest

from focused.desk.agent.links_ahead import PER_PAGE, Ahead, does_something, links_ahead
from focused.page.page import Page
from focused.page.reader import Reader, ReadingOptions

INTEREST = {"solar": 1.0}


def page(body: str, head: str = "") -> Page:
    html = f"<html><head><title>Here</title>{head}</head><body>{body}</body></html>"
    read = Reader(ReadingOptions()).read("http://a.example/", html.encode(), "text/html")
    assert isinstance(read, Page)
    return read


def ahead(body: str, head: str = "", barred: tuple[str, ...] = ()) -> list[Ahead]:
    return links_ahead(page(body, head), INTEREST, lambda url, _: url not in barred)


def urls(links: list[Ahead]) -> list[str]:
    return [link.url.removeprefix("http://a.example") for link in links]


def test_the_links_that_promise_most_come_first() -> None:
    body = "<p><a href=/1>Football</a></p><p>On solar power: <a href=/2>more</a></p><p><a href=/3>Solar cells</a></p>"
    assert urls(ahead(body)) == ["/3", "/2", "/1"]


def test_a_page_without_end_leads_to_few() -> None:
    body = "".join(f"<p><a href=/{number}>Solar {number}</a></p>" for number in range(4000))
    assert len(ahead(body)) == PER_PAGE


def test_one_link_that_stands_twice_is_looked_at_once_by_its_longest_words() -> None:
    (link,) = ahead(
        "<a href=/1>more</a> <p><a href=/1>Internet Softbots</a></p> <a href=#top>top</a> <a href=/>here</a>"
    )
    assert (link.anchor, link.source, link.source_title) == ("Internet Softbots", "http://a.example/", "Here")


def test_who_says_nofollow_is_heard() -> None:
    body = "<p><a href=/1 rel=nofollow>Solar</a></p><p><a href=/2>Solar</a></p>"
    assert urls(ahead(body)) == ["/2"]
    assert ahead(body, "<meta name=robots content=nofollow>") == []


def test_what_may_not_be_asked_takes_no_place() -> None:
    body = "".join(f"<p><a href=/{number}>Solar</a></p>" for number in range(PER_PAGE + 3))
    assert len(ahead(body, barred=("http://a.example/0", "http://a.example/1"))) == PER_PAGE


def test_anchors_are_plain() -> None:
    (link,) = ahead("<a href=/1>" + "so\u202elar\x07 " * 200 + "</a>")
    assert link.anchor.isprintable()
    assert len(link.anchor) <= 200


@pytest.mark.parametrize(
    "path",
    [
        *("logout", "user/logout.php", "Sign_Out", "cart", "a/delete/7", "unsubscribe/abc", "sign%2Dout"),
        *("x?action=remove", "x?a=1&token=abc", "x?sid=1;key=2", "mail?unsubscribe", "reset-password"),
    ],
)
def test_what_does_something_is_left_alone(path: str) -> None:
    assert does_something(f"https://a.example/{path}")


@pytest.mark.parametrize(
    "path", ["", "solar-key-facts", "how-to-delete-files.html", "wiki/Cart-pole", "?page=2", "order-of-magnitude"]
)
def test_pages_about_such_things_are_pages(path: str) -> None:
    assert not does_something(f"https://delete.example/{path}")
