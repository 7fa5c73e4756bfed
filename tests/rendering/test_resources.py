"""Which hosts the scripts of a page may ask, and that what several pages ask for is fetched once."""

import asyncio
from types import SimpleNamespace

import pytest
from scrapy.http import Response
from scrapy.statscollectors import StatsCollector
from scrapy.utils.test import get_crawler

from focused.rendering.open_page import CACHED_BYTES, RequestBarred, Resources, site
from focused.topic.topic import Rendering, Scope
from tests.small_web import topic_of

PAGE = "www.app.example"


class Web:
    """Stands for Scrapy's engine: answers by URL, and notes what it is asked."""

    def __init__(self, **answers: Response) -> None:
        self.answers, self.asked = answers, []

    async def download_async(self, request):
        self.asked.append(request)
        url = request.url
        response = self.answers.get(url.rpartition("/")[2]) or Response(url, 200, body=b"script")
        response.request = request
        return response.replace(url=url)


@pytest.fixture
def web() -> Web:
    return Web(
        moved=Response("http://x/", 302, headers={"Location": "/script"}),
        away=Response("http://x/", 302, headers={"Location": "http://tracker.example/script"}),
        loop=Response("http://x/", 302, headers={"Location": "/loop"}),
        large=Response("http://x/", body=b"x" * (CACHED_BYTES // 2)),
        private=Response("http://x/", headers={"Cache-Control": "no-store", "Set-Cookie": "a=b", "ETag": "1"}),
    )


@pytest.fixture
def resources(web: Web) -> Resources:
    crawler = SimpleNamespace(engine=web, stats=StatsCollector(get_crawler()))
    rendering = Rendering(mode="auto", other_hosts=("cdn.example",))
    return Resources(crawler, topic_of(rendering=rendering, scope=Scope(denied_hosts=("ads.app.example",))))


def fetch(resources: Resources, name: str, **headers: str):
    return asyncio.run(resources.fetch(f"http://{PAGE}/{name}", PAGE, headers))[0]


def is_refused(resources: Resources, host: str) -> bool:
    """Whether a script of that host is refused to a page."""
    try:
        resources.refuse_foreign(f"http://{host}/a.js", PAGE)
    except RequestBarred:
        return True
    return False


def test_a_site_is_the_registered_domain() -> None:
    assert site("static.app.example.co.uk") == site("api.example.co.uk") == "example.co.uk"
    assert site("one.github.io") != site("two.github.io")
    assert (site("127.0.0.1"), site("localhost")) == ("127.0.0.1", "localhost")


@pytest.mark.parametrize("host", [PAGE, "api.app.example", "app.example", "cdn.example", "x.cdn.example"])
def test_the_own_site_and_hosts_named_in_the_topic_may_be_asked(resources: Resources, host: str) -> None:
    assert not is_refused(resources, host)


@pytest.mark.parametrize(
    "host", ["tracker.example", "127.0.0.1", "169.254.169.254", "ads.app.example", "app.example.org"]
)
def test_others_may_not(resources: Resources, host: str) -> None:
    assert is_refused(resources, host)


def test_a_script_is_fetched_once_for_all_pages(resources: Resources) -> None:
    assert fetch(resources, "script").body == b"script"
    assert resources.cached(f"http://{PAGE}/script").body == b"script"


def test_the_cache_has_a_limit_and_drops_what_was_not_used_for_longest(resources: Resources) -> None:
    first, second, third = (f"{folder}/large" for folder in "abc")
    fetch(resources, first)
    fetch(resources, first)  # as two pages may at the same time
    fetch(resources, second)
    assert resources.cached(f"http://{PAGE}/{first}") is not None
    fetch(resources, third)
    assert resources.cached(f"http://{PAGE}/{first}") is not None
    assert resources.cached(f"http://{PAGE}/{second}") is None


def test_redirects_are_followed_within_the_site_only(resources: Resources, web: Web) -> None:
    assert fetch(resources, "moved").body == b"script"
    with pytest.raises(RequestBarred, match="third party"):
        fetch(resources, "away")
    with pytest.raises(RequestBarred, match="too many"):
        fetch(resources, "loop")
    assert {request.url.split("/")[2] for request in web.asked} == {PAGE}


def test_no_cookie_and_no_name_of_a_browser_goes_out(resources: Resources, web: Web) -> None:
    fetch(resources, "script", **{"user-agent": "Chrome", "cookie": "a=b", "sec-ch-ua": "x", "x-api-key": "k"})
    assert dict(web.asked[0].headers) == {b"X-Api-Key": [b"k"]}


def test_an_answer_that_must_not_be_stored_is_not(resources: Resources) -> None:
    assert fetch(resources, "private").headers == {"cache-control": "no-store", "etag": "1"}
    assert resources.cached(f"http://{PAGE}/private") is None
