"""Whether the name of a host says what the topic is about: docs.sqlalchemy.org has to do with SQL."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from focused.crawl.arrays import IntArray
from focused.crawl.world import World

SHORTEST = 3  #: letters of a keyword that is looked for; shorter ones stand in too many names


class TellingNames:
    """Finds keywords in the names of hosts, also inside of a word, as names are written in one; the last label is left out.

    Keywords are stems, in which a final y is an i: ``cryptographi``. So one stands for the other here, in names as well.

    Nothing is saved: names are known, so the same is found again.
    """

    def __init__(self, world: World) -> None:
        self._names = world.hosts.names
        self._keywords = [_without_y(keyword) for keyword in world.keywords if len(keyword) >= SHORTEST]
        self._named = bytearray()  # by id of host, as far as anybody asked

    def speak(self, hosts: IntArray) -> NDArray[np.bool_]:
        """(n,) whether the names of these hosts have a keyword."""
        new = self._names[len(self._named) :]
        self._named.extend(any(keyword in name for keyword in self._keywords) for name in map(_telling, new))
        return np.frombuffer(self._named, np.bool_).take(hosts)


def _telling(name: str) -> str:
    """What of a host's name may tell something."""
    return _without_y(name.rpartition(".")[0])


def _without_y(text: str) -> str:
    return text.replace("y", "i")
