"""SearXNG, by its JSON API (https://docs.searxng.org/dev/search_api.html)."""

from __future__ import annotations

from urllib.parse import urlencode, urlsplit

from focused.exceptions import SearchError
from focused.seeds.searching.result_pages import results_in_json
from focused.seeds.searching.search_provider import Found
from focused.seeds.searching.web_questions import WebQuestions

FORBIDDEN = 403  #: what an instance says that does not answer in JSON


class Searxng:
    """An instance, by its base URL such as ``http://127.0.0.1:8888``. A question is one page of its results."""

    def __init__(self, base: str, web: WebQuestions) -> None:
        self._base, self._web = base.rstrip("/").removesuffix("/search"), web
        self.name = f"searxng {urlsplit(base).netloc}"

    async def search(self, query: str, most: int) -> list[Found]:
        url = f"{self._base}/search?{urlencode({'q': query, 'format': 'json'})}"
        try:
            answer = await self._web.ask(url, named=self._base, accept="application/json")
        except SearchError as error:
            if str(error).endswith(f" {FORBIDDEN}"):
                raise SearchError(f"{error}: json must stand below formats in its settings.yml") from None
            raise
        own = f"//{urlsplit(self._base).netloc}/"  # whose pages are answers to other questions
        return [one for one in results_in_json(answer.body) if own not in one.url[: len(own) + 6]][:most]
