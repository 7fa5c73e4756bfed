"""The topics of a synthetic web: its most frequent words as keywords, five of its articles as seeds, the others as targets.

Every page can be reached from every other by the way the web is built, so that all targets are reachable.
"""

from __future__ import annotations

from random import Random

from focused.reading.page import Page
from focused.reading.reader import Reader, ReadingOptions
from focused.simulation.labels import Judgements
from lab.topics.labelled_topics import LabelledTopic
from lab.webs.synthetic import SyntheticWeb
from lab.webs.synthetic_map import Article

SEEDS = 5
DESCRIBED = 30  #: targets whose titles and first words make the description
FIRST_WORDS = 60  #: of each


def synthetic_topics(web: SyntheticWeb) -> list[LabelledTopic]:
    """All topics of a web, from `topic-0` on. A million pages take about 300 MB while they are written."""
    return [_topic(web, topic) for topic in range(web.options.topics)]


def seeds_of(web: SyntheticWeb, topic: int) -> list[str]:
    """Articles about a topic, drawn at random, the same for the same web."""
    ranks = Random(f"seeds {web.options.seed} {topic}").sample(range(web.plan.ranks), SEEDS)
    return [web.plan.url(Article(topic, rank)) for rank in ranks]


def _topic(web: SyntheticWeb, topic: int) -> LabelledTopic:
    seeds = seeds_of(web, topic)
    targets = [url for url in web.relevant_urls(topic) if url not in seeds]
    described = Random(f"description {web.options.seed} {topic}").sample(targets, min(DESCRIBED, len(targets)))
    options = web.options
    return LabelledTopic(
        keywords=web.keywords(topic),
        seeds=tuple(seeds),
        judgements=Judgements(
            f"topic-{topic}", frozenset(targets), also=frozenset(web.mirror_urls(topic)), neutral=frozenset(seeds)
        ),
        description="\n".join(_beginning(web, url) for url in described),
        origin={
            "data set": f"synthetic:pages={options.pages},topics={options.topics},seed={options.seed}",
            "category": str(topic),
        },
    )


def _beginning(web: SyntheticWeb, url: str) -> str:
    answer = web.answer(url)
    page = Reader(ReadingOptions()).read(url, answer.body, answer.header("Content-Type")) if answer else None
    return f"{page.title}. {' '.join(page.text.split()[:FIRST_WORDS])}" if isinstance(page, Page) else ""
