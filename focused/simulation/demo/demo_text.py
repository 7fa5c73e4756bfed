"""The words of the demo web: plausible English (nobody's text) drawn from a small vocabulary for each topic."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random


@dataclass(slots=True, frozen=True)
class Vocabulary:
    """What pages of one topic talk about. Nouns are countable with a regular plural; verbs take an object."""

    name: str  #: of the topic, as a person would write it
    nouns: tuple[str, ...]
    verbs: tuple[str, ...]
    adjectives: tuple[str, ...]
    people: tuple[str, ...]


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(","))


TOPICS = {
    "solar": Vocabulary(
        "solar energy",
        _words(
            "solar panel, photovoltaic module, inverter, silicon cell, solar collector, roof array, charge controller, "
            "solar farm, heliostat, sun tracker, battery, solar cell, mounting rail, feed-in tariff, sunbeam, kilowatt"
        ),
        _words("convert, absorb, charge, shade, install, feed, store, generate"),
        _words("photovoltaic, sunny, monocrystalline, south-facing, thin-film, grid-connected, renewable, efficient"),
        _words("installers, roof owners, solar engineers, electricians"),
    ),
    "wind": Vocabulary(
        "wind power",
        _words(
            "wind turbine, rotor blade, nacelle, gearbox, offshore tower, wind farm, gust, anemometer, generator, "
            "foundation, kilowatt, grid operator, yaw drive, transformer, sea cable, breeze"
        ),
        _words("turn, generate, brake, feather, feed, lift, measure, anchor"),
        _words("windy, offshore, three-bladed, stormy, renewable, steady, gearless, coastal"),
        _words("turbine builders, wind engineers, sailors, grid planners"),
    ),
    "football": Vocabulary(
        "football",
        _words(
            "goalkeeper, striker, penalty, league match, midfielder, corner kick, referee, stadium, free kick, trophy, "
            "defender, transfer, derby, tackle, goal, season"
        ),
        _words("score, defend, tackle, dribble, win, lose, coach, substitute"),
        _words("offside, unbeaten, injured, left-footed, offensive, sold-out, furious, fast"),
        _words("fans, coaches, players, reporters"),
    ),
    "cooking": Vocabulary(
        "cooking",
        _words(
            "saucepan, tomato soup, onion, clove, dough, casserole, oven, lemon, recipe, noodle, pancake, herb, "
            "stew, dumpling, crème brûlée, purée"
        ),
        _words("simmer, chop, bake, roast, season, whisk, knead, taste"),
        _words("crispy, tender, spicy, sautéed, buttery, fresh, roasted, salty"),
        _words("cooks, bakers, guests, chefs"),
    ),
    "astronomy": Vocabulary(
        "astronomy",
        _words(
            "telescope, galaxy cluster, comet, solar eclipse, sunspot, nebula, asteroid, planet, crater, star, "
            "solar flare, observatory, orbit, meteor, lens, quasar"
        ),
        _words("observe, orbit, photograph, measure, magnify, eclipse, discover, map"),
        _words("distant, sunlit, lunar, bright, interstellar, faint, spiral, cold"),
        _words("astronomers, stargazers, observers, night owls"),
    ),
    "gardening": Vocabulary(
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


def _filled(template: str, words: Vocabulary, random: Random) -> str:
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
