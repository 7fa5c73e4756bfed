"""The demo web: a small synthetic Web that knows the truth about itself, to try a crawl without touching anybody's server.

What makes a crawler stumble on the real Web is built in: each oddity is linked from its host's home page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from html import escape
from random import Random

from focused.exceptions import WebError
from focused.page.urls import UrlRules, host_of
from focused.simulation.recorded_web import Answer, html_answer, not_found


@dataclass(slots=True, frozen=True)
class TopicVocabulary:
    """What pages of one topic talk about. Nouns are countable with a regular plural; verbs take an object."""

    name: str  #: of the topic, as a person would write it
    nouns: tuple[str, ...]
    verbs: tuple[str, ...]
    adjectives: tuple[str, ...]
    people: tuple[str, ...]


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(","))


TOPICS = {
    "solar": TopicVocabulary(
        "solar energy",
        _words(
            "solar panel, photovoltaic module, inverter, silicon cell, solar collector, roof array, charge controller, "
            "solar farm, heliostat, sun tracker, battery, solar cell, mounting rail, feed-in tariff, sunbeam, kilowatt"
        ),
        _words("convert, absorb, charge, shade, install, feed, store, generate"),
        _words("photovoltaic, sunny, monocrystalline, south-facing, thin-film, grid-connected, renewable, efficient"),
        _words("installers, roof owners, solar engineers, electricians"),
    ),
    "wind": TopicVocabulary(
        "wind power",
        _words(
            "wind turbine, rotor blade, nacelle, gearbox, offshore tower, wind farm, gust, anemometer, generator, "
            "foundation, kilowatt, grid operator, yaw drive, transformer, sea cable, breeze"
        ),
        _words("turn, generate, brake, feather, feed, lift, measure, anchor"),
        _words("windy, offshore, three-bladed, stormy, renewable, steady, gearless, coastal"),
        _words("turbine builders, wind engineers, sailors, grid planners"),
    ),
    "football": TopicVocabulary(
        "football",
        _words(
            "goalkeeper, striker, penalty, league match, midfielder, corner kick, referee, stadium, free kick, trophy, "
            "defender, transfer, derby, tackle, goal, season"
        ),
        _words("score, defend, tackle, dribble, win, lose, coach, substitute"),
        _words("offside, unbeaten, injured, left-footed, offensive, sold-out, furious, fast"),
        _words("fans, coaches, players, reporters"),
    ),
    "cooking": TopicVocabulary(
        "cooking",
        _words(
            "saucepan, tomato soup, onion, clove, dough, casserole, oven, lemon, recipe, noodle, pancake, herb, "
            "stew, dumpling, crème brûlée, purée"
        ),
        _words("simmer, chop, bake, roast, season, whisk, knead, taste"),
        _words("crispy, tender, spicy, sautéed, buttery, fresh, roasted, salty"),
        _words("cooks, bakers, guests, chefs"),
    ),
    "astronomy": TopicVocabulary(
        "astronomy",
        _words(
            "telescope, galaxy cluster, comet, solar eclipse, sunspot, nebula, asteroid, planet, crater, star, "
            "solar flare, observatory, orbit, meteor, lens, quasar"
        ),
        _words("observe, orbit, photograph, measure, magnify, eclipse, discover, map"),
        _words("distant, sunlit, lunar, bright, interstellar, faint, spiral, cold"),
        _words("astronomers, stargazers, observers, night owls"),
    ),
    "gardening": TopicVocabulary(
        "gardening",
        _words(
            "flower bed, rose, seedling, greenhouse, watering can, compost heap, hedge, tulip, lawn, spade, apple tree, "
            "weed, sunflower, raised bed, slug, garden path"
        ),
        _words("plant, water, prune, mulch, sow, dig, harvest, weed"),
        _words("shady, sunny, blooming, organic, evergreen, muddy, perennial, fragrant"),
        _words("gardeners, neighbours, beekeepers, botanists"),
    ),
}

# {n} noun, {p} plural, {v} verb, {a} adjective, {who} people: each drawn anew
SENTENCES = (
    "Most {p} {v} the {n} in the end.",
    "A {a} {n} can {v} many {p}.",
    "{who} often {v} the {n} before they look at the {a} {n}.",
    "When the {n} is {a}, all {p} {v} it.",
    "There is no {a} {n} without {p} and {p}.",
    "In our experience the {n} and the {n} were both {a}.",
    "Last year {who} began to {v} {a} {p}.",
    "Whether {p} {v} a {a} {n} depends on the {n}.",
    "Never {v} the {n} unless the {p} are {a}.",
    "{who} say that {a} {p} need a better {n}.",
)
NEUTRAL = (
    "The office is open from nine to five.",
    "Please tell us if something is missing here.",
    "This part was revised in spring.",
    "We thank all readers for their letters.",
    "More about this will follow next week.",
    "The opinions are those of the author alone.",
    "A longer version appeared in print.",
    "Figures are rounded and may change.",
)
TITLES = (
    "How {p} {v} the {n}",
    "The {a} {n} and its {p}",
    "{a} {p} for {who}",
    "Choosing a {n}: {p} or {p}",
    "Why {who} {v} {p}",
    "Ten questions on the {a} {n}",
)


def sentence(topic: str, random: Random) -> str:
    return _filled(random.choice(SENTENCES), TOPICS[topic], random)


def title(topic: str, random: Random) -> str:
    return _filled(random.choice(TITLES), TOPICS[topic], random)


def paragraph(topic: str, random: Random) -> str:
    """Four to seven sentences, about one in six of them on nothing in particular."""
    return " ".join(
        random.choice(NEUTRAL) if random.random() < 0.16 else sentence(topic, random)
        for _ in range(random.randint(4, 7))
    )


def _filled(template: str, words: TopicVocabulary, random: Random) -> str:
    kinds: dict[str, Callable[[], str]] = {
        "{n}": lambda: random.choice(words.nouns),
        "{p}": lambda: plural(random.choice(words.nouns)),
        "{v}": lambda: random.choice(words.verbs),
        "{a}": lambda: random.choice(words.adjectives),
        "{who}": lambda: random.choice(words.people),
    }
    for place, draw in kinds.items():
        while place in template:
            template = template.replace(place, draw(), 1)
    return template[0].upper() + template[1:]


def plural(noun: str) -> str:
    """Of a regular noun."""
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "ch", "x")) else "s")


ON_TOPIC = 0.7  # share of the links in a text that keep to its topic: topical locality (Davison 2000)
OWN_HOST = 0.85  # share of those that stay on the host
INFORMATIVE = 0.55  # share of links whose text names the target; the others say "read more"
LIST_LENGTH = 15  # articles on one page of a section's list
TRACKED = 0.08  # share of links with tracking parameters
TO_HUB = 0.25  # share of articles that link to a list of their topic
HUBS = 3  # lists of links for each topic
HUB_LINKS = 14
HIDDEN_LINKS = 6  # beside them, to a host that only lists lead to
VAGUE = ("read more", "here", "continue", "this page", "details", "full story")
DIRECTORY = "linkyard.example"
TRACKING = "?utm_source=letter&utm_medium=mail"


@dataclass(slots=True, frozen=True)
class DemoSite:
    """One host: how many articles it has on which topic, and how it names them."""

    host: str
    name: str
    articles: Mapping[str, int]
    path: str  #: of an article, from {topic}, {number} and {slug}
    scheme: str = "http"
    charset: str = "utf-8"
    popular: bool = False  #: pages on other topics link here, too
    by_hubs_only: bool = False  #: no page of another host but the directory's links here

    @property
    def root(self) -> str:
        return f"{self.scheme}://{self.host}"


SITES = (
    DemoSite("sunpower.example", "Sun Power", {"solar": 36, "football": 8, "cooking": 4}, "/{topic}/{slug}.html"),
    DemoSite("heliopedia.example", "Heliopedia", {"solar": 36, "astronomy": 16}, "/wiki/{slug}", scheme="https"),
    DemoSite("panelforum.example", "Panel Forum", {"solar": 28, "gardening": 10, "football": 8}, "/thread/{number}"),
    DemoSite("rooftop.example", "On the Rooftop", {"solar": 40}, "/notes/{number}.html", by_hubs_only=True),
    DemoSite("greenpower.example", "Green Power", {"solar": 12, "wind": 30}, "/{topic}/{number}.html"),
    DemoSite("windworks.example", "Windworks", {"wind": 40}, "/{slug}.html", popular=True),
    DemoSite("kickoff.example", "Kick-off", {"football": 46}, "/report/{number}", popular=True),
    DemoSite("tastybites.example", "Tasty Bites", {"cooking": 44}, "/{slug}", "https", "iso-8859-1", popular=True),
    DemoSite("stargazer.example", "Stargazer", {"astronomy": 40}, "/sky/{slug}.html", popular=True),
    DemoSite("gardenpath.example", "The Garden Path", {"gardening": 38}, "/{number}-{slug}.html", popular=True),
    DemoSite("daily-news.example", "Daily News", dict.fromkeys(TOPICS, 7), "/2024/{number}.html", popular=True),
    DemoSite(DIRECTORY, "Link Yard", {}, ""),
)


@dataclass(slots=True, frozen=True)
class DemoLink:
    """A link as its page shows it."""

    url: str
    text: str
    topic: str = ""  #: of the sentence around it; empty: no sentence
    nofollow: bool = False


@dataclass(slots=True)
class DemoPage:
    """A page of the demo web before it becomes HTML."""

    url: str
    site: DemoSite
    title: str
    topic: str = ""  #: empty for home pages and lists of links, which are about nothing
    inline: list[DemoLink] = field(default_factory=list)  #: within the text
    listed: list[DemoLink] = field(default_factory=list)
    footer: list[DemoLink] = field(default_factory=list)
    nofollow: bool = False  #: meta robots


def plan(seed: int) -> dict[str, DemoPage]:
    """All pages by URL, links included; equal seeds give equal webs."""
    random = Random(seed)
    articles = [page for site in SITES for page in _articles(site, random)]
    hubs = _hubs(articles, random)
    for page in articles:
        _link_article(page, articles, hubs, random)
    homes = [_home(site, articles, hubs, random) for site in SITES]
    return {page.url: page for page in (*homes, *_lists(articles), *hubs, *articles)}


def _articles(site: DemoSite, random: Random) -> Iterator[DemoPage]:
    number = random.randint(100, 900)
    slugs: set[str] = set()
    for topic, count in site.articles.items():
        for _ in range(count):
            heading = title(topic, random)
            number += random.randint(1, 9)
            slug = _slug(heading)
            if slug in slugs:
                slug = f"{slug}-{number}"
            slugs.add(slug)
            path = site.path.format(topic=topic, number=number, slug=slug)
            yield DemoPage(site.root + path, site, heading, topic)


def _slug(heading: str) -> str:
    ascii_only = heading.lower().replace(" ", "-").encode("ascii", "ignore").decode()
    return "".join(character for character in ascii_only if character.isalnum() or character == "-")


def _hubs(articles: list[DemoPage], random: Random) -> list[DemoPage]:
    """Lists of links on one topic, each to several hosts, with hardly a word beside the links."""
    site = SITES[-1]
    hubs = []
    for number, (topic, vocabulary) in enumerate(TOPICS.items()):
        on_topic = [page for page in articles if page.topic == topic]
        hidden = [page for page in on_topic if page.site.by_hubs_only]
        group = [f"{site.root}/list/{number * HUBS + i + 1}" for i in range(HUBS)]
        for i, url in enumerate(group):
            hub = DemoPage(url, site, f"List {number * HUBS + i + 1}")
            shown = random.sample(on_topic, HUB_LINKS) + hidden[i * HIDDEN_LINKS :][:HIDDEN_LINKS]
            hub.listed = [_link(page, random, sentence=False) for page in shown]
            hub.listed += [DemoLink(other, f"Another list: {vocabulary.name}") for other in group if other != url]
            hubs.append(hub)
    return hubs


def _link_article(page: DemoPage, articles: list[DemoPage], hubs: list[DemoPage], random: Random) -> None:
    own = [other for other in articles if other.site is page.site and other is not page]
    alike = [
        other
        for other in articles
        if other.topic == page.topic and other is not page and (other.site is page.site or not other.site.by_hubs_only)
    ]
    other_topics = [other for other in articles if other.site.popular and other.topic != page.topic]
    alike_here = [other for other in alike if other.site is page.site] or alike
    for _ in range(random.randint(4, 6)):
        near = alike_here if random.random() < OWN_HOST else alike
        target = random.choice(near if random.random() < ON_TOPIC else other_topics)
        page.inline.append(_link(target, random))
    page.listed = [_link(other, random, sentence=False) for other in random.sample(own, 3)]
    page.footer = [_link(other, random, sentence=False) for other in random.sample(other_topics, 4)]
    if page.site.host == "panelforum.example":  # a forum does not vouch for what its visitors link to
        page.footer = [DemoLink(link.url, link.text, nofollow=True) for link in page.footer]
    if random.random() < TO_HUB:
        topic_hubs = hubs[list(TOPICS).index(page.topic) * HUBS :][:HUBS]
        page.listed.append(DemoLink(random.choice(topic_hubs).url, "Links of our readers"))


def _link(target: DemoPage, random: Random, sentence: bool = True) -> DemoLink:
    text = target.title if random.random() < INFORMATIVE else random.choice(VAGUE)
    url = target.url + (TRACKING if random.random() < TRACKED else "")
    return DemoLink(url, text, target.topic if sentence else "")


def _list_url(site: DemoSite, topic: str, number: int) -> str:
    return f"{site.root}/index/{topic}?page={number}"


def _lists(articles: list[DemoPage]) -> Iterator[DemoPage]:
    """The contents of each host by topic, a few articles a page."""
    for site in SITES:
        for topic in site.articles:
            pages = [page for page in articles if page.site is site and page.topic == topic]
            parts = [pages[i : i + LIST_LENGTH] for i in range(0, len(pages), LIST_LENGTH)]
            for number, part in enumerate(parts, start=1):
                contents = DemoPage(_list_url(site, topic, number), site, f"Contents, page {number}")
                contents.listed = [DemoLink(page.url, page.title) for page in part]
                if number < len(parts):
                    contents.listed.append(DemoLink(_list_url(site, topic, number + 1), "next page"))
                yield contents


def _home(site: DemoSite, articles: list[DemoPage], hubs: list[DemoPage], random: Random) -> DemoPage:
    """The entry of a host: its contents, its latest articles, and other hosts in the footer."""
    home = DemoPage(f"{site.root}/", site, site.name)
    own = [page for page in articles if page.site is site]
    home.listed = [DemoLink(_list_url(site, topic, 1), TOPICS[topic].name) for topic in site.articles]
    home.listed += [_link(page, random, sentence=False) for page in random.sample(own, min(6, len(own)))]
    if site.host == DIRECTORY:
        home.listed = [DemoLink(hub.url, hub.title) for hub in hubs]
    partners = [other for other in SITES if other is not site and other.popular]
    home.footer = [DemoLink(f"{other.root}/", other.name) for other in random.sample(partners, 5)]
    return home


ROBOTS = {
    "tastybites.example": "User-agent: *\nDisallow: /private/\n",
    "windworks.example": "User-agent: *\nCrawl-delay: 0.05\n",
}
NO_ROBOTS = "daily-news.example"  # answers 404 to robots.txt; all other hosts allow everything
REDIRECTS = {
    "http://sunpower.example/old-home": "/",
    "http://greenpower.example/go/encyclopedia": "https://heliopedia.example/",
    "http://panelforum.example/moved/1": "/moved/2",
    "http://panelforum.example/moved/2": "/moved/3",
    "http://panelforum.example/moved/3": "/",
    "http://kickoff.example/loop/1": "/loop/2",
    "http://kickoff.example/loop/2": "/loop/1",
}
CALENDAR = re.compile(r"http://daily-news\.example/calendar/(\d{4})/(\d{2})/")
BROKEN_MARKUP = b"""<title>Old garden page</title><body><h1>Roses<p>This page <b>was <i>written</b> by hand in 1996
<table><tr><td><a href="/">home<a href=/index/gardening?page=1>all <li>about roses</ul></div>
<a href="http://kickoff.example/"><img src=x alt="a club">&nbsp &copy &bogus; <!-- never closed <a href="/lost">"""


def oddities(pages: Mapping[str, DemoPage]) -> dict[str, Answer]:
    """Answers by URL; also puts the links to them on the home pages of `pages`."""
    answers = {
        "http://stargazer.example/fails": html_answer(b"<h1>Internal error</h1>", 500),
        "http://windworks.example/busy": Answer(
            503, (("Content-Type", "text/plain"), ("Retry-After", "1")), b"try again later\n"
        ),
        "http://gardenpath.example/roses.html": Answer(200, (("Content-Type", "text/html"),), BROKEN_MARKUP),
        "http://sunpower.example/brochure.pdf": Answer(
            200, (("Content-Type", "application/pdf"),), _pdf("Solar panels and inverters: the brochure")
        ),
        "https://tastybites.example/private/diary.html": html_answer(b"<p>Robots were asked to stay outside.</p>"),
    }
    answers |= {url: Answer(301, (("Location", target),), b"") for url, target in REDIRECTS.items()}
    for site in {page.site.host: page.site for page in pages.values()}.values():
        if site.host != NO_ROBOTS:
            rules = ROBOTS.get(site.host, "User-agent: *\nDisallow:\n").encode()
            answers[f"{site.root}/robots.txt"] = Answer(200, (("Content-Type", "text/plain"),), rules)
        odd = [url for url in answers if url.startswith(f"{site.root}/") and not url.endswith("/robots.txt")]
        pages[f"{site.root}/"].listed += [DemoLink(url, "notice") for url in odd]
    pages["http://gardenpath.example/"].listed.append(DemoLink("http://gardenpath.example/gone.html", "lost page"))
    pages["http://daily-news.example/"].listed.append(DemoLink(calendar_url(2024, 5), "calendar"))
    pages["http://kickoff.example/"].nofollow = True
    return answers


def duplicates(pages: Mapping[str, DemoPage]) -> dict[str, str]:
    """Print versions, byte for byte the article: URL of the copy -> URL of the original; linked from the original."""
    originals = [page for page in pages.values() if page.site.host == "sunpower.example" and page.topic == "solar"][:8]
    copies = {page.url.replace("/solar/", "/print/"): page.url for page in originals}
    for copy, original in copies.items():
        pages[original].listed.append(DemoLink(copy, "print version"))
    return copies


def calendar_url(year: int, month: int) -> str:
    return f"http://daily-news.example/calendar/{year:04}/{month:02}/"


def calendar(url: str) -> Answer | None:
    """A month of a calendar without end, the usual crawler trap; None for any other URL."""
    match = CALENDAR.fullmatch(url)
    if not match:
        return None
    try:
        month = date(int(match[1]), int(match[2]), 1)
    except ValueError:
        return None
    neighbours = {
        "previous": month.replace(year=max(1, month.year - (month.month == 1)), month=(month.month - 2) % 12 + 1),
        "next": month.replace(year=min(9999, month.year + (month.month == 12)), month=month.month % 12 + 1),
    }
    links = "".join(
        f'<li><a href="{calendar_url(day.year, day.month)}">{name}</a></li>' for name, day in neighbours.items()
    )
    html = f"<!DOCTYPE html><title>Calendar</title><h1>{month:%B %Y}</h1><p>Nothing is planned.</p><ul>{links}</ul>"
    return html_answer(html.encode())


def _pdf(text: str) -> bytes:
    """The smallest PDF that shows a line of text (ISO 32000-1, annex H.3)."""
    stream = f"BT /F1 18 Tf 72 720 Td ({text}) Tj ET".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        b"/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
    ]
    body, offsets = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"xref\n0 5\n0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    return body + table + b"trailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % len(body)


class DemoWeb:
    """Some 550 pages on 12 hosts (in the reserved domain .example) about six topics, the same for the same seed.

    Pages mostly link to their own topic; there are hosts of one topic and of several, a directory of link lists, a host
    that only those lists lead to, off-topic footers, vague link texts, and the `oddities`.

    pages : planned pages by canonical URL (`relevant_urls` gives the truth about a topic)
    """

    def __init__(self, seed: int = 1) -> None:
        self.rules = UrlRules()
        self.seed = seed
        self.pages = plan(seed)
        self.copies = duplicates(self.pages)
        self._odd = oddities(self.pages)
        self._hosts = {site.host: site for site in SITES}
        self._rendered = cache(self._render)

    @property
    def hosts(self) -> Set[str]:
        return self._hosts.keys()

    def urls(self) -> Iterator[str]:
        """All URLs but those of the endless calendar."""
        yield from self.pages
        yield from self.copies
        yield from self._odd

    def answer(self, url: str) -> Answer | None:
        canonical = self.rules.canonical(url)
        site = self._hosts.get(host_of(canonical)) if canonical else None
        if canonical is None or site is None:
            return None
        scheme, _, rest = canonical.partition(":")
        if scheme != site.scheme:
            return Answer(301, (("Location", f"{site.scheme}:{rest}"),), b"")
        if page := self.pages.get(self.copies.get(canonical, canonical)):
            return self._rendered(page.url)
        return self._odd.get(canonical) or calendar(canonical) or not_found(url)

    @property
    def parts(self) -> Sequence[str]:
        """Its hosts."""
        return tuple(self._hosts)

    def part_of(self, url: str) -> str:
        """The host of a URL."""
        return host_of(url)

    def class_of(self, url: str) -> tuple[str, ...] | None:
        """The topic of a page, ``list`` of one that is about nothing; None for what is no page of its own."""
        page = self.pages.get(url)
        return (page.topic or "list",) if page else None

    def relevant_urls(self, topic: str) -> set[str]:
        """The articles about a topic. Neither lists of links nor print versions count: they hold nothing new."""
        if topic not in TOPICS:
            raise WebError(f"the demo web has no topic {topic!r}: choose from {', '.join(TOPICS)}")
        return {page.url for page in self.pages.values() if page.topic == topic}

    def _render(self, url: str) -> Answer:
        page: DemoPage = self.pages[url]
        return html_answer(render(page, self.seed), charset=page.site.charset)


def render(page: DemoPage, seed: int) -> bytes:
    """The page as bytes in its site's charset. The text depends on the seed and the URL alone, not on the order of calls."""
    random = Random(f"{seed} {page.url}")
    robots = '<meta name="robots" content="nofollow">\n' if page.nofollow else ""
    html = (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="{page.site.charset}">\n{robots}'
        f"<title>{escape(page.title)} - {escape(page.site.name)}</title>\n</head>\n<body>\n"
        f"{_navigation(page)}<main>\n<h1>{escape(page.title)}</h1>\n{_text(page, random)}{_list(page.listed)}</main>\n"
        f"{_footer(page)}</body>\n</html>\n"
    )
    return html.encode(page.site.charset, "xmlcharrefreplace")


