"""What the wing brings to a crawler: see `focused.wings`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

COMPONENTS = {
    "EXTENSIONS": {
        "focused.seeds.backlinks.asking.AskForBacklinks": 820,
        "focused.seeds.searching.asking_again.AskAgain": 830,
    }
}


def add_topics_options(parser: ArgumentParser) -> None:
    """What `scrapy topics new` takes to find seeds, and `augment` to find hubs."""
    from focused.seeds.searching.search_options import add_augment_options, add_search_options

    add_search_options(parser)
    add_augment_options(parser)


def wants_search(opts: Namespace) -> bool:
    """Whether a person asks `scrapy topics new` to find seeds."""
    return bool(opts.search or opts.provider or opts.sources)
