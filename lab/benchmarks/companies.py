"""How good `scrapy companies` is: from three sites of a topic it crawls, and ranks sites; how many held-out ones come first?

Of a topic whose targets lie on enough registered domains, three domains are drawn, with one target each as seeds. The topic's own
seeds join them: neutral starting points, such as pages that a search or augmenting would bring. All other domains with targets
are held out. The recorded web is served on this machine, and crawled live. Sites are then ordered in five ways.

Example:
    python -m lab datasets topics topics.json --web docs-web.warc.gz --nofollow ignore --out data/companies/topics
    python -m lab.benchmarks.companies docs-web.warc.gz --topics 'data/companies/topics/*-hard.toml' --out data/companies
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean

from focused.companies.sites import Sites, sites_of
from focused.crawl.domains import domain_of
from focused.exceptions import EvaluationError, FocusedError
from focused.reading.urls import host_of
from focused.simulation.known_webs import open_web
from focused.simulation.proxy.server import serving
from lab.benchmarks.measured import measured, options
from lab.topics.labelled_files import LabelledFile, labelled_files

SEEDS, FEWEST, DRAWS = 3, 8, 2  #: domains that are seeds, that a topic has at least; crawls of a topic
PAGES, OF_A_HOST = 500, 40
FIRST = (10, 20)
FIGURES = "companies.json"
SETTINGS: dict[str, object] = {"DOWNLOAD_DELAY": 0, "CONCURRENT_REQUESTS": 16, "LOG_LEVEL": "WARNING"}

Order = Callable[[Sites, int], tuple[float, ...]]
ORDERS: Mapping[str, Order] = {
    "hubs alone": lambda sites, one: (float(sites.rated.cited[one]),),
    "number of pages": lambda sites, one: (float(sites.rated.pages[one]),),
    "number of relevant pages": lambda sites, one: (float(sites.rated.relevant[one]),),
    "relevance of the best three pages": lambda sites, one: (float(sites.rated.relevance[one]),),
    "the rating": lambda sites, one: (float(sites.rated.rating[one]), float(sites.rated.cited[one])),
}


@dataclass(frozen=True, slots=True)
class Found:
    """One crawl.

    seeds : domains
    met : held-out domains of which it has pages
    first : by order, how many held-out domains are among the first 10 and 20 sites
    """

    topic: str
    draw: int
    seeds: list[str]
    held_out: int
    met: int
    first: dict[str, list[int]]


def targets_by_domain(labelled: LabelledFile) -> dict[str, list[str]]:
    """The targets of a topic by registered domain, both in alphabetical order."""
    found: dict[str, list[str]] = {}
    for url in sorted(labelled.read().judgements.targets):
        found.setdefault(domain_of(host_of(url)), []).append(url)
    return dict(sorted(found.items()))


def crawled(labelled: LabelledFile, draw: int, pages: int, port: int, folder: Path) -> Found:
    """Crawl a topic from some of its domains, and rank what was found. No label but the seeds reaches the crawl."""
    domains, chance = targets_by_domain(labelled), random.Random(f"{labelled.topic.name} {draw}")
    known = chance.sample(list(domains), SEEDS)
    seeds = [*(chance.choice(domains[one]) for one in known), *labelled.topic.seeds]
    arguments = {
        "topic": labelled.labels.parent / f"{labelled.topic.name}.toml",
        "seeds": ",".join(seeds),
        "strategy": "hub_seeking",
        "pages": pages,
        "scope.pages_per_host": OF_A_HOST,
    }
    given = [word for name, value in arguments.items() for word in ("-a", f"{name}={value}")]
    measured(["crawl", "topical", *options(SETTINGS | {"FOCUSED_DATA_DIR": folder}), *given], port, folder / "log.txt")
    sites = sites_of(folder / labelled.topic.name, lambda *_: None)
    held_out = domains.keys() - {domain_of(host_of(url)) for url in seeds}
    met = sum(name in held_out and bool(sites.rated.pages[one]) for one, name in enumerate(sites.names))
    return Found(labelled.topic.name, draw, known, len(held_out), met, first_of(sites, held_out))


def first_of(sites: Sites, held_out: set[str]) -> dict[str, list[int]]:
    """By order, how many held-out domains are among the first sites, which are no seeds."""
    candidates = sites.ordered()
    found: dict[str, list[int]] = {}
    for name, key in ORDERS.items():
        ordered = sorted(candidates, key=lambda one: (*(-value for value in key(sites, one)), sites.names[one]))
        found[name] = [sum(sites.names[one] in held_out for one in ordered[:count]) for count in FIRST]
    return found


def table(found: Sequence[Found]) -> Iterator[str]:
    """The means of all crawls, as Markdown."""
    yield (
        f"{len(found)} crawls of {len({one.topic for one in found})} topics met {mean(one.met for one in found):.1f} of "
        f"{mean(one.held_out for one in found):.1f} held-out domains on average.\n"
    )
    yield "| sites ordered by | " + " | ".join(f"first {count}" for count in FIRST) + " |"
    yield "|---|" + "---|" * len(FIRST)
    for name in ORDERS:
        means = (mean(one.first[name][place] for one in found) for place in range(len(FIRST)))
        yield f"| {name} | " + " | ".join(f"{value:.2f}" for value in means) + " |"
    pages, rating = ([one.first[name][0] for one in found] for name in ("number of pages", "the rating"))
    better, worse = (
        sum(sign * (mine - other) > 0 for mine, other in zip(rating, pages, strict=True)) for sign in (1, -1)
    )
    yield f"\nAmong the first {FIRST[0]}, the rating has more than the number of pages in {better} crawls, fewer in {worse}."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("web", nargs="+", help="the recorded web, as scrapy serve-web takes it")
    parser.add_argument("--topics", nargs="+", required=True, help="topics with labels: files, folders, or patterns")
    parser.add_argument("--pages", type=int, default=PAGES, help=f"of each crawl (default: {PAGES})")
    parser.add_argument("--draws", type=int, default=DRAWS, help=f"crawls of each topic (default: {DRAWS})")
    parser.add_argument("--fewest", type=int, default=FEWEST, help=f"domains that a topic has (default: {FEWEST})")
    parser.add_argument("--out", type=Path, help=f"folder of {FIGURES}")
    arguments = parser.parse_args()
    topics = [one for one in labelled_files(arguments.topics) if len(targets_by_domain(one)) >= arguments.fewest]
    if not topics:
        raise EvaluationError(f"no topic has targets on {arguments.fewest} domains; give a smaller --fewest")
    found: list[Found] = []
    web = open_web(arguments.web, None)
    with serving(web) as server:
        for topic in topics:
            for draw in range(arguments.draws):
                print(f"{topic.topic.name}: crawl {draw + 1} of {arguments.draws}", file=sys.stderr, flush=True)
                with tempfile.TemporaryDirectory() as folder:
                    found.append(crawled(topic, draw, arguments.pages, server.port, Path(folder)))
                if arguments.out:
                    arguments.out.mkdir(parents=True, exist_ok=True)
                    (arguments.out / FIGURES).write_text(json.dumps([asdict(one) for one in found], indent=1))
    print("\n".join(table(found)))


if __name__ == "__main__":
    try:
        main()
    except FocusedError as error:
        sys.exit(str(error))
