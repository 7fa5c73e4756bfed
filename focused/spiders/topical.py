"""The topical spider: a topic goes in, pages come out. All policy is the strategy's."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, Self

from scrapy import Spider
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.settings import BaseSettings

from focused.exceptions import TopicError
from focused.live.own_fields import KEEP_FIELDS
from focused.scorers import with_scorers
from focused.topic.project_settings import add_topical_defaults

if TYPE_CHECKING:
    from focused.live.session import Session
    from focused.live.shared_run import SharedRun
    from focused.topic.topic import Topic

SEVERAL = "topics"  #: the argument that names several topics
#: Spider arguments that are about the run, not about the topic. `search` and `topics` are for `scrapy crawl` alone; `_job` comes
#: from scrapyd.
RUN_ARGUMENTS = ("fresh", "search", SEVERAL, "_job")
#: Attributes that other spiders have, and what says the same in a topic.
OF_OTHER_SPIDERS = {
    "start_urls": "seeds in [topic] (or -a seeds=URL,URL)",
    "allowed_domains": "allowed_hosts in [scope] (or -a scope.allowed_hosts=HOST)",
}
YES, NO = ("1", "true", "yes", "on"), ("0", "false", "no", "off")


class TopicalSpider(Spider):
    """Crawls one topic: ``scrapy crawl topical -a topic=solar``.

    To take your own items from each page, subclass it and override `parse`: it is called with every page that is fetched,
    which is scored in any case, and stored unless an item pipeline of yours drops it. Items go through the item pipelines and
    feeds; requests wait in the same frontier as all links. ``response.meta["page"]`` is the page as it was read.
    """

    name = "topical"
    topic: Topic
    fresh: bool = False
    topic_name: str  #: of its collection, for feeds: ``-o "%(topic_name)s.jsonl"``
    session: Session  #: of the crawl, once it is open
    together: SharedRun | None = None  #: what it shares with crawls of other topics in this process

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        """Bring the components of a topical crawl, and its defaults, into whatever project the spider runs in."""
        super().update_settings(settings)
        add_topical_defaults(settings)

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        """Load the topic and apply its settings. Raises TopicError, which lists every mistake.

        together : an argument of Python code alone, beside those of a person
        """
        from focused import strategies  # here, as Scrapy imports all spiders to list them
        from focused.live.shared_run import SharedRun
        from focused.topic.project_settings import TOPIC_PRIORITY
        from focused.topic.topic_arguments import topic_from_arguments

        for name, ours in OF_OTHER_SPIDERS.items():
            if getattr(cls, name, None):
                raise TopicError(f"{cls.__name__}.{name}: a topical crawl does not read it; write {ours} in the topic")
        if SEVERAL in kwargs:
            raise TopicError(
                f"-a {SEVERAL}: one spider crawls one topic; `scrapy crawl`, or focused.together.many_topics, runs several"
            )
        together = kwargs.pop("together") if isinstance(kwargs.get("together"), SharedRun) else None
        run = {name: kwargs.pop(name) for name in RUN_ARGUMENTS if name in kwargs}
        topics_dir = crawler.settings.get("FOCUSED_TOPICS_DIR") or None
        topic = topic_from_arguments(kwargs, strategies, topics_dir=topics_dir, reserved=RUN_ARGUMENTS)
        topic = with_scorers(topic, crawler.settings)
        crawler.settings.setdict(topic.settings, priority=TOPIC_PRIORITY)
        spider = super().from_crawler(crawler, *args)
        spider.topic, spider.topic_name, spider.together = topic, topic.name, together
        spider.fresh = yes_or_no("fresh", run.get("fresh", "false"))
        return spider

    async def start(self) -> AsyncIterator[Any]:
        """Nothing: the session starts from the topic's seeds. Requests that a subclass yields here join the frontier."""
        nothing: tuple[Any, ...] = ()
        for request in nothing:
            yield request

    def parse(self, response: Response, **kwargs: Any) -> Any:
        """Called with every page; override it to yield items or requests of your own."""
        return None

    def add_fields(self, response: Response, **fields: str | int | float | bool | None) -> None:
        """Keep fields of your own with a page, for a callback: ``self.add_fields(response, price=9.5)``.

        They become columns of `scrapy export`, and are committed with the page. A field that is there already is replaced.
        Nothing is kept of a response that is no page of a crawl, as in a test of your spider.
        """
        keep = response.meta.get(KEEP_FIELDS) if response.request else None
        if keep is not None:
            keep(fields)


def yes_or_no(name: str, text: str) -> bool:
    """What an argument says; raises TopicError for neither yes nor no."""
    word = str(text).lower()
    if word not in (*YES, *NO):
        raise TopicError(f"-a {name}={text}: write {name}=true or {name}=false")
    return word in YES
