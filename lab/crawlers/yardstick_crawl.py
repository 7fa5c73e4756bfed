"""From a topic and what is known about it to a crawl by a yardstick: the only place where a crawler is shown labels."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from focused.crawl.crawl import Crawl
from focused.exceptions import EvaluationError
from focused.run.assemble import assemble
from focused.simulation.analysed_web import AnalysedWeb
from focused.simulation.labels import Judgements
from focused.topic.topic import Topic
from lab.crawlers.keyword_share import keyword_words
from lab.crawlers.link_survey import Progress, links_of
from lab.crawlers.yardstick import JudgedWorld, YardstickWorld
from lab.crawlers.yardsticks import get_yardstick


def yardstick_crawl(
    name: str,
    topic: Topic,
    web: AnalysedWeb,
    judgements: Judgements | None,
    *,
    seed: int = 0,
    progress: Progress | None = None,
) -> Crawl:
    """Return a fresh core for a topic that a yardstick drives; its own strategy plays no part.

    Parameters
    ----------
    web : what will be crawled; an oracle reads all its links first, the first time
    judgements : shown to those that see labels, and to no other; None will do for these
    seed : of everything random
    progress : is told how far the reading of links has come

    Raises EvaluationError for an unknown name, or without the judgements it needs; StorageError when what was read cannot be kept.
    """
    yardstick, rules = get_yardstick(name), web.reader.rules
    words = keyword_words(topic.keywords, web.reader.analyser)
    world: Callable[..., YardstickWorld] = partial(YardstickWorld, words=words)
    if yardstick.sees_labels:
        if judgements is None:
            raise EvaluationError(f"{name} must be shown the labels of the topic")
        world = partial(
            JudgedWorld,
            words=words,
            targets=frozenset(map(rules.key, judgements.targets)),
            relevant=frozenset(map(rules.key, judgements.relevant)),
            links=lambda: links_of(web, topic.scope, progress),
        )
    _, crawl = assemble(topic, yardstick, seed=seed, world=world)
    return crawl
