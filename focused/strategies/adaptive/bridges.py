"""Pages that lead to other sites: where a crawl looks that finds nothing on the sites it knows."""

from __future__ import annotations

import numpy as np

from focused.crawl.domains import domain_of
from focused.crawl.strategy import Ready, Visit
from focused.crawl.world import World
from focused.scorers.link_scorer import LinkHistory

LEAST = 0.1  #: a host of a lower rate is not tried: 7 pages were picked that told of nothing new


class Bridges:
    """Hosts by how often their pages told of sites that nobody had told of before.

        rate of a host = (pages that told of a new site + 1) / (pages picked + 3)

    A page counts once, however many sites it names: naming thousands costs nothing. Hosts of its own registered domain are no
    other site. Of the host with the best rate the link comes first that most pages have, as they have those of menus; of equal
    ones that with the fewest slashes.
    """

    def __init__(self, world: World) -> None:
        self._world, self._hosts = world, world.hosts
        self._known = world.host_column("known", np.bool_)  # a page was there, or linked to it
        self._told = world.host_column("told", np.int32)  # pages that told of a new site

    def add_page(self, visit: Visit) -> None:
        """Note which hosts a page links to."""
        own = int(self._world.urls.host[visit.picked])
        self._known[own] = True
        linked = np.unique(self._world.urls.host[visit.targets])
        new = linked[~self._known[linked]]
        self._known[new] = True
        domain = domain_of(self._hosts.names[own])
        self._told[own] += any(domain_of(self._hosts.names[host]) != domain for host in new.tolist())

    def best(self, ready: Ready, history: LinkHistory) -> int | None:
        """The URL most likely to tell of new sites; None where no ready host is worth a try."""
        hosts = ready.ready_hosts()
        rates = (self._told[hosts] + 1) / (self._hosts.picked[hosts] + 3)
        if not len(hosts) or rates.max() < LEAST:
            return None
        return history.most_linked(ready.ready_of(int(hosts[rates.argmax()])))
