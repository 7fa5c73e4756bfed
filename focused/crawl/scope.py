"""Decides by a topic's scope which links a crawl may follow at all; each URL is checked once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import unquote

from scrapy.linkextractors import IGNORED_EXTENSIONS

from focused.crawl.reach import Reach
from focused.crawl.url_forms import path_and_query, repeats
from focused.page.urls import Address, UrlRules
from focused.topic.topic import Scope, Topic


def seed_addresses(topic: Topic, rules: UrlRules) -> list[Address]:
    """The seeds of a topic and the examples that it gives by URL, each once, in the order of the topic."""
    examples = (example.source for example in topic.examples if example.body is None)
    canonical = (rules.canonical(url) for url in (*topic.seeds, *examples))
    addresses = (rules.address(url) for url in canonical if url is not None)
    return list({address.key: address for address in addresses}.values())


#: Media types whose files carry an extension that is otherwise skipped without a request.
EXTENSIONS_OF = {
    "application/pdf": {"pdf"},
    "application/msword": {"doc"},
    "application/vnd.ms-powerpoint": {"ppt"},
    "application/vnd.ms-excel": {"xls"},
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": {"docx"},
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": {"pptx"},
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": {"xlsx"},
}

ALLOWED = ""
FILE_TYPE = "file type"  #: verdict on the URL of a file that is no page


class ScopeRules:
    """A topic's scope as a function of a URL; a verdict is a reason to drop it, or ALLOWED (the empty string).

    seeds : http(s) URLs, whose ports are allowed
    """

    def __init__(self, scope: Scope, seeds: Iterable[str] = ()) -> None:
        self.options, self._reach = scope, Reach(scope, seeds)
        self._allow = [re.compile(pattern) for pattern in scope.allow]
        self._deny = [re.compile(pattern) for pattern in scope.deny]
        self._in_letters = not all(pattern.isascii() for pattern in (*scope.allow, *scope.deny))
        types = scope.content_types or tuple(EXTENSIONS_OF)
        wanted = set().union(*(EXTENSIONS_OF.get(media_type, set()) for media_type in types))
        self._skipped = tuple(f".{extension}" for extension in IGNORED_EXTENSIONS if extension not in wanted)

    def verdict(self, url: str, host: str) -> str:
        """Say why a URL is out of scope, or ALLOWED."""
        if why := self.verdict_on_list(url, host):
            return why
        if len(url) > self.options.max_url_length:
            return "URL too long"
        if why := self._looks_endless(url):
            return why
        if self._matches(self._deny, url):
            return "URL denied"
        if self._allow and not self._matches(self._allow, url):
            return "URL not allowed"
        if url.partition("?")[0].lower().endswith(self._skipped):
            return FILE_TYPE
        return ALLOWED

    def verdict_on_list(self, url: str, host: str) -> str:
        """The same for a sitemap or feed, of which only the address and host matter, not the path and type."""
        options = self.options
        if barred := self._reach.bars_url(url, host):
            return barred
        if options.allowed_hosts and not lies_on(host, options.allowed_hosts):
            return "host not in scope"
        return "host denied" if lies_on(host, options.denied_hosts) else ALLOWED

    def _looks_endless(self, url: str) -> str:
        """Why a URL looks as if a program made such URLs without end; or ALLOWED."""
        options = self.options
        path, query = path_and_query(url)
        if options.max_path_depth and path.count("/") >= options.max_path_depth:
            return "path too deep"
        if options.max_repeats and path.count("/") >= options.max_repeats and repeats(path) > options.max_repeats:
            return "path repeats itself"
        if options.max_parameters and query.count("&") >= options.max_parameters:
            return "too many parameters"
        return ALLOWED

    def _matches(self, patterns: list[re.Pattern[str]], url: str) -> bool:
        """Whether one of them is found in a URL as it is requested (%C3%A4) or, if one has such letters, as it is read (ä)."""
        texts = (url, unquote(url)) if self._in_letters else (url,)
        return any(pattern.search(text) for text in texts for pattern in patterns)

    def type_verdict(self, media_type: str) -> str:
        """Say why a page of this media type is out of scope, or ALLOWED; a type that is not known (empty) is allowed."""
        types = self.options.content_types
        return (
            f"content type {media_type} out of scope" if types and media_type and media_type not in types else ALLOWED
        )


def lies_on(host: str, domains: tuple[str, ...]) -> bool:
    """Whether a host is one of these domains or lies below one."""
    return any(host == domain or host.endswith("." + domain) for domain in domains)
