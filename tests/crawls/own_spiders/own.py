"""Spiders that take their own items from pages, make their own requests, or fail at it."""

from __future__ import annotations

from scrapy import FormRequest, Request, Spider, signals
from scrapy.downloadermiddlewares.retry import get_retry_request
from scrapy.exceptions import DropItem, IgnoreRequest

from focused.items import PageItem
from focused.spiders.topical import TopicalSpider


class OwnSpider(TopicalSpider):
    """Takes the title of each page; from the page /ask it asks for more in all ways that there are."""

    name = "own"

    async def start(self):
        yield Request("http://own.example/from-start", callback=self.parse_own)

    def parse(self, response):
        yield {"heading": response.meta["page"].title, "of": response.url}
        if response.url.endswith("/ask"):
            other = "http://own.example"
            yield Request(f"{other}/low", callback=self.parse_own, meta={"score": -1.0}, cb_kwargs={"note": "low"})
            yield Request(f"{other}/high", callback=self.parse_own, meta=response.meta | {"score": 9.0})
            yield Request(f"{other}/again", callback=self.parse_own, dont_filter=True)
            yield Request(f"{other}/again", callback=self.parse_own, dont_filter=True)
            yield Request(response.url)  # fetched already
            yield Request(f"{other}/private", callback=self.parse_own, errback=self.failed)
            yield Request(f"{other}/moved", callback=self.parse_own)
            yield FormRequest(f"{other}/form", formdata={"q": "solar"}, callback=self.parse_own)

    def parse_own(self, response, note=""):
        yield {"own": response.url, "method": response.request.method, "note": note}

    def failed(self, failure):
        yield {"failed": failure.request.url}


class CopyingSpider(TopicalSpider):
    """Asks for more pages wherever a request has ended, with the meta of that request."""

    name = "copying"

    async def start(self):
        yield Request("http://lost.example/", errback=self.lost)

    def parse(self, response):
        if response.url.endswith("/solar"):
            token = {"Authorization": "Bearer secret"}
            yield Request("http://a.example/token", headers=token, meta=response.meta)

    def lost(self, failure):
        for number in range(10):
            yield Request(f"http://own.example/{number}", meta=failure.request.meta, errback=self.lost)
        yield failure.request.replace(url="http://own.example/replaced", dont_filter=False)


class FieldsSpider(TopicalSpider):
    """Adds fields to each page, at once and after it has yielded something."""

    name = "fields"

    def parse(self, response):
        self.add_fields(response, heading=response.meta["page"].title, last=False)
        yield {"of": response.url}
        self.add_fields(response, last=True)
        if response.url.endswith("/ask"):
            yield Request("http://own.example/low", callback=self.parse_own, meta=response.meta | {"score": 9.0})

    async def parse_own(self, response):
        self.add_fields(response, own=response.url)
        return {"not": "a field"}


class FailingSpider(TopicalSpider):
    """Its callbacks raise, before or after they have given something."""

    name = "failing"

    def parse(self, response):
        if response.url.endswith("/generator"):
            return self.parse_some(response)
        if response.url.endswith("/coroutine"):
            return self.parse_later(response)
        raise RuntimeError("at once")

    def parse_some(self, response):
        yield {"given": response.url}
        raise RuntimeError("later")

    async def parse_later(self, response):
        raise RuntimeError("in a coroutine")


class DropRedirects:
    """An extension that drops requests before they reach the scheduler, without a word to their errback."""

    @classmethod
    def from_crawler(cls, crawler):
        extension = cls()
        crawler.signals.connect(extension.scheduled, signals.request_scheduled)
        return extension

    def scheduled(self, request):
        if "redirect_urls" in request.meta:
            raise IgnoreRequest


class PlainSpider(Spider):
    """Has nothing to do with topics."""

    name = "plain"
    start_urls = ("http://a.example/1",)

    def parse(self, response):
        return {"url": response.url}


class DropAll:
    """An item pipeline that wants no pages."""

    def process_item(self, item):
        if isinstance(item, PageItem):
            raise DropItem("not wanted")
        return item


class FailOnAll:
    """An item pipeline with a mistake."""

    def process_item(self, item):
        raise RuntimeError("a mistake in a pipeline")


class RetryingSpider(TopicalSpider):
    """Asks for a page again, as Scrapy's documents say, until it has asked often enough."""

    name = "retrying"
    custom_settings = {"USER_AGENT": "retrying/1", "RETRY_TIMES": 2}  # noqa: RUF012

    def parse(self, response):
        if response.url.endswith("/busy"):
            again = get_retry_request(response.request, spider=self, reason="busy")
            if again:
                again.dont_filter = True
                yield again
        yield {"by": self.name}


class PageMethodsSpider(TopicalSpider):
    """Asks the browser, in the words of scrapy-playwright, for what is done on each page before it is read."""

    name = "page_methods"

    async def start(self):
        from scrapy_playwright.page import PageMethod

        asked = {
            "more": [PageMethod("click", "#more"), PageMethod("wait_for_selector", "a"), PageMethod("title")],
            "leaves": [PageMethod("click", "a"), PageMethod("title")],
            "bad-selector": [PageMethod("click", "!!"), PageMethod("title")],
            "never-there": [PageMethod("wait_for_selector", "#nowhere"), PageMethod("title")],
            "no-such-argument": [PageMethod("click", "#more", "x", "y", colour="red")],
            "spins": [PageMethod("evaluate", "() => { while (true) ; }")],
            "forbidden": [PageMethod("goto", "http://elsewhere.example/"), PageMethod(print), PageMethod("title")],
            "writes": [PageMethod("screenshot", path="/tmp/nowhere/focused.png"), PageMethod("title")],
            "fetches": [PageMethod("evaluate", "() => fetch('http://tracker.example/').catch(() => 'refused')")],
            "no-list": "click",
        }
        for name, methods in asked.items():
            meta = {"playwright": True, "playwright_page_methods": methods, "playwright_include_page": True}
            yield Request(f"http://steps.example/{name}", self.seen, meta=meta)

    def seen(self, response):
        methods = response.meta.get("playwright_page_methods")
        results = [method.result for method in methods] if isinstance(methods, list) else None
        yield {"seen": response.url, "results": results, "page": "playwright_page" in response.meta}
