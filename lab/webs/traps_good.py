"""The good part of the trap web: its sites, their articles and lists, hubs and a directory; each page knows the truth about itself.

It has what a defence against traps must not take for one: deep paths, long URLs, repeated segments, parameters that matter,
templates that pages share, many blogs below one registered domain, articles that only the seventh page of a list leads to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from random import Random

from lab.webs.traps_text import (
    DATA,
    LAYOUTS,
    OTHERS,
    SEEN,
    SUFFIXES,
    Content,
    Layout,
    Link,
    Prose,
    Template,
    anchor,
    html,
    slug,
    words_of,
)

SYLLABLES = tuple(
    onset + vowel + coda for onset in "bdfgklmnprstvz" for vowel in "aeiou" for coda in ("", "l", "n", "r")
)


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


@dataclass(slots=True, frozen=True)
class Manner:
    """What the good sites of a set are like, and how they link to each other.

    styles : by name; ``wiki`` is that of the directory
    mixed : sites with pages about the topic: style, share of all such pages, articles about other things for each of those
    small, other_sites : styles of sites that have the rest, in equal parts; of those that are not about the topic at all
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

    styles: Mapping[str, Style]
    mixed: Sequence[tuple[str, float, float]]
    small: Sequence[str]
    other_sites: Sequence[str]
    platform: float
    blogs: int
    blog_style: str
    www: float
    suffixes: Sequence[str]
    layouts: Sequence[Layout]
    on_topic: float
    own_site: float
    listed_only: float
    per_list: int
    hub: str
    hubs: int
    hub_links: int
    partners: int
    rings: bool


def _manner(chosen: str) -> Manner:
    values = dict(DATA["sets"][chosen]["good"])
    styles = {name: Style(**style) for name, style in values.pop("styles").items()}
    return Manner(styles=styles, suffixes=SUFFIXES[chosen], layouts=LAYOUTS[chosen], **values)


MANNERS: Mapping[str, Manner] = {chosen: _manner(chosen) for chosen in DATA["sets"]}


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


def domain(random: Random, suffixes: Sequence[str] = SUFFIXES[SEEN]) -> str:
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


DECLARE = 3  #: one site in so many declares canonical addresses
SEEDS = 5


@dataclass(slots=True)
class GoodPage:
    """A good page before it becomes HTML.

    topic : what it is about; empty for lists, home pages and the like
    comments : that visitors left
    """

    url: str
    site: Site
    title: str
    topic: str = ""
    inline: list[Link] = field(default_factory=list)
    listed: list[Link] = field(default_factory=list)
    comments: list[Link] = field(default_factory=list)


