"""The sources of seeds that are compared. Each makes its seeds of the words of a topic; none sees a label."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from focused.backlinks.hub_options import HubOptions
from focused.backlinks.hubs import find_hubs
from focused.crawl.scope import ScopeRules
from focused.reading.urls import host_of
from focused.searching.answer_feeds import usable
from focused.searching.judged_pages import Origin
from focused.searching.provider_list import BACKLINKS_OF_A_PAGE
from focused.searching.providers.own_collections import Hubs
from focused.searching.queries import first_queries
from focused.searching.search_provider import Found
from focused.searching.seed_lists import ranked_urls
from focused.searching.seed_sources import MOST_OF_A_CRAWL
from focused.simulation.analysed_web import AnalysedWeb
from focused.simulation.recorded_backlinks import RecordedBacklinks
from focused.simulation.simulator import Fetch
from focused.topic.topic import Topic
from lab.benchmarks.searched_seeds import Searched, searched
from lab.benchmarks.seed_crawls import Beginning
from lab.benchmarks.stand_in_search import StandInSearch
from lab.webs.sitemap_web import INDEX, NAMED, USUAL, SitemapWeb

RESULTS, PER_SITE = 20, 3  #: of an answer that is taken as it is
LOOKED_THROUGH = 60  #: results, among which a host with a sitemap and related topics are looked for
SITEMAPS = {NAMED: "map.xml", USUAL: "sitemap.xml", INDEX: "sitemap_index.xml"}

HARD, HUBS_OF_HARD = "hard seeds", "hard seeds, their hubs"
ANSWER, SEARCH, SEARCH_HUBS = "one answer, not judged", "search", "search, hubs"
SITEMAP, EARLIER = "a sitemap", "earlier crawl"
ASK_SEARCH, ASK_LINKS, ASK_BOTH = "hard, asks a search", "hard, asks for backlinks", "hard, asks both"
SEARCH_ASK_SEARCH, SEARCH_ASK_LINKS = "search, asks a search", "search, asks for backlinks"
WAYS = (
    *(HARD, HUBS_OF_HARD, ANSWER, SEARCH, SEARCH_HUBS, SITEMAP, EARLIER),
    *(ASK_SEARCH, ASK_LINKS, ASK_BOTH, SEARCH_ASK_SEARCH, SEARCH_ASK_LINKS),
)


@dataclass
class Sources:
    """What seeds are made from.

    part : of the web, whose links are known
    others : the topics of earlier crawls, by name
    crawl_of : the fetches of a crawl that began with a search, by the name of its topic
    """

    web: AnalysedWeb
    part: AnalysedWeb
    search: StandInSearch
    others: Mapping[str, Topic]
    crawl_of: Callable[[str], Sequence[Fetch]]
    _sitemaps: list[SitemapWeb] = field(default_factory=list)

    @property
    def ways(self) -> dict[str, Callable[[Topic], Beginning]]:
        return {
            HARD: lambda topic: Beginning(_given(topic.seeds)),
            HUBS_OF_HARD: lambda topic: Beginning(_given(topic.seeds), self._augmented(topic)),
            ANSWER: lambda topic: Beginning(_given(self._answer(topic))),
            SEARCH: lambda topic: Beginning(self._searched(topic)),
            SEARCH_HUBS: lambda topic: Beginning(searched(topic, self.web, self.search, self._hubs())),
            SITEMAP: self._sitemap,
            EARLIER: lambda topic: Beginning(searched(topic, self.web, listed=[self._best_pages(topic)])),
            ASK_SEARCH: lambda topic: Beginning(_given(topic.seeds), askers=[self.search]),
            ASK_LINKS: lambda topic: Beginning(_given(topic.seeds), askers=[self._hubs()]),
            ASK_BOTH: lambda topic: Beginning(_given(topic.seeds), askers=[self.search, self._hubs()]),
            SEARCH_ASK_SEARCH: lambda topic: Beginning(self._searched(topic), askers=[self.search]),
            SEARCH_ASK_LINKS: lambda topic: Beginning(self._searched(topic), askers=[self._hubs()]),
        }

    def _searched(self, topic: Topic) -> Searched:
        return searched(topic, self.web, self.search)

    def _hubs(self) -> Hubs:
        return Hubs(RecordedBacklinks(self.part, BACKLINKS_OF_A_PAGE), "hubs")

    def _augmented(self, topic: Topic) -> list[str]:
        """The hubs that `scrapy topics augment` would write."""
        wanted, rules = HubOptions(), self.web.reader.rules
        seeds = [url for seed in topic.seeds if (url := rules.canonical(seed))]
        backlinks = RecordedBacklinks(self.part, topic.backlinks.limit).backlinks_of(seeds)
        scope = ScopeRules(topic.scope, topic.seeds)
        found = find_hubs(backlinks, wanted.least, left_out=seeds)
        return [hub.url for hub in found if not scope.verdict(hub.url, host_of(hub.url))][: wanted.most]

    def _named(self, topic: Topic) -> list[Found]:
        return self.search.named(first_queries(topic.keywords)[0], LOOKED_THROUGH)

    def _answer(self, topic: Topic) -> list[str]:
        """The first answer as a person would take it over, for want of anything that judges."""
        return [one.url for one in usable(self._named(topic), self.web.reader.rules, RESULTS, PER_SITE)]

    def _sitemap(self, topic: Topic) -> Beginning:
        """The sitemap of the first host of the answer that has one."""
        if not self._sitemaps:
            self._sitemaps.append(SitemapWeb(self.web))
        web = self._sitemaps[0]
        with_one = (one.url for one in self._named(topic) if host_of(one.url) in web.kinds)
        first = next(with_one, "")
        origin = "/".join(first.split("/", 3)[:3])
        return Beginning(_given([f"{origin}/{SITEMAPS[web.kinds[host_of(first)]]}"] if first else []), web=web)

    def _best_pages(self, topic: Topic) -> tuple[Origin, list[Found]]:
        """The most relevant pages, by its own judgement, of an earlier crawl of a related topic: that whose answer has
        the most hosts in common with the answer of this one."""
        hosts = _hosts(self._named(topic))
        shared = {
            name: len(hosts & _hosts(self._named(one))) for name, one in self.others.items() if name != topic.name
        }
        related = max(sorted(shared), key=shared.__getitem__)
        good = [fetch for fetch in self.crawl_of(related) if fetch.relevant]
        best = sorted(good, key=lambda fetch: -(fetch.relevance or 0.0))[:MOST_OF_A_CRAWL]
        return Origin(f"best pages of {related}"), ranked_urls((fetch.final_url, "") for fetch in best)


def _given(seeds: Iterable[str]) -> Searched:
    return Searched(list(seeds))


def _hosts(found: Iterable[Found]) -> set[str]:
    return {host_of(one.url) for one in found}
