"""Text that a site repeats: a page whose own text was on the last page of its host, too, says nothing itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from focused.crawl.hosts import Hosts
from focused.page.page import Page
from focused.page.page_kind import EDGE

#: Words of own text that a page must have beside what its host repeats. 20 would cost good pages of references: they repeat
#: sentences of their neighbours.
FEWEST_NEW = 16


class SiteText:
    """What the last page of each host said, by the hashes of its blocks: 128 bytes a host.

    Addresses, notices on cookies and words on the author come on page after page, in whatever elements. No page is compared with
    itself.
    """

    def __init__(self, hosts: Hosts) -> None:
        self._last = hosts.columns.add("site_text", np.uint32, shape=(2 * EDGE,))  # 0: no block
        self._of = hosts.columns.add("site_text.of", np.int32, -1)  # id of the URL of that page

    def judged(self, url: int, host: int, page: Page) -> Page:
        """The page; with the kind ``page.otherwise`` if it says nothing that the last page of its host did not say.

        url : id of its own URL
        """
        if not page.own:
            return page
        before = set(self._last[host].tolist()) if self._of[host] != url else ()
        hashes = [block for block, _ in page.own if block]
        self._last[host], self._of[host] = hashes + [0] * (2 * EDGE - len(hashes)), url
        new = sum(words for block, words in page.own if not block or block not in before)
        return page if page.kind or new >= FEWEST_NEW else replace(page, kind=page.otherwise)
