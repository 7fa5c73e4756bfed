"""One scenario: a hostile Web, how it is crawled, and what must be true afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from lab.chaos.name_server import Answers
from lab.chaos.server import Web

if TYPE_CHECKING:
    from lab.chaos.outcome import Outcome

DELAY = 0.4  #: seconds between two requests to a host, of crawls that nothing else is said of


@dataclass
class Scene:
    """What is crawled.

    Attributes
    ----------
    web : the hosts
    seeds : URLs that the crawl starts from
    inputs : how many hostile things it meets
    good : URLs that must be collected, whatever the others do
    secrets : texts that no request may hold
    arguments, settings : of the crawl, beside those that all crawls have
    kills : the crawl is killed after so many requests and started again, for each number
    delay : seconds between two requests to a host
    longest_wait : seconds; no Retry-After and no Crawl-delay must be kept longer
    seconds : after which a crawl that has not ended is ended
    names : what names are answered with, for a crawl without a proxy in a network of its own (see `namespace`)
    prepare : is given the data folder before the crawl, such as to put a trained model there
    sinks : ports of this machine that nothing may arrive at, TCP and UDP, are made known to this before the crawl
    more : what else must be true: sentences about what is not
    """

    web: Web
    seeds: tuple[str, ...]
    inputs: int
    good: frozenset[str] = frozenset()
    secrets: tuple[str, ...] = ()
    arguments: Mapping[str, object] = field(default_factory=dict)
    settings: Mapping[str, object] = field(default_factory=dict)
    kills: tuple[int, ...] = ()
    delay: float = DELAY
    longest_wait: float = 60.0
    seconds: float = 180.0
    names: Mapping[str, Answers] | None = None
    prepare: Callable[[Path], None] = lambda _: None
    sinks: Callable[[int], None] | None = None
    more: Callable[[Outcome], Iterable[str]] = lambda _: ()


@dataclass(frozen=True)
class Scenario:
    """A scene by its name; it is built anew for each crawl.

    needs : Python modules and programs without which it is left out
    """

    name: str
    about: str
    build: Callable[[], Scene]
    needs: tuple[str, ...] = ()


SCENARIOS: dict[str, Scenario] = {}


def scenario(about: str, *needs: str) -> Callable[[Callable[[], Scene]], Callable[[], Scene]]:
    """Register a function that builds a scene; its name is the scenario's."""

    def register(build: Callable[[], Scene]) -> Callable[[], Scene]:
        SCENARIOS[build.__name__] = Scenario(build.__name__, about, build, needs)
        return build

    return register
