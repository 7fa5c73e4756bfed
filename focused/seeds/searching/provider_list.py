"""Opens the providers that a person names, in the setting FOCUSED_SEARCH or with --provider."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from scrapy.settings import BaseSettings

from focused.collection.collection import collections, data_folder
from focused.exceptions import SearchError
from focused.live.robots.robot import obedient_as
from focused.page.reader import Reader
from focused.page.urls import UrlRules, without_secrets
from focused.seeds.backlinks.earlier_crawls import EarlierCrawls
from focused.seeds.backlinks.providers import open_backlinks
from focused.seeds.searching.providers.ddgs_library import BACKENDS, Ddgs
from focused.seeds.searching.providers.own_collections import Hubs, OwnCollections
from focused.seeds.searching.providers.searxng import Searxng
from focused.seeds.searching.search_options import HOW, KINDS
from focused.seeds.searching.search_provider import SearchProvider
from focused.seeds.searching.web_questions import WebQuestions
from focused.topic.mistakes import shown, unknown
from focused.topic.plain_files import at_home
from focused.topic.topic import Topic, http_url

BACKLINKS_OF_A_PAGE = 50  #: that collections are asked for


@dataclass
class Providers:
    """Who is asked: for pages with some words, and for pages that link to good ones."""

    searching: list[SearchProvider] = field(default_factory=list)
    hubs: list[Hubs] = field(default_factory=list)


def check_specs(specs: Sequence[str], sources: Sequence[str] = ()) -> None:
    """Raise SearchError with all mistakes, one a line.

    sources : of pages that a person has already
    """
    mistakes = [f"provider {shown(shown_spec(spec))}: {why}" for spec in specs if (why := _mistake(spec))]
    if mistakes:
        raise SearchError("\n".join(mistakes))
    if specs and not sources and all(spec.partition(":")[0] == "hubs" for spec in specs):
        raise SearchError("hubs needs pages to start from: add --from or another provider")


def open_providers(specs: Sequence[str], web: WebQuestions, reader: Reader, data: Path) -> Providers:
    """The providers of specs that `check_specs` has nothing against.

    data : folder of the user's collections

    Raises SearchError where there is no collection to ask, FocusedError where a package is missing.
    """
    opened = Providers()
    for spec in specs:
        kind, _, rest = spec.partition(":")
        match kind:
            case "searxng":
                opened.searching.append(Searxng(rest, web))
            case "ddgs":
                opened.searching.append(Ddgs(rest or BACKENDS))
            case "collections":
                opened.searching.append(OwnCollections(_folders(rest, data)))
            case _:
                earlier = EarlierCrawls(_folders(rest, data), reader.rules, BACKLINKS_OF_A_PAGE)
                opened.hubs.append(Hubs(earlier, "hubs"))
    return opened


def hubs_of_backlinks(topic: Topic, rules: UrlRules, settings: BaseSettings) -> list[Hubs]:
    """The provider of backlinks that the topic names, if it is one of the Web or of the user's collections."""
    provider, data = topic.backlinks.provider, data_folder(settings)
    if provider not in ("crawls", "api"):
        return []
    agent, robot = settings["USER_AGENT"] or "", obedient_as(settings)
    backlinks = open_backlinks(topic, rules, data, user_agent=agent, robot=robot)
    return [Hubs(backlinks, f"backlinks {provider}")] if backlinks else []


def shown_spec(spec: str) -> str:
    """A spec as it may be shown: a query may hold a key."""
    address, mark, _ = without_secrets(spec).partition("?")
    return f"{address}{mark and '?...'}"


def _mistake(spec: str) -> str:
    kind, _, rest = spec.partition(":")
    if kind not in KINDS:
        return f"{shown(kind)} is {unknown(kind, KINDS, plural='kinds')}; as in {HOW}"
    if kind != "searxng":
        return ""
    if not rest:
        return f"write {KINDS[kind]}"
    if "?" in rest or "#" in rest:
        return f"write {KINDS[kind]}, without ? and what follows it"
    try:
        http_url(rest)
    except ValueError as error:
        return str(error)
    return ""


def _folders(names: str, data: Path) -> list[Path]:
    """The folders of collections: those that are named, or all."""
    if names:
        return [data / at_home(name) for name in names.split(",") if name]
    if found := collections(data):
        return [data / name for name in found]
    raise SearchError(f"{data}: no collection yet that could be asked; crawl one first, or name another provider")
