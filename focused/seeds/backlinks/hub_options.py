"""What kind of hubs `scrapy topics augment` looks for. It imports nothing that is slow."""

from __future__ import annotations

import argparse
from dataclasses import dataclass


@dataclass(frozen=True)
class HubOptions:
    """The numbers of Pant & Menczer 2003, section 6, by default."""

    least: int = 2  #: seeds that a hub links to
    most: int = 10  #: hubs
    similarity: float = 0.9  #: with the topic's description, above which a page is a copy of it


def add_augment_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("Options of `augment`")
    group.add_argument(
        "--least",
        metavar="N",
        type=int,
        default=HubOptions.least,
        help="seeds that a hub links to (default: %(default)s)",
    )
    group.add_argument("--most", metavar="N", type=int, default=HubOptions.most, help="hubs (default: %(default)s)")
    group.add_argument(
        "--similarity",
        metavar="X",
        type=float,
        default=HubOptions.similarity,
        help="pages more like the topic's description are copies of it, no hubs (default: %(default)s)",
    )
    group.add_argument("--web", metavar="WEB", action="append", help="ask this recorded web (may be repeated)")
