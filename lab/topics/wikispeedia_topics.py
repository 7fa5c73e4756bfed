"""The 60 topics of Wikispeedia: its categories with 30 or more articles, some to develop with, the others to report on.

No category is in two parts. Which is in which was decided once, by a hash of its name (the 12 smallest are for development,
the next 12 for the scorecard), and stands in wikispeedia_split.toml. Who tunes a strategy sees the development topics alone.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from importlib.resources import files
from random import Random

from focused.exceptions import EvaluationError
from focused.simulation.labels import Judgements
from lab.topics.labelled_topics import LabelledTopic, reachable
from lab.webs.wikispeedia import Article, Wikispeedia

SPLIT = files("lab.topics").joinpath("wikispeedia_split.toml")
MEMBERS = 30  # a category with so many articles of its own (not of categories below it) is a topic
SEEDS = 5
#: Near: seeds are articles of the topic. Far: two or three links away, so that no seed links to an article of the topic.
NEARNESS = ("near", "far")
REPORT = "report"  #: the part of the split that nothing may be tuned on
FAR = (2, 3)
#: Words of categories that say nothing about the topic.
EMPTY_WORDS = frozenset({"and", "in", "including", "of", "the"})


def development() -> tuple[str, ...]:
    """The categories to develop and tune with."""
    return _split()["development"]


def scorecard() -> tuple[str, ...]:
    """The categories of the scorecard (`lab.scorecard`). Nothing may be tuned on them."""
    return _split()["scorecard"]


def report() -> tuple[str, ...]:
    """The categories to report on. Nothing may be tuned on them."""
    return _split()[REPORT]


def categories(web: Wikispeedia) -> dict[str, list[Article]]:
    """All categories, in alphabetical order, with the articles that stand in them directly."""
    members: dict[str, list[Article]] = {}
    for article in web.articles.values():
        for category in article.categories:
            members.setdefault(category, []).append(article)
    return dict(sorted(members.items()))


def wikispeedia_topics(
    web: Wikispeedia,
    chosen: Iterable[str],
    nearness: str = "near",
    seed: int = 0,
    *,
    seeds: int = SEEDS,
    report_topics: bool = False,
) -> list[LabelledTopic]:
    """A topic for each of these categories; its origin names the split that the category is in.

    Parameters
    ----------
    chosen : categories, such as all of `development` or, to report final figures, of `report`
    nearness : where the seeds lie, one of NEARNESS
    seed : of the random choice of seeds
    seeds : of each topic
    report_topics : categories of `report` are refused without it, so that nobody tunes on them by mistake

    Raises EvaluationError for a category of `report` that was not asked for so, and if the web has not enough articles of a
    category, or none that fits as a far seed.
    """
    chosen = list(chosen)
    if not report_topics and (kept := next((category for category in chosen if split_of(category) == REPORT), None)):
        raise EvaluationError(
            f"{kept} is kept for final figures, nothing may be tuned on it; report_topics=True makes it"
        )
    members = categories(web)
    return [_topic(web, category, members.get(category, []), nearness, seed, seeds) for category in chosen]


def split_of(category: str) -> str:
    """``development``, ``scorecard`` or ``report``; empty for a category that is no topic."""
    return next((half for half, names in _split().items() if category in names), "")


def keywords(category: str) -> tuple[str, ...]:
    """The words of a category without its top level, which is the host in the layout `subject`; each once.

    Where there is no other level, as in ``subject.Countries``, the top level gives the words.
    """
    levels = category.split(".")[1:]
    words = "_".join(levels[1:] or levels).split("_")
    return tuple(dict.fromkeys(word.lower() for word in words if word.lower() not in EMPTY_WORDS))


def _split() -> dict[str, tuple[str, ...]]:
    return {half: tuple(names) for half, names in tomllib.loads(SPLIT.read_text("utf-8")).items()}


def _topic(
    web: Wikispeedia, category: str, members: list[Article], nearness: str, seed: int, count: int
) -> LabelledTopic:
    if len(members) < MEMBERS:
        raise EvaluationError(
            f"{category}: {len(members)} articles in this data set, a topic has {MEMBERS} or more; is it complete?"
        )
    topical = {article.url for article in members}
    near = nearness == "near"
    candidates = _with_links(web, topical) if near else _far(web, topical)
    if len(candidates) < count:
        raise EvaluationError(f"{category}: {len(candidates)} articles can be {nearness} seeds, {count} are needed")
    seeds = Random(f"{seed} {category} {nearness}").sample(sorted(candidates), count)
    targets = topical.difference(seeds)
    found = reachable(seeds, lambda url: web.articles[url].links)
    name = f"{category.rpartition('.')[2].lower().replace('_', '-')}-{nearness}"
    # Seeds are known beforehand: finding one is no merit and no mistake.
    judgements = Judgements(name, frozenset(targets), neutral=frozenset(seeds), reachable=frozenset(targets & found))
    texts = (web.articles[url] for url in sorted(targets))
    description = "\n".join(f"{article.title}. {article.text.first_paragraph}" for article in texts)
    origin = {
        "data set": "Wikispeedia",
        "layout": web.layout,
        "category": category,
        "split": split_of(category),
        "seeds": nearness,
        "random seed": str(seed),
    }
    return LabelledTopic(keywords(category), tuple(seeds), judgements, description, origin)


def _with_links(web: Wikispeedia, urls: Iterable[str]) -> set[str]:
    """Those with links: a seed without any starts nothing."""
    return {url for url in urls if web.articles[url].links}


def _far(web: Wikispeedia, topical: set[str]) -> set[str]:
    """Articles from which the nearest article of the topic is FAR links away."""
    sources: dict[str, list[str]] = {}
    for article in web.articles.values():
        for link in article.links:
            sources.setdefault(link, []).append(article.url)
    known, layer = set(topical), set(topical)
    far: set[str] = set()
    for distance in range(1, max(FAR) + 1):
        layer = {source for url in layer for source in sources.get(url, ())} - known
        known |= layer
        if distance in FAR:
            far |= layer
    return far
