"""Five topics of Cora, as in section 5.2 of Almpanidis et al. (2007): the category Information_Retrieval and what lies below it.

The paper says neither where a crawl starts nor with which words. So both are ours, after the topics of Wikispeedia: five seeds
drawn among the papers of the topic that cite anything, the words of the category.
"""

from __future__ import annotations

from random import Random

from focused.exceptions import EvaluationError
from focused.simulation.labels import Judgements
from lab.topics.labelled_topics import LabelledTopic, reachable
from lab.webs.cora import Cora

TOP = "Information_Retrieval"
SUBCATEGORIES = ("Digital_Library", "Extraction", "Filtering", "Retrieval")  #: table 4
SEEDS = 5


def cora_topics(web: Cora, seed: int = 0) -> list[LabelledTopic]:
    """One topic for each subcategory, and one for all of them. Raises EvaluationError if one has too few papers.

    seed : of the random choice of seeds
    """
    return [_topic(web, (TOP, *below), seed) for below in ((), *((name,) for name in SUBCATEGORIES))]


def _topic(web: Cora, category: tuple[str, ...], seed: int) -> LabelledTopic:
    path = "/".join(category)
    topical = {paper.url: paper for paper in web.papers.values() if paper.category[: len(category)] == category}
    candidates = sorted(url for url, paper in topical.items() if paper.links)
    if len(candidates) < SEEDS or len(topical) == SEEDS:
        raise EvaluationError(
            f"{path}: {len(candidates)} of its {len(topical)} papers can be seeds, {SEEDS} are needed and one more paper; "
            "is this data set complete?"
        )
    seeds = Random(f"{seed} {path}").sample(candidates, SEEDS)
    targets = frozenset(topical.keys() - set(seeds))
    found = reachable(seeds, lambda url: web.papers[url].links)
    judgements = Judgements(
        path.lower().replace("_", "-").replace("/", "."),
        targets,
        neutral=frozenset(seeds),  # known beforehand: to find one is no merit
        reachable=targets & found,
    )
    description = "\n".join(
        f"{topical[url].title}. {topical[url].texts.get('Abstract', '')}" for url in sorted(targets)
    )
    words = dict.fromkeys(word.lower() for name in category for word in name.split("_"))
    origin = {"data set": "Cora", "category": path, "random seed": str(seed)}
    return LabelledTopic(tuple(words), tuple(seeds), judgements, description, origin)
