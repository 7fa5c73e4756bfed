"""ByteCrawl with its SharkSearch, the strategy that its documentation recommends for a topic: the keywords are the query.

It is given one page to start from, because it takes no more, and asks for one page at a time, because it cannot do otherwise.
Nothing of it is tuned; set are only the hosts that exist, no delay, and no end (whoever judges ends it).
"""

import json
import sys
from pathlib import Path
from urllib.parse import urlsplit

from bytecrawl import SharkSearch

ENDLESS = 10**9  #: pages, and links from the first page; it wants numbers


class OnHosts(SharkSearch):  # type: ignore[misc]
    """It can stay on one domain, not on several hosts."""

    hosts: frozenset[str] = frozenset()

    def score_links(
        self, url: str, links: list[dict[str, str]], page_relevance: float, depth: int
    ) -> list[tuple[str, float]]:
        """Scores of links to the hosts that exist."""
        inside = [link for link in links if urlsplit(link["url"]).hostname in self.hosts]
        return list(super().score_links(url, inside, page_relevance, depth))


def main() -> None:
    """Crawl until nothing is left."""
    task = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    crawler = OnHosts(query=" ".join(task["keywords"]), delay=0, same_domain=False)
    crawler.hosts = frozenset(task["hosts"])
    crawler.scraper._session.verify = False
    crawler.crawl(task["start"], max_pages=ENDLESS, max_depth=ENDLESS)


if __name__ == "__main__":
    main()
