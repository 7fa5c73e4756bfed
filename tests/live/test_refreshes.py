"""How redirects and refreshes become requests: what a person sets, and what is no circle."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from scrapy import FormRequest, Request
from scrapy.exceptions import NotConfigured
from scrapy.http import Response
from scrapy.settings import Settings

from focused.live.redirects import InACircle, Redirects, Refreshes

URL = "http://h.example/a"


def follow(kind: type, request: Request, response: Response, **settings: object) -> Request | Response:
    middleware = kind(Settings(settings))
    middleware.crawler = SimpleNamespace(spider=None)
    return middleware.process_response(request, response)


def refreshed(content: str, status: int = 200, around: str = "%s", **settings: object) -> str | None:
    """Where a page with a refresh leads; None if it stays."""
    markup = around % f'<meta http-equiv="refresh" content="{content}">'
    response = Response(URL, status, {"Content-Type": "text/html"}, markup.encode())
    followed = follow(Refreshes, Request(URL), response, **settings)
    return followed.url if isinstance(followed, Request) else None


def redirected(request: Request, target: str, status: int = 302) -> Request:
    followed = follow(Redirects, request, Response(request.url, status, {"Location": target}))
    assert isinstance(followed, Request)
    return followed


def test_settings_of_scrapy_hold() -> None:
    assert refreshed("99;/b") == "http://h.example/b"
    assert refreshed("100;/b") is None
    assert refreshed("5;/b", METAREFRESH_MAXDELAY=5) is None
    assert refreshed("0;/b", around="<noscript>%s</noscript>") is None
    assert refreshed("0;/b", around="<noscript>%s</noscript>", METAREFRESH_IGNORE_TAGS=[]) == "http://h.example/b"
    with pytest.raises(NotConfigured):
        Refreshes(Settings({"METAREFRESH_ENABLED": False}))


@pytest.mark.parametrize("url", ["/it's'", "/a?x=&quot;y&quot;&amp;z='1'", "/&lt;b&gt;", "/%27;url=/c"])
def test_a_target_reaches_scrapy_as_it_is(url: str) -> None:
    found = refreshed(f"0;url={url}")
    assert found is not None
    assert found.startswith("http://h.example/")
    assert found.count("=") == url.count("=")


def test_a_host_that_asks_for_patience_is_not_refreshed() -> None:
    assert refreshed("0;/b", 503) is refreshed("0;/b", 429) is None
    assert refreshed("0;/b", 404) == "http://h.example/b"


def test_a_form_may_lead_back_to_the_page_that_it_stands_on() -> None:
    sent = redirected(FormRequest(URL, formdata={"q": "solar"}), URL, 303)
    assert (sent.method, sent.url) == ("GET", URL)
    with pytest.raises(InACircle):
        redirected(sent, URL)


def test_a_circle_is_one_however_its_url_is_spelt() -> None:
    for target in ("", "#x", "http://H.EXAMPLE:80/a", "http://me:secret@h.example./a", "//h.example/a#y"):
        with pytest.raises(InACircle):
            redirected(Request(URL), target)
    there = redirected(Request(URL), "/b")
    with pytest.raises(InACircle):
        redirected(there, URL)
    assert redirected(there, "/c").url == "http://h.example/c"
