"""Four crawlers from the seeds of a topic, and from the same seeds with hubs added, which link to several of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import ClassVar

from focused.explain.plain_output import ProgressLine
from focused.page.reader import Reader, ReadingOptions
from focused.seeds.backlinks.augmentation import Hub, find_hubs, recorded_contents, without_mirrors
from focused.seeds.searching.search_options import HubOptions
from focused.simulation.analysed_web import AnalysedWeb
from focused.simulation.first_reading import RecordedBacklinks
from focused.simulation.web_opener import WebOpener
from focused.topic.topic import Topic
from lab.figures.figure import (
    LAYOUT,
    PAGES,
    WIKISPEEDIA,
    Bench,
    Claim,
    Comparison,
    Figure,
    claims_table,
    means_table,
    tables,
    topics,
    values_at,
)
from lab.results.plots import curves_of
from lab.results.results import Results
from lab.topics.labelled_topics import LabelledTopic

CRAWLERS = ("hub_seeking", "dom", "best_first", "breadth_first")  #: from the best of the paper to the worst
WITH_HUBS = "-hubs"  #: ends the name of a crawler that starts from the augmented seeds
#: One to which a hub is a seed like any other, so that the host of the hub counts as a seed host.
HUB_HOSTS = "hub_seeking-hub-hosts"
PRECISION, RECALL = "average_precision", "target_recall_of_all"  #: the paper's recall is of all targets
ALL_BACKLINKS = 0  #: of a seed; the paper had the first ten of Google, and a recorded web has no order of importance


class AugmentedSeeds(Figure):
    paper = "Pant & Menczer 2003, Topical Crawling for Business Intelligence, figure 4 (a) to (d)"
    shows = "average precision and target recall of four crawlers, with augmented seeds and without"
    needs: ClassVar[tuple[str, ...]] = (WIKISPEEDIA,)
    minutes = 10

    def make(self, bench: Bench) -> list[str]:
        plain = topics(bench, each=2)
        augmented, found = _augmented(bench, plain)
        without = bench.compare("without", tables({name: {} for name in CRAWLERS}), WIKISPEEDIA, plain)
        with_hubs = bench.compare(
            "with-hubs",
            tables({f"{name}{WITH_HUBS}": {"name": name} for name in CRAWLERS}),
            WIKISPEEDIA,
            augmented,
            beside=without,
        )
        counted = [replace(topic, seeds=(*topic.seeds, *topic.hubs), hubs=()) for topic in augmented]
        hosts = bench.compare("hub-hosts", tables({HUB_HOSTS: {"name": "hub_seeking"}}), WIKISPEEDIA, counted)
        reports = without.results, with_hubs.results, hosts.results
        return [*_picture(bench, without, with_hubs), *_report(*reports, found)]


def hubs_of(topic: LabelledTopic, backlinks: RecordedBacklinks, web: AnalysedWeb) -> list[Hub]:
    """The hubs of a topic as section 6 of the paper finds them, but for targets, which would be told to the crawl.

    The paper leaves out copies of the page that seeds and targets were taken from. An article of the topic that links to others
    of it is no copy, but a target all the same.
    """
    wanted = HubOptions()
    left_out = {*topic.seeds, *topic.judgements.targets}
    hubs = find_hubs(backlinks.backlinks_of(topic.seeds), wanted.least, left_out)
    description = web.reader.analyser.terms(topic.description)
    kept, _ = without_mirrors(hubs, recorded_contents([web]), description, wanted.similarity)
    return kept[: wanted.most]


def _augmented(bench: Bench, plain: list[LabelledTopic]) -> tuple[list[LabelledTopic], list[str]]:
    """The topics that have hubs, with these among their seeds, and what was found, in words."""
    opener = WebOpener([f"{bench.webs[WIKISPEEDIA]}:layout={LAYOUT}"], bench.cache, hide_outside=False)
    with closing(opener), closing(ProgressLine(bench.interval)) as line:

        def tell(pages: int) -> None:
            line.show(lambda: f"hubs: {pages:,} pages read for their links")

        any_topic = Topic(name="hubs", keywords=plain[0].keywords, seeds=plain[0].seeds)
        web = opener.open(any_topic, Reader(ReadingOptions()))
        backlinks = RecordedBacklinks(web, ALL_BACKLINKS, tell)
        found = {topic.name: hubs_of(topic, backlinks, web) for topic in plain}
    augmented = [
        replace(topic, hubs=tuple(hub.url for hub in found[topic.name])) for topic in plain if found[topic.name]
    ]
    hubs = [hub for some in found.values() for hub in some]
    mean = sum(hub.hub_score for hub in hubs) / max(1, len(hubs))
    return augmented, [
        f"Hubs: {len(augmented)} of {len(plain)} topics have some (94 of 159 in the paper), {len(hubs)} in all; a hub links to "
        f"{mean:.1f} of the {len(plain[0].seeds)} seeds on average.",
        "",
    ]


def _picture(bench: Bench, without: Comparison, with_hubs: Comparison) -> list[str]:
    panels = [
        curves_of(made.results, curve, label, names, f"({letter}) {seeds}")
        for made, seeds, names, letters in (
            (without, "topic's seeds", CRAWLERS, "ab"),
            (with_hubs, "augmented seeds", [f"{name}{WITH_HUBS}" for name in CRAWLERS], "cd"),
        )
        for curve, label, letter in (
            (PRECISION, "average precision", letters[0]),
            (RECALL, "target recall", letters[1]),
        )
    ]
    return bench.picture("figure-4", *panels, columns=2)


def _report(plain: Results, both: Results, hosts: Results, found: list[str]) -> list[str]:
    own = values_at(both, RECALL, f"hub_seeking{WITH_HUBS}", PAGES)
    counted = values_at(hosts, RECALL, HUB_HOSTS, PAGES)
    return [
        *(f"The topic's seeds, {len(plain.topics)} topics, {PAGES} pages, (a) and (b):", ""),
        *means_table("crawler", _columns(plain, {"": ""})),
        *found,
        *(f"The {len(both.topics)} topics that have hubs, without these and with them, (c) and (d):", ""),
        *means_table("crawler", _columns(both, {"": "", " with hubs": WITH_HUBS})),
        *(
            "Hub-seeking from the augmented seeds, by what it takes for seed hosts, of which the paper says nothing:",
            "",
        ),
        *means_table("seed hosts", {"recall": {"of the topic's own seeds": own, "of hubs as well": counted}}),
        *claims_table([*_claims(plain, both), Claim("hosts of own seeds alone are better", "", own, counted)]),
    ]


def _columns(results: Results, ends: dict[str, str]) -> dict[str, dict[str, dict[str, float]]]:
    """The columns of a table. ends : what is added to a heading -> and to the name of a crawler."""
    return {
        f"{heading}{more}": {name: values_at(results, curve, f"{name}{end}", PAGES) for name in CRAWLERS}
        for heading, curve in (("precision", PRECISION), ("recall", RECALL))
        for more, end in ends.items()
    }


def _claims(plain: Results, both: Results) -> Iterator[Claim]:
    def figures(results: Results, curve: str, name: str) -> dict[str, float]:
        return values_at(results, curve, name, PAGES)

    yield Claim(
        "hub-seeking finds more than best-first (b)",
        "p = .004",
        figures(plain, RECALL, "hub_seeking"),
        figures(plain, RECALL, "best_first"),
    )
    yield Claim(
        "hub-seeking is more precise than best-first (a)",
        "p = .105",
        figures(plain, PRECISION, "hub_seeking"),
        figures(plain, PRECISION, "best_first"),
    )
    for better, worse in (("hub_seeking", "dom"), ("dom", "best_first"), ("best_first", "breadth_first")):
        yield Claim(
            f"{better} finds more than {worse} (b)",
            "the order",
            figures(plain, RECALL, better),
            figures(plain, RECALL, worse),
        )
    for better, printed in (("dom", "p = .024"), ("hub_seeking", "p = .002")):
        yield Claim(
            f"{better} finds more than best_first, augmented (d)",
            printed,
            figures(both, RECALL, f"{better}{WITH_HUBS}"),
            figures(both, RECALL, f"best_first{WITH_HUBS}"),
        )
    for name in CRAWLERS:
        yield Claim(
            f"augmented seeds help {name} to find more",
            "p < .015 for all four",
            figures(both, RECALL, f"{name}{WITH_HUBS}"),
            figures(both, RECALL, name),
        )
