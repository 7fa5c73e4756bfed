"""A small crawl and what is known of its pages, for the tests of all measures."""

from __future__ import annotations

from focused.simulation.labels import Judgements
from lab.judging.run import Run


def page(name: str) -> str:
    """URL of a page; a name such as ``b/3`` lies on host b, one without a slash on host a."""
    host, _, path = name.rpartition("/")
    return f"http://{host or 'a'}.example/{path}"


def pages(names: str) -> frozenset[str]:
    return frozenset(map(page, names.split()))


def crawl(names: str, *, duplicates: dict[str, str] | None = None, strategy: str = "dom", topic: str = "solar") -> Run:
    """A run that fetched the pages of these names, in order."""
    same = {page(name): page(first) for name, first in (duplicates or {}).items()}
    return Run(strategy, topic, 0, [page(name) for name in names.split()], same)


def judged(targets: str, *, also: str = "", neutral: str = "", reachable: str | None = None) -> Judgements:
    return Judgements(
        "solar", pages(targets), pages(also), pages(neutral), None if reachable is None else pages(reachable)
    )
