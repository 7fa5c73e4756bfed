"""Any search that has an address: a URL in which {query} stands for the words."""

from __future__ import annotations

from urllib.parse import quote_plus, urlsplit

from focused.reading.reader import Reader
from focused.searching.result_pages import results_of
from focused.searching.search_provider import Found
from focused.searching.web_questions import WebQuestions

PLACEHOLDER = "{query}"


class UrlTemplate:
    """An address that answers with JSON, a feed, or a page of results.

    template : its URL, with `PLACEHOLDER` in it
    """

    def __init__(self, template: str, web: WebQuestions, reader: Reader) -> None:
        self._template, self._web, self._reader = template, web, reader
        self.name = f"url {urlsplit(template).netloc}"  # the rest may hold a key

    async def search(self, query: str, most: int) -> list[Found]:
        url = self._template.replace(PLACEHOLDER, quote_plus(query))
        answer = await self._web.ask(url, named=self._template)
        content_type = (answer.headers.get("Content-Type") or b"").decode("latin-1")
        return results_of(answer.body, content_type, answer.url, self._reader)[:most]
