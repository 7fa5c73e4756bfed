"""What kind of hubs `scrapy topics augment` looks for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class HubOptions:
    """The numbers of Pant & Menczer 2003, section 6, by default."""

    least: int = 2  #: seeds that a hub links to
    most: int = 10  #: hubs
    similarity: float = 0.9  #: with the topic's description, above which a page is a copy of it
