"""How well pages, texts and links match a topic. The setting LINK_SCORERS names the link scorers that a crawl uses."""

from __future__ import annotations

from collections.abc import Mapping
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from focused.exceptions import TopicError
from focused.settings import LINK_SCORERS
from focused.topic.project_settings import TOPIC_PRIORITY

SETTING = "LINK_SCORERS"

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from focused.scorers.link_scorer import LinkScorer
    from focused.topic.topic import Topic


def with_scorers(topic: Topic, settings: BaseSettings) -> Topic:
    """A topic that names all its link scorers: the core knows the topic alone, and its collection is read without the project.

    settings : of the crawl or of a command, without those of the topic, which come before all but the command line's
    """
    own = topic.settings.get(SETTING, {})
    if not isinstance(own, Mapping):
        return topic  # `link_scorers` tells
    given = settings.getdict(SETTING)
    if (settings.getpriority(SETTING) or 0) <= TOPIC_PRIORITY:
        given |= own
    if {**LINK_SCORERS, **given} == {**LINK_SCORERS, **own}:
        return topic
    return topic.model_copy(update={"settings": topic.settings | {SETTING: given}})


def link_scorers(*chosen: object) -> tuple[type[LinkScorer], ...]:
    """The classes of a crawl's scorers, in order of their places: those of focused, changed by what is chosen.

    chosen : import path -> place, of a project and then of a topic; None or false takes a scorer out

    Raises TopicError for a path that names no scorer, or if no scorer is left.
    """
    from focused.scorers.link_scorer import LinkScorer  # numpy: only a crawl waits for it

    places: dict[str, Any] = dict(LINK_SCORERS)
    for some in chosen:
        if not isinstance(some, Mapping):
            raise TopicError(f"LINK_SCORERS: write a table of import paths and places, not {some!r}")
        places.update(some)
    found = []
    for path, place in places.items():
        if place is None or place is False:
            continue
        if not isinstance(place, (int, float)):
            raise TopicError(f"LINK_SCORERS: {path!r} needs a number, its place among the scorers, not {place!r}")
        try:
            scorer = resolve_name(path)
        except Exception as error:  # a stranger's code may raise anything when it is imported
            raise TopicError(f"LINK_SCORERS: {path!r} cannot be imported: {type(error).__name__}: {error}") from None
        if not (isinstance(scorer, type) and issubclass(scorer, LinkScorer)):
            raise TopicError(f"LINK_SCORERS: {path!r} is no subclass of focused.scorers.link_scorer.LinkScorer")
        found.append((place, scorer, path))
    if not found:
        raise TopicError("LINK_SCORERS: no scorer is left; leave one on")
    found.sort(key=lambda placed: placed[0])
    owners: dict[str, str] = {}
    for _, scorer, path in found:
        for name in {*scorer.prior, *scorer.parts}:
            if name in owners:  # or one class goes by two paths
                raise TopicError(f"LINK_SCORERS: {owners[name]} and {path} both have a column or part {name!r}")
            owners[name] = path
    return tuple(scorer for _, scorer, _ in found)
