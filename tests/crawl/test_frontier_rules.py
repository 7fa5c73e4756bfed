"""What is changed at once costs in proportion to its number, however many URLs of one host have equal scores. Counted."""

from __future__ import annotations

import numpy as np
import pytest

from focused.crawl.crawl import Crawl
from focused.crawl.frontier import HostQueue
from focused.crawl.strategy import Changes
from focused.crawl.url_table import IN_SCOPE, State
from focused.crawl.yields import DIRECTORY, HOST
from focused.topic.topic import Budget, Traps
from tests.crawl.web import address, make_crawl, make_topic

COUNT = 3000
OF_ONE_DIRECTORY = 2000


class Counting:
    """A crawl in whose frontier many URLs of one host wait with equal scores; counts what it looks through for their best."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.looked_through = 0
        argmax = HostQueue._argmax

        def counted(queue: HostQueue) -> int:
            self.looked_through += len(queue.ids)
            return argmax(queue)

        monkeypatch.setattr(HostQueue, "_argmax", counted)
        self.crawl: Crawl = make_crawl(make_topic(budget=Budget(pages=0), traps=Traps()), "best_first")
        urls = [f"http://a.example/{'d' if n < OF_ONE_DIRECTORY else 'e'}/{n}" for n in range(COUNT)]
        self.ids, _ = self.crawl.naming.meet([address(url) for url in urls])
        self.crawl.urls.verdict[self.ids] = IN_SCOPE
        self.crawl.traps.yields.meet([(int(url), text, "") for url, text in zip(self.ids, urls, strict=True)])
        self.bring(np.ones(COUNT))

    def bring(self, scores: np.ndarray) -> None:
        ids = self.ids[: len(scores)]
        self.crawl._rules.bring(Changes(ids, scores, np.zeros((len(ids), 1)), replace=True), ids)

    @property
    def waiting(self) -> list[int]:
        return np.flatnonzero(self.crawl.urls.state[self.ids] == State.WAITING).tolist()


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> Counting:
    return Counting(monkeypatch)


def test_closing_places(counting: Counting) -> None:
    yields, one = counting.crawl.traps.yields, counting.ids[:1]
    places = [(kind, int(yields.places(one, kind)[0])) for kind in (DIRECTORY, HOST)]
    kept = int(counting.ids[-1])
    counting.crawl.steering.raised[kept] = None  # a person wants it
    drops = counting.crawl._rules.close(places)
    first, then = "nothing new from its directory", "nothing new from its host"
    whys = [first] * OF_ONE_DIRECTORY + [then] * (COUNT - OF_ONE_DIRECTORY - 1)
    assert drops == list(zip(counting.ids[:-1].tolist(), whys, strict=True))
    assert (counting.waiting, len(counting.crawl.frontier)) == ([COUNT - 1], 1)
    assert counting.looked_through < 4 * COUNT
    assert counting.crawl._rules.close([]) == []


def test_dropping_what_a_strategy_no_longer_wants(counting: Counting) -> None:
    counting.bring(np.full(OF_ONE_DIRECTORY, np.nan))
    assert counting.waiting == [*range(OF_ONE_DIRECTORY, COUNT)]
    assert counting.looked_through < 4 * COUNT


def test_lowering_the_scores_of_links_that_wait(counting: Counting) -> None:
    counting.bring(np.linspace(0.9, 0.8, OF_ONE_DIRECTORY))
    assert counting.crawl.frontier.best() == counting.ids[OF_ONE_DIRECTORY]
    assert counting.looked_through < 4 * COUNT
