"""The part of a recorded web that a stand-in search knows: so what it says of links comes from the same pages as its answers."""

from __future__ import annotations

from collections.abc import Iterator, Set

from focused.simulation.analysed_web import AnalysedWeb
from focused.simulation.recorded_web import Answer, RecordedWeb
from lab.benchmarks.stand_in_search import ONE_IN, is_drawn


class PartOfWeb:
    """The pages of a web that a hash of their URL draws."""

    def __init__(self, web: RecordedWeb, one_in: int) -> None:
        self._web, self._one_in = web, one_in

    @property
    def hosts(self) -> Set[str]:
        return self._web.hosts

    def answer(self, url: str) -> Answer | None:
        return self._web.answer(url)

    def urls(self) -> Iterator[str]:
        return (url for url in self._web.urls() if is_drawn(url, self._one_in))


def part_of(web: AnalysedWeb, one_in: int = ONE_IN) -> AnalysedWeb:
    """What `RecordedBacklinks` turns round, at the first question, which takes a while."""
    return AnalysedWeb(PartOfWeb(web.web, one_in), web.reader, web.cache, hide_outside=False)
