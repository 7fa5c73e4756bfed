"""Sites that describe their search as OpenSearch 1.1 has it: a document whose Url elements are templates.

A person gives the URL of the description, or of a page that links to it (``<link rel="search">``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote_plus, urljoin, urlsplit

from ada_url import URL
from lxml import etree, html

from focused.exceptions import SearchError
from focused.reading.addresses import is_local
from focused.reading.decoding import decode
from focused.reading.reader import Reader
from focused.reading.urls import UrlRules
from focused.reading.xml_documents import local_name
from focused.searching.result_pages import results_of, xml_of
from focused.searching.search_provider import Found
from focused.searching.web_questions import WebQuestions

DESCRIPTION = "application/opensearchdescription+xml"
#: Types of answers, those that say the most first; suggestions come last, as they are often no results.
TYPES = (
    "application/atom+xml",
    "application/rss+xml",
    "application/json",
    "text/html",
    "application/x-suggestions+json",
)
PARAMETER = re.compile(r"\{([\w:.-]+)(\??)\}")
LONGEST_PAGE = 1_000_000  #: characters of a page that are looked through for a link to a description


@dataclass(frozen=True, slots=True)
class Template:
    """One way to ask, as a description has it."""

    text: str
    kind: str
    first_page: str
    first_result: str

    def filled(self, query: str, most: int) -> str:
        """The URL of a question. Raises SearchError where it needs what nobody knows."""
        values = {
            "searchTerms": quote_plus(query),
            "count": str(most),
            "startPage": self.first_page,
            "startIndex": self.first_result,
            "language": "*",
            "inputEncoding": "UTF-8",
            "outputEncoding": "UTF-8",
        }

        def value(found: re.Match[str]) -> str:
            if found[1] in values:
                return values[found[1]]
            if not found[2]:
                raise SearchError(f"its description asks for {found[0]}, which nobody knows")
            return ""

        return PARAMETER.sub(value, self.text)


class OpenSearch:
    """A site's own search. Its description is read before the first question.

    address : URL of the description, or of a page of the site
    """

    def __init__(self, address: str, web: WebQuestions, reader: Reader) -> None:
        self._address, self._web, self._reader = address, web, reader
        self._template: Template | None = None
        self.name = f"opensearch {urlsplit(address).netloc}"

    async def search(self, query: str, most: int) -> list[Found]:
        if self._template is None:
            self._template = await self._described()
        url = self._template.filled(query, most)
        answer = await self._web.ask(url, named=self._address, accept=f"{self._template.kind}, */*;q=0.5")
        content_type = (answer.headers.get("Content-Type") or b"").decode("latin-1")
        return results_of(answer.body, content_type, answer.url, self._reader)[:most]

    async def _described(self) -> Template:
        """The best template of the description. Raises SearchError where there is none."""
        answer = await self._web.ask(
            self._address, named=self._address, accept=f"{DESCRIPTION}, text/html;q=0.9, */*;q=0.5"
        )
        if b"OpenSearchDescription" not in answer.body[:5000]:
            content_type = (answer.headers.get("Content-Type") or b"").decode("latin-1")
            where = _linked(decode(answer.body, content_type)[:LONGEST_PAGE], answer.url)
            answer = await self._web.ask(where, named=self._address, accept=f"{DESCRIPTION}, */*;q=0.5")
        templates = {template.kind: template for template in _templates(xml_of(answer.body), answer.url)}
        best = next((templates[kind] for kind in TYPES if kind in templates), None)
        if best is None:
            raise SearchError(f"its description names no address that answers with one of {', '.join(TYPES)}")
        host = URL(UrlRules().canonical(PARAMETER.sub("x", best.text)) or "about:blank").hostname
        if not host or (is_local(host) and host != URL(self._address).hostname):
            raise SearchError("its description leads to what is no address of the Web")
        return best


def _linked(markup: str, url: str) -> str:
    """The URL of the description that a page links to. Raises SearchError where it links to none."""
    try:
        root: Any = html.document_fromstring(markup)
    except (etree.ParserError, ValueError):
        root = None
    links = root.iter("link") if root is not None else ()
    for link in links:
        if link.get("type", "").strip().lower() == DESCRIPTION and link.get("href"):
            try:
                return urljoin(url, str(link.get("href")).strip())
            except ValueError:
                break
    raise SearchError("no OpenSearch description there, nor a link to one (<link rel=search>)")


def _templates(root: Any, base: str) -> Iterator[Template]:
    """The templates for results that are asked for by GET."""
    for element in root.iter():
        if local_name(element) != "url" or element.get("method", "get").lower() != "get":
            continue
        rels = element.get("rel", "results").lower().split()
        text = element.get("template", "").strip()
        if "{searchTerms" not in text or not {"results", "suggestions"} & set(rels):
            continue
        try:
            whole = urljoin(base, text)
        except ValueError:
            continue
        kind = element.get("type", "text/html").partition(";")[0].strip().lower()
        yield Template(whole, kind, element.get("pageOffset", "1"), element.get("indexOffset", "1"))
