"""Topics of Cora: its seven classes, each begun at papers drawn at random, with keywords that are drawn from these."""

from __future__ import annotations

import math
from collections import Counter
from random import Random

from focused.simulation.labels import Judgements
from lab.topics.labelled_topics import LabelledTopic, reachable
from lab.webs.cora import Cora

SEEDS, KEYWORDS = 10, 10  #: of a topic


def half_of(web: Cora) -> frozenset[str]:
    """Every second paper, drawn at random: texts for a model, whose topics have the other half as targets."""
    return frozenset(Random("half").sample(sorted(web.papers), len(web.papers) // 2))


def cora_topics(web: Cora, taught: frozenset[str] = frozenset()) -> list[LabelledTopic]:
    """A topic for each class. taught : papers that a model was trained on; like seeds, they are no targets and no mistakes"""
    spread = Counter(word for paper in web.papers.values() for word in paper.words)
    rarity = {word: math.log(len(web.papers) / papers) for word, papers in spread.items()}
    return [
        _topic(web, rarity, category, taught) for category in sorted({paper.category for paper in web.papers.values()})
    ]


def _topic(web: Cora, rarity: dict[str, float], category: str, taught: frozenset[str]) -> LabelledTopic:
    """Keywords are the words with the greatest tf · log(N / df), where tf counts the seeds that have them."""
    members = [url for url, paper in web.papers.items() if paper.category == category]
    seeds = Random(category).sample(members, min(SEEDS, len(members)))
    counts = Counter(word for url in seeds for word in web.papers[url].words)
    weights = {word: count * rarity[word] for word, count in counts.items()}
    targets = frozenset(members).difference(seeds, taught)
    found = reachable(seeds, lambda url: web.papers[url].links)
    return LabelledTopic(
        keywords=tuple(sorted(weights, key=lambda word: (-weights[word], word))[:KEYWORDS]),
        seeds=tuple(seeds),
        judgements=Judgements(
            category.lower().replace("_", "-"), targets, neutral=taught | frozenset(seeds), reachable=targets & found
        ),
        description="\n".join(" ".join(web.papers[url].words) for url in sorted(targets)),
        origin={"data set": "Cora", "category": category},
    )
