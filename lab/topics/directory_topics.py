"""Topics made of a Web directory, such as the Open Directory Project: each of its categories is a topic, as its editors filled it.

Some URLs of a category, chosen at random, are seeds; the others are targets. Source: G. Pant, F. Menczer, "Topical Crawling for
Business Intelligence", ECDL 2003, section 3.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from random import Random

from focused.exceptions import EvaluationError
from focused.page.reader import Reader, ReadingOptions
from focused.papers.models.taxonomy import Node, node_of
from focused.papers.taxonomies.importing import RULES, ImportFilter
from focused.papers.taxonomies.taxonomy_store import Listing
from focused.simulation.first_reading import ReadingProgress
from focused.simulation.labels import Judgements
from focused.simulation.web_opener import analysed_web
from focused.topic.topic import Scope, Topic
from focused.topic.topic_arguments import NO_SEED, slug
from lab.crawlers.web_links import links_of, reachable_urls
from lab.topics.labelled_topics import LabelledTopic

LEAST, SEEDS = 21, 10  #: URLs of a category, and those of them that are seeds: as in the paper
SKIPPED = frozenset(
    {"Regional", "World", "International"}
)  #: by the paper, too: categories with such a word at any level

Category = Mapping[str, Listing]  #: what a category lists, by URL
Told = Callable[[int], object]  #: is told how many listings were read
#: Those of the targets (second) that links lead to from the seeds (first); None: not known.
Reached = Callable[[Iterable[str], Set[str]], frozenset[str] | None]


@dataclass(frozen=True)
class Choice:
    """Which categories are topics, and how each is divided.

    endings : words with one of which a category must end, as Companies; empty: any category (the paper: business entities)
    least : URLs that it must list itself, not in categories below it
    seeds : of them that are seeds
    seed : of the random choice
    """

    under: tuple[Node, ...] = ()
    endings: tuple[str, ...] = ()
    least: int = LEAST
    seeds: int = SEEDS
    seed: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.seeds < self.least:
            raise EvaluationError(
                f"--seeds {self.seeds}, --least {self.least}: a category needs at least one seed, and more URLs than seeds"
            )

    def wants(self, node: Node) -> bool:
        words = _words(node[-1:])
        ends = not self.endings or (bool(words) and words[-1] in self.endings)
        return ends and not SKIPPED.intersection(node)


def directory_topics(
    listings: Iterable[Listing], choice: Choice, origin: str, told: Told = lambda _: None
) -> list[LabelledTopic]:
    """A topic for each category that is chosen, in alphabetical order. Which targets links lead to is not known.

    origin : the name of the file, for a person
    Raises EvaluationError if there is none.
    """
    return list(_topics(_categories(listings, choice, told), choice, origin, lambda *_: None))


def recorded_directory_topics(
    listings: Iterable[Listing],
    choice: Choice,
    origin: str,
    web: Path,
    cache: Path,
    progress: ReadingProgress,
    told: Told,
) -> list[LabelledTopic]:
    """The topics whose pages a web has: only its URLs count, and it says which targets links lead to from the seeds.

    web : WARC files, or the collection of a crawl
    cache : folder that keeps what is read
    progress : is told how many pages were read, and of how many

    Raises EvaluationError if there is none; WebError or StorageError if the web or the cache cannot be used.
    """
    reader = Reader(ReadingOptions())
    topic = Topic(name="directory", keywords=("directory",), seeds=(NO_SEED,))
    with analysed_web([str(web)], topic, reader, cache, hide_outside=False) as analysed:
        recorded = frozenset(filter(None, map(RULES.canonical, analysed.web.urls())))
        categories = _categories(listings, choice, told, recorded)
        links = links_of(analysed, Scope(), progress)

        def reached(seeds: Iterable[str], targets: Set[str]) -> frozenset[str]:
            return reachable_urls(links, RULES, seeds, targets)

        return list(_topics(categories, choice, origin, reached))


def _categories(
    listings: Iterable[Listing], choice: Choice, told: Told, recorded: Set[str] | None = None
) -> dict[str, Category]:
    """What each chosen category lists. recorded : only these URLs count; None: all"""
    found: dict[str, dict[str, Listing]] = {}
    selection = ImportFilter(choice.under)
    for listing in selection.taken(listings, lambda: told(selection.read)):
        if choice.wants(node_of(listing.category)) and (recorded is None or listing.url in recorded):
            found.setdefault(listing.category, {}).setdefault(listing.url, listing)
    large: dict[str, Category] = {name: found[name] for name in sorted(found) if len(found[name]) >= choice.least}
    if not large:
        most = max(map(len, found.values()), default=0)
        raise EvaluationError(
            f"no category is a topic: {len(found):,} of {selection.read:,} listings' categories fit, the largest has {most:,} URLs "
            f"and {choice.least:,} are needed; see --under, --ending, --least"
        )
    return large


def _topics(
    categories: Mapping[str, Category], choice: Choice, origin: str, reached: Reached
) -> Iterator[LabelledTopic]:
    taken: Counter[str] = Counter()
    for category, pages in categories.items():
        name = slug(" ".join(node_of(category)[-2:]))
        taken[name] += 1
        unique = name if taken[name] == 1 else f"{name}-{taken[name]}"
        yield _topic(unique, category, pages, choice, origin, reached)


def _topic(name: str, category: str, pages: Category, choice: Choice, origin: str, reached: Reached) -> LabelledTopic:
    seeds = tuple(Random(f"{choice.seed} {category}").sample(sorted(pages), choice.seeds))
    targets = frozenset(pages).difference(seeds)
    # Seeds are known beforehand: finding one is no merit and no mistake.
    judgements = Judgements(name, targets, neutral=frozenset(seeds), reachable=reached(seeds, targets))
    told = (f"{listing.title} {listing.description}".strip() for _, listing in sorted(pages.items()))
    facts: dict[str, str | list[str]] = {"data set": origin, "category": category, "random seed": str(choice.seed)}
    return LabelledTopic(keywords(node_of(category)), seeds, judgements, "\n".join(filter(None, told)), facts)


def keywords(node: Node) -> tuple[str, ...]:
    """The words of a category without its topmost level, each once; where there is no other level, those of the topmost."""
    return tuple(dict.fromkeys(_words(node[1:] or node)))


def _words(names: Sequence[str]) -> list[str]:
    return re.findall(r"[^\W_]+", " ".join(names))
