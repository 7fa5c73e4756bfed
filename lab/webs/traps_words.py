"""The vocabularies of the trap web: ordinary English words (nobody's text) of each topic and of life in general."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from focused.simulation.demo.demo_text import TOPICS as DEMO_TOPICS


@dataclass(slots=True, frozen=True)
class Words:
    """What pages of one topic talk about. Nouns have a regular plural; verbs take an object."""

    name: str  #: of the topic, as a person would write it
    nouns: tuple[str, ...]
    verbs: tuple[str, ...]
    adjectives: tuple[str, ...]
    keywords: tuple[str, ...] = ()  #: what a person would look for it by; only of topics that are crawled for


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(","))


#: Topics that a crawl looks for.
SOUGHT: Mapping[str, Words] = {
    "wind": Words(
        "wind energy",
        _words(
            "wind turbine, rotor blade, wind farm, nacelle, gearbox, offshore tower, anemometer, generator, foundation, "
            "grid operator, yaw drive, transformer, sea cable, turbine blade, wind speed, wind park, repowering project, "
            "feed-in tariff, megawatt, substation, pitch bearing, turbine tower, hub height, wake model, met mast, "
            "lightning receptor, turbine owner, power curve, grid code, monopile, jacket foundation, wind resource, "
            "service vessel, blade root, capacity factor, wind measurement, crane, wind energy cooperative, turbine noise"
        ),
        _words(
            "erect, feather, brake, connect, monitor, repower, lubricate, measure, anchor, curtail, commission, align"
        ),
        _words(
            "offshore, windy, three-bladed, gearless, onshore, upwind, coastal, gusty, turbulent, renewable, floating"
        ),
        ("wind energy", "wind turbine", "wind farm", "offshore wind", "rotor blade", "turbine"),
    ),
    "bees": Words(
        "beekeeping",
        _words(
            "beehive, honey bee, queen bee, drone, worker bee, brood frame, honeycomb, apiary, swarm, nectar source, smoker, "
            "bee colony, varroa mite, honey super, hive tool, pollen basket, beekeeper, wax foundation, queen cell, hive box, "
            "honey extractor, bee veil, brood nest, nurse bee, royal jelly jar, hive stand, bee space, sugar feeder, robber bee, "
            "mite treatment, honey jar, bee suit, hive entrance, mating flight, forager bee, skep, top-bar hive, bee yard"
        ),
        _words("smoke, requeen, swarm, inspect, extract, forage, winter, feed, split, rear, hive, uncap"),
        _words(
            "capped, gentle, queenless, foraging, sticky, varroa-resistant, overwintered, buzzing, waxy, apicultural"
        ),
        ("beekeeping", "honey bee", "beehive", "bee colony", "queen bee", "hive"),
    ),
    "rail": Words(
        "railways",
        _words(
            "railway line, locomotive, railway station, signal box, freight wagon, passenger coach, rail track, level crossing, "
            "railway bridge, branch line, train driver, overhead wire, tram, sleeper, ballast bed, turnout, shunting yard, "
            "railway tunnel, steam engine, diesel locomotive, timetable, platform, bogie, coupling, rail gauge, express train, "
            "railway depot, semaphore signal, rail operator, night train, railway viaduct, buffer stop, railcar, train guard, "
            "high-speed train, interlocking, water tower, railway museum, track circuit"
        ),
        _words("haul, shunt, couple, electrify, signal, derail, ballast, timetable, reopen, restore, brake, divert"),
        _words(
            "narrow-gauge, electrified, single-track, disused, steam-hauled, articulated, suburban, intercity, signalled"
        ),
        ("railway", "locomotive", "train", "railway station", "rail track", "railway line"),
    ),
    "bread": Words(
        "bread baking",
        _words(
            "sourdough starter, bread loaf, rye flour, baking stone, proofing basket, bread oven, wheat dough, yeast, crumb, "
            "crust, baguette, dough scraper, bread recipe, preferment, baker, gluten strand, whole-grain loaf, bread knife, "
            "kneading trough, oven spring, scoring blade, flour mill, bran, dough ball, bread roll, flatbread, baking tin, "
            "bakery, leaven, salt dose, hydration level, bulk fermentation, bread slice, steam tray, spelt loaf, poolish, ciabatta"
        ),
        _words("knead, proof, ferment, score, bake, shape, fold, leaven, mill, slash, retard, sift"),
        _words("sourdough, crusty, leavened, unbleached, stone-ground, well-hydrated, floury, wholemeal, airy, rustic"),
        ("bread baking", "sourdough", "bread", "dough", "flour", "bakery"),
    ),
    "caves": Words(
        "caving",
        _words(
            "cave, stalactite, stalagmite, karst spring, sinkhole, cave diver, rope ladder, pothole, limestone cave, caver, "
            "helmet lamp, sump, cave passage, flowstone, bat colony, cave survey, descender, cave rescue team, show cave, "
            "carbide lamp, speleologist, squeeze, doline, lava tube, cave map, underground river, gour pool, cave entrance, "
            "caving club, static rope, boulder choke, ice cave, cave pearl, karst plateau, rope pitch, bolt anchor, moonmilk, "
            "cave bear bone, dye trace"
        ),
        _words("survey, abseil, rig, descend, map, dive, explore, dig, gate, squeeze, light, dye"),
        _words(
            "subterranean, flooded, karstic, dripping, vadose, vertical, unexplored, calcite, phreatic, muddy, fossil"
        ),
        ("caving", "cave", "stalactite", "karst", "underground river", "caver"),
    ),
    "clocks": Words(
        "clockmaking",
        _words(
            "pendulum clock, escapement, mainspring, balance wheel, clock dial, hour hand, pocket watch, watchmaker, cuckoo clock, "
            "longcase clock, striking train, clock case, pallet fork, hairspring, clockmaker, marine chronometer, winding key, "
            "clock movement, sundial, turret clock, carriage clock, gear train, arbor, pivot, bushing, alarm clock, watch case, "
            "minute repeater, clock weight, fusee, anchor escapement, enamel dial, crown wheel, tourbillon, clock bell, "
            "wristwatch, clock spring, verge, pinion"
        ),
        _words("wind, regulate, oil, strike, gild, engrave, bush, pivot, polish, clean, tick, overhaul"),
        _words(
            "chiming, spring-driven, weight-driven, eight-day, skeletonised, enamelled, ticking, jewelled, brass, horological"
        ),
        ("clockmaking", "clock", "watchmaker", "pendulum", "escapement", "pocket watch"),
    ),
}
#: What other pages are about.
OTHERS: Mapping[str, Words] = {
    key: Words(topic.name, topic.nouns, topic.verbs, topic.adjectives)
    for key, topic in DEMO_TOPICS.items()
    if key not in SOUGHT
} | {
    "chess": Words(
        "chess",
        _words(
            "chess board, bishop, opening, endgame, knight, pawn chain, grandmaster, chess clock, castling move, gambit, "
            "tournament, rating list, rook, checkmate, chess club, blitz game, stalemate, queen trade, chess puzzle, fork"
        ),
        _words("castle, capture, sacrifice, pin, promote, attack, defend, resign, mate, analyse"),
        _words("positional, tactical, passed, doubled, aggressive, drawn, sharp, simultaneous"),
    ),
    "pottery": Words(
        "pottery",
        _words(
            "potter's wheel, glaze, kiln, clay body, slip, bisque, teapot, vase, bowl, porcelain cup, stoneware jug, handle, "
            "throwing tool, kiln shelf, cone, raku pot, celadon, coil, slab, sponge"
        ),
        _words("throw, glaze, fire, trim, wedge, burnish, slip, carve, centre, pinch"),
        _words("glazed, unfired, leather-hard, hand-thrown, earthen, crackled, matt, porous"),
    ),
}
#: Words of any page.
GENERAL = Words(
    "life in general",
    _words(
        "year, report, meeting, question, city, region, company, family, school, letter, garden, street, office, study, result, "
        "problem, reason, plan, week, month, newspaper, member, village, county, minister, council, university, history, river, "
        "bridge, market, price, contract, loan, insurance, visitor, guest, neighbour, photograph, map, library, archive, "
        "committee, volunteer, workshop, lecture, exhibition, summer, winter, holiday, morning, evening, kitchen, window, door, "
        "car, bus, ticket, journey, mountain, valley, coast, island, harbour, weather, storm, rain shower, newsletter, website, "
        "computer, telephone, programme, course, teacher, student, doctor, nurse, hospital, museum, church, castle, tower, "
        "concert, song, film, book, chapter, author, reader, editor, page, paragraph, idea, opinion, argument, experiment, method, "
        "measure, number, table, figure, budget, tax, law, rule, court, judge, police officer, election, party, mayor, "
        "decision, project, partner, supplier, customer, order, delivery, machine, tool, material, colour, shape, surface, size"
    ),
    _words(
        "visit, describe, change, improve, compare, explain, collect, discuss, support, publish, review, repair, organise, "
        "replace, remember, choose, expect, follow, share, finish, prepare, present, protect, reduce, raise, accept, avoid, "
        "examine, consider, plan, record, open, close, move, keep, find, test, support, count, sell, buy, welcome, question, cover"
    ),
    _words(
        "new, old, small, large, local, public, private, early, late, quiet, busy, modern, simple, careful, cheap, expensive, "
        "useful, strange, famous, regional, annual, recent, common, rare, short, long, heavy, light, warm, cold, open, free, "
        "difficult, easy, important, popular, serious, technical, traditional, young, wide, narrow, main, central, final"
    ),
)
PEOPLE = _words(
    "The council, Local people, Our members, Two engineers, A friend of mine, The authors, Several readers, The owner, Experts, "
    "My neighbours, Some visitors, The institute, Both teams, The volunteers, A committee, Researchers, The museum, One of us"
)
TIMES = _words(
    "last year, in spring, since 1998, in the end, at the weekend, for ten years, every morning, in 2016, after the war, "
    "twice a month, before winter, until today, in the long run, from time to time, over the summer, in some regions"
)
SENTENCES = (
    "Most {p} {v} the {n} {t}.",
    "A {a} {n} can {v} many {p}.",
    "{w} often {v} the {n} before they look at the {a} {n}.",
    "When the {n} is {a}, all {p} {v} it {t}.",
    "There is no {a} {n} without {p} and {p}.",
    "In our experience the {n} and the {n} were both {a}.",
    "{w} began to {v} {a} {p} {t}.",
    "Whether {p} {v} a {a} {n} depends on the {n}.",
    "Never {v} the {n} unless the {p} are {a}.",
    "{w} say that {a} {p} need a better {n}.",
    "It took {w} three weeks to {v} the {n}, because the {n} was too {a}.",
    "The {n} of the {n} has been {a} {t}.",
    "If you {v} a {n}, keep the {p} away from the {a} {n}.",
    "{w} wanted to {v} the {a} {n}; others preferred a {n}.",
    "Why should anybody {v} {p}? Because of the {n}, and because {p} are {a}.",
    "Of all {p}, the {a} {n} is what {w} {v} most.",
    "You will need a {n}, two {p} and a {a} {n}.",
    "This {n} was built {t}, long before the first {n}.",
    "Compared with a {n}, the {a} {n} costs half as much.",
    "The {p} that {w} {v} are {a}, but the {n} is not.",
    "{w} wrote about a {n} that could {v} {p} {t}.",
    "Between the {n} and the {n} lies a {a} {n}.",
    "Not every {n} is as {a} as this one.",
    "{w} showed us how to {v} {a} {p} with a {n}.",
    "Some {p} {v} nothing at all {t}, and nobody knows whether the {n} is to blame.",
    "With more {p} than ever, {w} had to {v} the {n}.",
    "A {n} near the {n} was sold {t}.",
    "We found {a} {p}, a broken {n} and hardly any {n}.",
    "What looks like a {n} is often only a {a} {n}.",
    "{w} have to {v} both the {n} and its {p} {t}.",
)
TITLES = (
    "How to {v} the {n}",
    "The {a} {n} and its {p}",
    "{a} {p} for everybody",
    "Choosing a {n}: {p} or {p}",
    "Why we {v} {p}",
    "Ten questions on the {a} {n}",
    "A {n} for every {n}",
    "{p}, {p} and a {a} {n}",
    "From {n} to {n}",
    "The {n} that nobody could {v}",
)
VAGUE = ("read more", "here", "continue", "this page", "details", "full story", "more")
