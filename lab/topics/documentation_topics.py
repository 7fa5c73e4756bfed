"""Topics of the documentation web: many hosts of software documentation, labelled by the structure of its sites.

They stand in one JSON file (topics.json) beside the WARC of the web. Its URLs name pages as the sites do; here ``/dir/`` and
``/dir/index.html`` are one page, and a URL that the WARC redirects is the page at the end of the redirects.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

from pydantic import BaseModel, Field, ValidationError

from focused.exceptions import EvaluationError
from focused.page.reader import Reader, ReadingOptions
from focused.page.urls import UrlRules, host_of
from focused.simulation.analysed_web import AnalysedWeb, Fetched, Redirect
from focused.simulation.first_reading import ReadingProgress
from focused.simulation.labels import Judgements
from focused.simulation.simulator import MOST_REDIRECTS
from focused.simulation.web_opener import analysed_web
from focused.topic.plain_files import read_text, shown_path
from focused.topic.topic import TOPIC_NAME, Keywords, Nofollow, Scope, Topic, Urls
from lab.crawlers.web_links import WebLinks, links_of, reachable_urls
from lab.topics.labelled_topics import LabelledTopic, beginning

#: Easy: near pages of the topic, some are such. Hard: no seed lies on a host of a target.
DIFFICULTIES = ("easy", "hard")
READING = ReadingOptions(fold_index=True)
#: The part of a site that is about a topic, for short crawls from its home page: so many targets at least, and no more of the site.
SITES, LEAST_TARGETS, MOST_OF_SITE = "sites", 10, 0.5
LEAST_SHARE = 0.05  #: of a topic's targets in a language, from which on the topic is about pages in that language too
DESCRIBED = 200  #: targets whose beginnings make the description; a sample is as good as all of two thousand


class RecordedTopic(BaseModel):
    """An entry of the file; it has more keys, which nothing here needs."""

    id: str = Field(pattern=f"^{TOPIC_NAME.pattern}$")
    title: str = Field(min_length=1)
    keywords: Keywords = Field(min_length=1)
    seeds: Urls = Field(min_length=1)
    seeds_hard: Urls = Field(min_length=1)
    targets: Urls = Field(min_length=1)
    also: Urls = ()
    neutral: Urls = ()
    languages: dict[str, int] = Field(
        default_factory=dict
    )  #: ISO 639-1 code -> targets in that language; empty: English
    reachable_targets: int | None = None  #: from the seeds, counted when the file was made
    reachable_targets_hard: int | None = None


def documentation_topics(path: Path, difficulties: Iterable[str] = DIFFICULTIES) -> list[LabelledTopic]:
    """A topic for each entry of the file and each kind of seeds, as far as the file tells.

    Parameters
    ----------
    path : of topics.json
    difficulties : kinds of seeds, of DIFFICULTIES

    Redirects are not resolved, and a topic's description is its title. Which targets links lead to is not known: all are taken
    for reachable; ``origin`` has the number that the file tells.

    Raises EvaluationError in one line if the file cannot be used.
    """
    return _topics(_read(path), _Urls(), difficulties)


def recorded_documentation_topics(
    path: Path,
    web: Path,
    cache: Path,
    difficulties: Iterable[str] = DIFFICULTIES,
    progress: ReadingProgress | None = None,
    nofollow: Nofollow | None = None,
) -> list[LabelledTopic]:
    """The topics of `documentation_topics` with what their pages tell: redirects, descriptions and what can be reached.

    Parameters
    ----------
    difficulties : kinds of seeds, of DIFFICULTIES; or SITES alone: each topic once for every site of which a part is about it
    web : the recording, of which all pages are read
    cache : folder that keeps what is read, for the next time and for crawls
    progress : is told how many pages were read, and of how many, unless this was done before
    nofollow : which requests not to follow links a crawl obeys; the links that it follows decide what can be reached

    Raises EvaluationError if the file cannot be used or is about another web; WebError or StorageError if the web or the cache
    cannot.
    """
    entries = _read(path)
    first = entries[0]
    scope = Scope(nofollow=nofollow) if nofollow else Scope()
    topic = Topic(name=first.id, keywords=first.keywords, seeds=first.seeds, reading=READING, scope=scope)
    with analysed_web([str(web)], topic, Reader(READING, keep=topic.keywords), cache, hide_outside=False) as analysed:
        recorded, urls = frozenset(analysed.web.urls()), _Urls()
        if not any(recorded.intersection(urls.ends(entry.targets)) for entry in entries):
            raise EvaluationError(f"{shown_path(web)}: holds no target of {shown_path(path)}; is it their web?")
        pages = _Pages(analysed, recorded, links_of(analysed, topic.scope, progress))
        of_sites = (site for entry in entries for site in pages.sites(entry))
        made = of_sites if difficulties == (SITES,) else _topics(entries, pages, difficulties)
        return [replace(topic, nofollow=nofollow) for topic in made]


def _read(path: Path) -> list[RecordedTopic]:
    try:
        content = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise EvaluationError(f"{shown_path(path)}: not JSON: {error}") from None
    entries = content.get("topics") if isinstance(content, dict) else None
    if not isinstance(entries, list) or not entries:
        raise EvaluationError(f"{shown_path(path)}: not the topics of the documentation web: 'topics' must list them")
    topics = [_entry(path, number, entry) for number, entry in enumerate(entries)]
    names = [topic.id for topic in topics]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise EvaluationError(f"{shown_path(path)}: two topics have the id {twice[0]!r}; give each its own")
    return topics


def _entry(path: Path, number: int, entry: Any) -> RecordedTopic:
    try:
        return RecordedTopic.model_validate(entry)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = "".join(f".{key}" if isinstance(key, str) else f"[{key}]" for key in first["loc"])
        raise EvaluationError(f"{shown_path(path)}: topics[{number}]{where}: {first['msg']}") from None


def _topics(entries: Iterable[RecordedTopic], pages: _Urls, difficulties: Iterable[str]) -> list[LabelledTopic]:
    chosen = list(difficulties)
    return [_topic(entry, pages, difficulty) for entry in entries for difficulty in chosen]


def _topic(recorded: RecordedTopic, pages: _Urls, difficulty: str) -> LabelledTopic:
    hard = difficulty == "hard"
    seeds = pages.ends(recorded.seeds_hard if hard else recorded.seeds)
    started = set(seeds)
    targets = set(pages.ends(recorded.targets)) - started
    # Two URLs of one page may have two labels; what makes it count more is the one that stays.
    also = set(pages.ends(recorded.also)) - targets - started
    # Seeds are known beforehand: finding one is no merit and no mistake.
    neutral = (set(pages.ends(recorded.neutral)) - targets - also) | started
    name = f"{recorded.id}-{difficulty}"
    if not targets:
        raise EvaluationError(f"topic {name}: every target is a seed; there is nothing to find")
    origin: dict[str, str | list[str]] = {
        "data set": "documentation web",
        "category": recorded.title,
        "seeds": difficulty,
    }
    reachable = pages.reachable(seeds, targets)
    counted = recorded.reachable_targets_hard if hard else recorded.reachable_targets
    if reachable is None and counted is not None:
        origin["reachable targets"] = f"{counted} of {len(recorded.targets)}, by the file of topics, not told which"
    return LabelledTopic(
        keywords=tuple(dict.fromkeys(recorded.keywords)),
        seeds=seeds,
        judgements=Judgements(name, frozenset(targets), frozenset(also), frozenset(neutral), reachable),
        description=pages.beginnings(recorded.id, targets) or recorded.title,
        origin=origin,
        fold_index=READING.fold_index,
        languages=_languages(recorded),
    )


def _languages(recorded: RecordedTopic) -> tuple[str, ...]:
    """The languages of a topic, the most frequent first, and English, which every topic has words of; none where it is alone."""
    total = sum(recorded.languages.values())
    known = [code for code, count in recorded.languages.items() if code and count >= LEAST_SHARE * total]
    languages = dict.fromkeys((*sorted(known, key=recorded.languages.__getitem__, reverse=True), "en"))
    return () if [*languages] == ["en"] else tuple(languages)


class _Urls:
    """What URLs alone tell of the pages behind them."""

    def __init__(self) -> None:
        self.rules = UrlRules(READING.fold_index, READING.strip_parameters)

    def ends(self, urls: Iterable[str]) -> tuple[str, ...]:
        """Canonical URLs, each once, of the pages that these URLs lead to."""
        canonical = (self.rules.canonical(url) or url for url in urls)
        return tuple(dict.fromkeys(map(self.end, canonical)))

    def end(self, url: str) -> str:
        return url

    def beginnings(self, name: str, urls: Iterable[str]) -> str:
        """Titles and first words of a sample of these pages, which is the same for the same name; empty if not known."""
        return ""

    def reachable(self, seeds: Iterable[str], urls: Collection[str]) -> frozenset[str] | None:
        """Those of these URLs that links lead to from the seeds; None if not known."""
        return None


class _Pages(_Urls):
    """The pages behind URLs, as the recording has them."""

    def __init__(self, web: AnalysedWeb, recorded: frozenset[str], links: WebLinks) -> None:
        super().__init__()
        self._web, self._recorded, self._links = web, recorded, links

    def end(self, url: str) -> str:
        end = url
        for _ in range(MOST_REDIRECTS):
            answer = self._web.ask(end) if end in self._recorded else None
            following = self.rules.canonical(answer.target) if isinstance(answer, Redirect) else None
            if following is None:
                return end
            end = following
        return url  # in circles

    def beginnings(self, name: str, urls: Iterable[str]) -> str:
        known = sorted(self._recorded.intersection(urls))
        sample = sorted(Random(name).sample(known, min(DESCRIBED, len(known))))
        answers = map(self._web.ask, sample)
        return "\n".join(beginning(answer.page) for answer in answers if isinstance(answer, Fetched))

    def reachable(self, seeds: Iterable[str], urls: Collection[str]) -> frozenset[str]:
        return reachable_urls(self._links, self.rules, seeds, urls)

    def sites(self, recorded: RecordedTopic) -> Iterator[LabelledTopic]:
        """A topic on each site of which a part is about it, begun at the home page of the site, which it does not leave."""
        targets = self.ends(recorded.targets)
        for host in dict.fromkeys(map(host_of, targets)):
            site, home = self._sites[host], self.end(f"http://{host}/")
            found = reachable_urls(self._links, self.rules, (home,), site, inside=True) - {home}
            here = tuple(url for url in targets if url in found)
            if home in site and LEAST_TARGETS <= len(here) <= MOST_OF_SITE * len(found):
                part = recorded.model_copy(update={"seeds": (home,), "targets": here})
                made = _topic(part, self, host)
                yield replace(made, hosts=(host,), origin={**made.origin, "seeds": SITES})

    @cached_property
    def _sites(self) -> Mapping[str, set[str]]:
        """The recorded URLs of each host."""
        sites: defaultdict[str, set[str]] = defaultdict(set)
        for url in self._recorded:
            sites[host_of(url)].add(url)
        return sites
