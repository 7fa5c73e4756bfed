"""The plan of the demo web: its hosts, the pages each has, what they link to, and their words: plausible English, nobody's text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random


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
