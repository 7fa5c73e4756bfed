"""Decides by a topic's scope which links a crawl may follow at all (each URL is checked once), and where it may connect to."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import unquote

from ada_url import URL
from scrapy.linkextractors import IGNORED_EXTENSIONS

from focused.crawl.url_forms import path_and_query, repeats
from focused.page.addresses import is_local, is_public, port_of
from focused.page.urls import Address, UrlRules
from focused.topic.topic import Scope, Topic, ports_of


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
PRIVATE = "private address"  #: why nothing is asked there: this machine, its network, or what is no address of the Web
PORT = "port not allowed"  #: why nothing is asked there: other services than those of the Web may listen


class Reach:
    """Judges URLs before they wait, and addresses before they are connected to; a verdict is a reason, or the empty string.

    seeds : http(s) URLs; what listens on their ports is meant to be asked
    """

    def __init__(self, scope: Scope, seeds: Iterable[str] = ()) -> None:
        self.allows_private = scope.allow_private
        self._ports = {port for span in scope.ports for port in ports_of(span)}
        if self._ports:  # none: all are allowed
            self._ports.update(port_of(URL(seed).origin) for seed in seeds)

    def bars_url(self, url: str, host: str) -> str:
        """Why the crawl does not ask for a canonical URL, judged by its text alone."""
        if not self.allows_private and is_local(host):
            return PRIVATE
        return PORT if self._ports and port_of(url) not in self._ports else ""

    def bars_address(self, address: str) -> str:
        """Why the crawl does not connect to an IP address."""
        return "" if self.allows_private or is_public(address) else f"{PRIVATE}: {address}"


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


def lies_on(host: str, domains: tuple[str, ...]) -> bool:
    """Whether a host is one of these domains or lies below one."""
    return any(host == domain or host.endswith("." + domain) for domain in domains)