class GoodWeb:
    """All good pages.

    topic : what is looked for
    relevant, others : number of articles about it, and about other things
    manner : what its sites are like

    Attributes
    ----------
    pages : by canonical URL
    sites : by host
    menus, footers : further links of a site, on all its pages, by host
    """

    def __init__(self, topic: str, relevant: int, others: int, seed: int, manner: Manner) -> None:
        self.topic, self.seed, self.manner = topic, seed, manner
        self.sites = {site.host: site for site in good_sites(topic, relevant, others, seed, manner)}
        self.directory = Site(
            domain(Random(f"directory {seed}"), manner.suffixes), "Directory", manner.styles["wiki"], 1, {}
        )
        self.sites[self.directory.host] = self.directory
        self.menus: dict[str, list[Link]] = {}
        self.footers: dict[str, list[Link]] = {}
        random = Random(f"good {seed}")
        self.articles = [page for site in self.sites.values() for page in _articles(site, random)]
        self.pages = {page.url: page for page in self.articles}
        self._link_articles(random)
        for page in (*self._lists(), *self._archives(), *self._homes(random), *self._hubs(random), *self._listings()):
            self.pages[page.url] = page

    @cached_property
    def relevant(self) -> list[GoodPage]:
        return [page for page in self.articles if page.topic == self.topic]

    @cached_property
    def seeds(self) -> list[str]:
        """Articles about the topic on different sites, to which other pages lead as well."""
        by_host = {page.site.host: page for page in self.relevant if page.inline}
        return [
            by_host[host].url for host in Random(f"seeds {self.seed}").sample(sorted(by_host), min(SEEDS, len(by_host)))
        ]

    def html(self, page: GoodPage) -> bytes:
        content = self.content(page)
        content.head = self._head(page)
        return html(self.template(page.site), content)

    def content(self, page: GoodPage) -> Content:
        """What a page says; the same whenever it is asked for."""
        random = Random(f"{self.seed} {page.url}")
        prose = Prose(page.topic, random)
        long = range(max(3, len(page.inline) + 1)) if page.topic else range(1)
        paragraphs = [prose.sentences(3, 7) for _ in long]
        if page.site.style.boilerplate and page.topic:
            paragraphs.append(self._boilerplate(page.site))
        inline = [Link(link.url, link.text, prose.sentence()) for link in page.inline]
        return Content(page.title, paragraphs, inline, page.listed, page.comments)

    def _head(self, page: GoodPage) -> str:
        """What a page declares as its canonical address: many do rightly, two sites by mistake another page than it is."""
        home, elsewhere = self._mistaken
        if page.site.host == home:
            target = f"{page.site.root}/"
        elif page.site.host == elsewhere:
            target = page.url.replace("http://", "http://old.")
        else:
            target = page.url if len(page.site.host) % DECLARE == 0 else ""
        return f'<link rel="canonical" href="{escape(target)}">' if target else ""

    @cached_property
    def _mistaken(self) -> tuple[str, str]:
        """Hosts of the sites with fewest articles about the topic: one takes its home page for canonical, one an old host."""
        counts = Counter(page.site.host for page in self.relevant)
        first, second = sorted(counts, key=lambda host: (counts[host], host))[:2]
        return first, second

    def template(self, site: Site) -> Template:
        sections = [Link(site.contents(topic, 1), words_of(topic).name.capitalize()) for topic in site.topics]
        menu = [Link("/", "Home"), *sections, *self.menus.get(site.host, ())]
        footer = [*self._partners[site.host], *self.footers.get(site.host, ())]
        imprint = f"© {site.name}. All rights reserved."
        return Template(site.name, site.layout, menu, footer, imprint, self.manner.layouts)

    @cached_property
    def _partners(self) -> Mapping[str, list[Link]]:
        random = Random(f"partners {self.seed}")
        if self.manner.rings:
            return self._rings(random)
        hosts = sorted(self.sites)
        return {
            host: [
                Link(f"http://{other}/", self.sites[other].name)
                for other in random.sample(hosts, self.manner.partners)
                if other != host
            ]
            for host in hosts
        }

    def _rings(self, random: Random) -> Mapping[str, list[Link]]:
        """Sites about the topic stand in a ring, the others in another; each links to its neighbours on both sides."""
        partners: dict[str, list[Link]] = {}
        for is_topical in (True, False):
            ring = [host for host in sorted(self.sites) if (self.topic in self.sites[host].topics) == is_topical]
            random.shuffle(ring)
            steps = [sign * step for step in range(1, self.manner.partners // 2 + 1) for sign in (1, -1)]
            for place, host in enumerate(ring):
                others = dict.fromkeys(ring[(place + step) % len(ring)] for step in steps)
                partners[host] = [Link(f"http://{other}/", self.sites[other].name) for other in others if other != host]
        return partners

    def _boilerplate(self, site: Site) -> str:
        """What a shop says on each of its pages."""
        prose = Prose("", Random(f"boilerplate {self.seed} {site.host}"))
        return " ".join(prose.sentence() for _ in range(site.style.boilerplate))

    def _link_articles(self, random: Random) -> None:
        """Links within texts; some articles get none."""
        popular = [page for page in self.articles if random.random() >= self.manner.listed_only]
        by_topic: dict[str, list[GoodPage]] = {}
        by_site: dict[tuple[str, str], list[GoodPage]] = {}
        for page in popular:
            by_topic.setdefault(page.topic, []).append(page)
            by_site.setdefault((page.site.host, page.topic), []).append(page)
        for page in self.articles:
            targets: dict[str, GoodPage] = {}
            for _ in range(random.randint(2, 7)):
                pool = popular
                if random.random() < self.manner.on_topic:
                    own = by_site.get((page.site.host, page.topic), [])
                    pool = own if own and random.random() < self.manner.own_site else by_topic.get(page.topic, popular)
                target = random.choice(pool)
                targets[target.url] = target
            targets.pop(page.url, None)
            page.inline = [Link(url, anchor(target.title, target.topic, random)) for url, target in targets.items()]

    def _lists(self) -> Iterator[GoodPage]:
        """Pages that list what a site has about a topic, articles without other in-links last; the last page has no next."""
        per_list = self.manner.per_list
        linked = {link.url for page in self.articles for link in page.inline}
        for site in self.sites.values():
            for topic in site.topics:
                own = [page for page in self.articles if page.site is site and page.topic == topic]
                own.sort(key=lambda page: page.url not in linked)
                yield from self._list(
                    site, topic, [own[start : start + per_list] for start in range(0, len(own), per_list)]
                )

    def _list(self, site: Site, topic: str, parts: list[list[GoodPage]]) -> Iterator[GoodPage]:
        for number, part in enumerate(parts, 1):
            title = f"{words_of(topic).name.capitalize()}, page {number} of {len(parts)}"
            page = GoodPage(site.contents(topic, number), site, title)
            page.listed = [Link(article.url, article.title) for article in part]
            if number > 1:
                page.listed.append(Link(site.contents(topic, number - 1), "previous page"))
            if number < len(parts):
                page.listed.append(Link(site.contents(topic, number + 1), "next page"))
            yield page

    def _archives(self) -> Iterator[GoodPage]:
        """What a blog wrote in each year, which looks like a calendar and has an end."""
        for site in self.sites.values():
            years: dict[str, list[GoodPage]] = {}
            for page in self.articles if site.style.years else ():
                if page.site is site:
                    years.setdefault(page.url.split("/")[3], []).append(page)
            for year, own in sorted(years.items()):
                archive = GoodPage(f"{site.root}/{year}/", site, f"Archive of {year}")
                archive.listed = [Link(page.url, page.title) for page in own]
                self.menus.setdefault(site.host, []).append(Link(f"/{year}/", year))
                yield archive

    def _homes(self, random: Random) -> Iterator[GoodPage]:
        for site in self.sites.values():
            own = [page for page in self.articles if page.site is site]
            latest = random.sample(own, min(6, len(own)))
            home = GoodPage(f"{site.root}/", site, f"Welcome to {site.name}")
            home.listed = [Link(page.url, page.title) for page in latest]
            if site is self.directory:
                home.listed = [Link(self._listing(topic), words_of(topic).name) for topic in (self.topic, *OTHERS)]
            yield home

    def _hubs(self, random: Random) -> Iterator[GoodPage]:
        """Lists of links to articles about the topic on many sites, on sites that write about it."""
        sites = [self.sites[host] for host in dict.fromkeys(page.site.host for page in self.relevant)]
        name = words_of(self.topic).name
        for number in range(min(self.manner.hubs, len(self.relevant))):
            site = sites[number % len(sites)]
            hub = GoodPage(f"{site.root}{self.manner.hub.format(number=number)}", site, f"Links about {name}")
            targets = random.sample(self.relevant, min(self.manner.hub_links, len(self.relevant)))
            hub.listed = [Link(page.url, anchor(page.title, page.topic, random)) for page in targets]
            for page in random.sample(self.relevant, min(3, len(self.relevant))):
                page.inline.append(Link(hub.url, f"links about {name}"))
            yield hub

    def _listing(self, topic: str) -> str:
        return f"{self.directory.root}/top/{topic}/"

    def _listings(self) -> Iterator[GoodPage]:
        """Pages of the directory: which sites write about what."""
        for topic in (self.topic, *OTHERS):
            page = GoodPage(self._listing(topic), self.directory, f"Sites about {words_of(topic).name}")
            page.listed = [Link(f"{site.root}/", site.name) for site in self.sites.values() if topic in site.topics]
            yield page


def _articles(site: Site, random: Random) -> Iterator[GoodPage]:
    topics = [topic for topic, count in site.topics.items() for _ in range(count)]
    random.shuffle(topics)
    for number, topic in enumerate(topics):
        title = Prose(topic, random).title()
        yield GoodPage(site.article(number, title, random), site, title, topic)