def _navigation(page: DemoPage) -> str:
    sections = "".join(
        f'<li><a href="/index/{topic}?page=1">{TOPICS[topic].name.capitalize()}</a></li>'
        for topic in page.site.articles
    )
    return f'<nav><ul><li><a href="/">Home</a></li>{sections}<li><a href="#top">Top</a></li></ul></nav>\n'


def _text(page: DemoPage, random: Random) -> str:
    if not page.topic:
        return f"<p>{random.choice(NEUTRAL)}</p>\n"
    parts = []
    for link in page.inline:
        parts.append(f"<p>{escape(paragraph(page.topic, random))}</p>\n")
        parts.append(f"<p>{escape(sentence(link.topic, random))} {_anchor(link)}.</p>\n")
    return "".join(parts)


def _list(links: list[DemoLink]) -> str:
    return "<ul>\n" + "".join(f"<li>{_anchor(link)}</li>\n" for link in links) + "</ul>\n" if links else ""


def _footer(page: DemoPage) -> str:
    links = " | ".join(map(_anchor, page.footer))
    imprint = f'&copy; {escape(page.site.name)}, mail <a href="mailto:us@{page.site.host}">us</a>'
    return f"<footer><p>{links}</p><p>{imprint}</p></footer>\n"


def _anchor(link: DemoLink) -> str:
    rel = ' rel="nofollow"' if link.nofollow else ""
    return f'<a href="{escape(link.url)}"{rel}>{escape(link.text)}</a>'
