"""The good sites of the trap web: whom they belong to, how they name their pages, how many articles about what they have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from lab.webs.traps_html import LAYOUTS, Layout
from lab.webs.traps_text import slug
from lab.webs.traps_words import OTHERS

SYLLABLES = tuple(
    onset + vowel + coda for onset in "bdfgklmnprstvz" for vowel in "aeiou" for coda in ("", "l", "n", "r")
)
SUFFIXES = ("com", "com", "org", "net", "info", "de", "co.uk", "ac.uk")
BLOGS = 15  #: below one registered domain


@dataclass(slots=True, frozen=True)
class Style:
    """How a kind of site names its articles and the pages that list them.

    article, contents : paths, from {id}, {page}, {year}, {month}, {day}, {section}, {slug} and {long} (a very long slug)
    boilerplate : sentences that stand on each of its pages
    years : it has a page for each year, of which article begins with {year}
    """

    article: str
    contents: str
    boilerplate: int = 0
    years: bool = False


STYLES: Mapping[str, Style] = {
    "wiki": Style("/wiki/{slug}", "/wiki/Special:AllPages?section={section}&page={page}"),
    "blog": Style("/{year}/{month:02}/{slug}/", "/tag-{section}/page/{page}/", years=True),
    "docs": Style("/en/docs/en/v{section}/manual/part-{day}/{slug}.html", "/en/docs/en/contents-{section}-{page}.html"),
    "shop": Style("/product?id={id}&lang=en", "/shop?category={section}&page={page}", boilerplate=8),
    "forum": Style("/thread/{id}?page=1", "/board/{section}?page={page}"),
    "university": Style(
        "/~staff{section}/teaching/{year}/{slug}.html", "/subjects/index.html?subject={section}&page={page}"
    ),
    "news": Style("/news/{year}/{month:02}/{day:02}/{long}-{id}", "/archive?section={section}&page={page}"),
    "post": Style("/post/{slug}", "/posts?tag={section}&page={page}"),
}
#: Sites with pages about the topic: style, their share of all such pages, articles about other things for each of those.
MIXED = (
    *(("wiki", 0.30, 1.0), ("docs", 0.10, 1.0), ("shop", 0.08, 3.0), ("forum", 0.07, 3.0), ("university", 0.06, 3.0)),
    *(("news", 0.05, 9.0),),
)
PLATFORM = 0.15  #: share of the blogs of one platform
SMALL = ("blog", "post", "blog", "docs", "post", "wiki") * 2  #: sites that have the rest, in equal parts
OTHER_SITES = ("blog", "wiki", "forum", "shop", "news", "blog", "post", "university") * 2  #: not about the topic at all


@dataclass(slots=True, frozen=True)
class Manner:
    """What the good sites of a set are like, and how they link to each other.

    styles : by name; ``wiki`` is that of the directory
    mixed, small, other_sites : as MIXED, SMALL and OTHER_SITES
    platform, blogs : share of articles about the topic that the blogs of one platform have; how many these are, and their style
    www : share of sites whose name begins with ``www.``
    suffixes : of registered domains
    layouts : of their pages
    on_topic : share of the links in a text that keep to its topic: topical locality (Davison, SIGIR 2000)
    own_site : share of those that stay on the site
    listed_only : share of articles that nothing but a list of their site, or a hub, leads to
    per_list : articles on one page of a site's list
    hub, hubs, hub_links : path of pages with links to articles about the topic from {number}, how many such pages and links
    partners : other sites in the footer of a site
    rings : partners write about the topic as well, and link back
    """

    styles: Mapping[str, Style] = field(default_factory=lambda: STYLES)
    mixed: Sequence[tuple[str, float, float]] = MIXED
    small: Sequence[str] = SMALL
    other_sites: Sequence[str] = OTHER_SITES
    platform: float = PLATFORM
    blogs: int = BLOGS
    blog_style: str = "post"
    www: float = 0.0
    suffixes: Sequence[str] = SUFFIXES
    layouts: Sequence[Layout] = LAYOUTS
    on_topic: float = 0.7
    own_site: float = 0.4
    listed_only: float = 0.3
    per_list: int = 8
    hub: str = "/links/{number}"
    hubs: int = 8
    hub_links: int = 15
    partners: int = 4
    rings: bool = False


@dataclass(slots=True, frozen=True)
class Site:
    """One host.

    topics : how many articles about which topic
    """

    host: str
    name: str
    style: Style
    layout: int
    topics: Mapping[str, int] = field(hash=False)

    @property
    def root(self) -> str:
        return f"http://{self.host}"

    def article(self, number: int, title: str, random: Random) -> str:
        """The URL of an article; different numbers give different ones."""
        long = slug(f"{title} {title[::-1]} {title}")[:110].strip("-")
        path = self.style.article.format(
            id=1000 + 7 * number,
            year=random.randint(2012, 2023),
            month=random.randint(1, 12),
            day=random.randint(1, 28),
            section=1 + number % 4,
            slug=f"{slug(title)}-{number}",
            long=long,
        )
        return self.root + path

    def contents(self, topic: str, page: int) -> str:
        """The URL of a page that lists articles about one topic, from 1 on."""
        section = 1 + list(self.topics).index(topic)
        return self.root + self.style.contents.format(page=page, section=section)


def word(random: Random, syllables: int = 3) -> str:
    """A word that can be said and means nothing."""
    return "".join(random.choices(SYLLABLES, k=syllables))


def domain(random: Random, suffixes: Sequence[str] = SUFFIXES) -> str:
    """A name that somebody could have registered."""
    made = word(random) + random.choice(("", "", "-" + word(random, 2), str(random.randint(2, 99))))
    return f"{made}.{random.choice(suffixes)}"


def good_sites(topic: str, relevant: int, others: int, seed: int, manner: Manner) -> Iterator[Site]:
    """All good sites, with so many articles about the topic and about so many other things, as near as it can be."""
    random = Random(f"sites {seed}")
    about_others = others
    left = relevant
    for style, share, ratio in manner.mixed:
        count = min(left, max(1, round(share * relevant)))
        rest = min(about_others, round(count * ratio))
        left, about_others = left - count, about_others - rest
        yield _site(random, _host(random, manner), manner.styles[style], topic, count, rest)
    platform, of_blogs = domain(random, manner.suffixes), manner.platform * relevant
    for number in range(manner.blogs):
        count = min(left, round(of_blogs * (number + 1) / manner.blogs) - round(of_blogs * number / manner.blogs))
        rest = min(about_others, 4)
        left, about_others = left - count, about_others - rest
        yield _site(random, f"{word(random)}.{platform}", manner.styles[manner.blog_style], topic, count, rest)
    for number, style in enumerate(manner.small):
        count = left // (len(manner.small) - number)
        rest = min(about_others, 3)
        left, about_others = left - count, about_others - rest
        yield _site(random, _host(random, manner), manner.styles[style], topic, count, rest)
    for number, style in enumerate(manner.other_sites):
        count = about_others // (len(manner.other_sites) - number)
        about_others -= count
        yield _site(random, _host(random, manner), manner.styles[style], topic, 0, count)


def _host(random: Random, manner: Manner) -> str:
    """The name of a site that is not on the platform."""
    name = domain(random, manner.suffixes)
    return f"www.{name}" if manner.www and random.random() < manner.www else name


def _site(random: Random, host: str, style: Style, topic: str, relevant: int, others: int) -> Site:
    about = random.sample(sorted(OTHERS), 3)
    topics = {topic: relevant} | {key: others // 3 + (place < others % 3) for place, key in enumerate(about)}
    name = host.removeprefix("www.").partition(".")[0].capitalize()
    return Site(host, name, style, random.randrange(100), {key: count for key, count in topics.items() if count})
