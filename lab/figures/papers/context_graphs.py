"""The context focused crawler against a focused crawler with the same classifier of the seed set, and breadth-first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from focused.collection.trained_model import save_model
from focused.page.page import Page
from focused.page.reader import Reader, ReadingOptions
from focused.papers.models.layers import LayerClassifier, TermCounts
from focused.papers.training.examples import OTHER, RELEVANT, Examples, TrainingDocument
from focused.papers.training.kinds import Layers, card_of
from focused.papers.training.sources import web_documents
from focused.simulation.analysed_web import AnalysedWeb, Fetched
from focused.simulation.web_opener import WebOpener
from focused.topic.topic import Topic
from lab.benchmarks.reproduce_webkb import ELSEWHERE
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
from lab.topics.webkb_topics import KEYWORDS, UNIVERSITIES, webkb_topics
from lab.webs.webkb import WebKB

ALL_TERMS = 100_000  #: more than any bed has
GRAPHS, SEED_SET = "graphs", "seed-set"  #: names of the models of one topic
PRINTED, TERMS, FEW = "as-printed", "as-printed-1000-terms", "few-pages"  #: further ones
#: Options of each model that context graphs make.
MODELS: dict[str, dict[str, Any]] = {
    GRAPHS: {},
    PRINTED: {"as_printed": True, "vocabulary": ALL_TERMS},
    TERMS: {"as_printed": True},
    FEW: {"layer_pages": 6},
}
#: Who crawls with them. With one layer, the links of the likeliest pages come first: a focused crawler without a context.
CONTEXT = {"name": "context_graph", "model": GRAPHS}
FOCUSED = {"name": "context_graph", "model": SEED_SET}
#: Models: the classifier of the seed set with the likelihood as printed, by number of terms.
RIVALS = {f"{SEED_SET}-{PRINTED}": ALL_TERMS, f"{SEED_SET}-{TERMS}": 1000}


def save_models(examples: Examples, folder: Path) -> None:
    """Learn all models from the same pages on topic, and keep them in a folder.

    A layer that no link leads from is left out. Raises StorageError where the folder cannot be written to.

    Source: Diligenti, Coetzee, Lawrence, Giles & Gori 2000, "Focused Crawling Using Context Graphs", sections 3.1, 3.2 and 4:
    the focused crawler has the classifier that the context focused crawler has for the seed set.
    """
    kind = Layers()
    documents = [TermCounts.of(document.page.terms) for document in examples.documents]
    targets = [place for place, document in enumerate(examples.documents) if examples.is_good(document)]
    models = {name: Layers(Layers.Options(**options)).fit(examples) for name, options in MODELS.items()}
    models[SEED_SET] = LayerClassifier.fit([targets], documents)
    for name, terms in RIVALS.items():
        models[name] = LayerClassifier.fit([targets], documents, vocabulary_terms=terms, as_printed=True)
    for name, model in models.items():
        save_model(folder, card_of(kind, name, (kind.name, name), examples, model, {}), model)


WEBKB = "webkb"
WINDOW = 200  #: downloads, of figure 5
STAGES = (100, 250, PAGES)
#: Of figures 4, 5 and 7.
PLAIN: dict[str, dict[str, Any]] = {"context": CONTEXT, "focused": FOCUSED, "breadth_first": {}}
#: Beside `context`: the likelihood and the order of children as printed, with all terms and with as many as ours; and layers of
#: fewer pages, as a crawl of 1,000 pages that fetches its graphs out of its budget has for ten seeds.
WAYS: dict[str, dict[str, Any]] = {
    f"context-{PRINTED}": {**CONTEXT, "model": PRINTED, "as_printed": True},
    f"context-{TERMS}": {**CONTEXT, "model": TERMS, "as_printed": True},
    f"context-{FEW}": {**CONTEXT, "model": FEW},
}
#: Like with like: both crawlers of the paper download all the children of a page before those of the next (sections 3.3 and 4).
#: First with our likelihood, then with that as printed, of as many terms as ours and of all.
PAIRS: dict[str, str] = {
    "context-block": "focused-block",
    f"context-{TERMS}": f"focused-{TERMS}",
    f"context-{PRINTED}": f"focused-{PRINTED}",
}
HEADLINE = (f"context-{TERMS}", f"focused-{TERMS}", "breadth_first")  #: those of figure 4
BLOCKS: dict[str, dict[str, Any]] = {
    "context-block": {**CONTEXT, "as_printed": True},
    "focused-block": {**FOCUSED, "as_printed": True},
    **{f"focused-{way}": {**FOCUSED, "model": f"{SEED_SET}-{way}", "as_printed": True} for way in (TERMS, PRINTED)},
}
#: Of figure 6, beside `context`.
PARENTS: dict[str, dict[str, Any]] = {"context-parents": {**CONTEXT, "parents": True}}
#: Of figure 7: a crawl that fetches its context graphs itself, out of its budget.
BEGINNING: dict[str, dict[str, Any]] = {"context-begins": {"name": "context_graph"}}
HARVEST, LIKELIHOOD = "harvest_rate", f"average_likelihood_{WINDOW}"


class ContextGraphs(Figure):
    paper = "Diligenti, Coetzee, Lawrence, Giles & Gori 2000, Focused Crawling Using Context Graphs, figures 4 to 7"
    shows = "pages on topic and average relevance of crawls with context graphs, with backlinks, and without either"
    needs: ClassVar[tuple[str, ...]] = (WIKISPEEDIA, WEBKB)
    minutes = 12

    def make(self, bench: Bench) -> list[str]:
        hierarchy = _crawled(
            bench, "hierarchy", WEBKB, list(_universities(bench)), {**PLAIN, **BLOCKS, **WAYS, **PARENTS}, _at_once()
        )
        flat = _crawled(
            bench, "flat", WIKISPEEDIA, list(_articles(bench)), {**PLAIN, **BLOCKS, **WAYS, **BEGINNING}, {}
        )
        picture = bench.picture(
            "figures-4-to-7",
            curves_of(hierarchy, HARVEST, "share on topic", HEADLINE, "(4) universities, as printed"),
            curves_of(hierarchy, LIKELIHOOD, f"average likelihood, {WINDOW} pages", list(PLAIN), "(5) universities"),
            curves_of(hierarchy, HARVEST, "share on topic", ("context", *PARENTS), "(6) universities"),
            curves_of(flat, HARVEST, "share on topic", (*PLAIN, *BEGINNING), "(7) encyclopedia"),
            columns=2,
        )
        return [
            *picture,
            *("Universities (figures 4 to 6), pages on topic after so many downloads:", ""),
            *means_table("crawler", _found(hierarchy), 1),
            *claims_table([*_claims(hierarchy), *_of_ways(hierarchy)]),
            *("Encyclopedia (figure 7):", ""),
            *means_table("crawler", _found(flat), 1),
            *claims_table([*_of_flat(flat), *_of_ways(flat)]),
        ]


@dataclass(frozen=True)
class Task:
    """A topic, and what its models are learned from."""

    topic: LabelledTopic
    examples: Examples


def _universities(bench: Bench) -> Iterator[Task]:
    """Kinds of pages at four universities. Their examples are the pages of that kind at the three others."""
    web = WebKB(bench.webs[WEBKB])
    known = {topic.name: topic for topic in webkb_topics(web)}
    bench.say("hierarchy: the pages of all universities are read")
    pages = list(web_documents(web, Reader(ReadingOptions(fold_index=True)), without=ELSEWHERE))
    for kind in KEYWORDS:
        for university in UNIVERSITIES:
            taught = [document for document in pages if web.part_of(document.page.url) != university]
            examples = Examples(taught, frozenset({(kind,)}), sources=[f"WebKB without {university}"])
            yield Task(known[f"{university}-{kind}"], examples)


def _articles(bench: Bench) -> Iterator[Task]:
    """Every fourth topic of Wikispeedia. Its examples are its seeds; who links to them is told by the whole web."""
    chosen = topics(bench, each=4)
    opener = WebOpener([f"{bench.webs[WIKISPEEDIA]}:layout={LAYOUT}"], bench.cache)
    bench.say("flat: all articles are read")
    with closing(opener):
        any_topic = Topic(name="models", keywords=chosen[0].keywords, seeds=chosen[0].seeds)
        web = opener.open(any_topic, Reader(ReadingOptions()))
        pages = list(_pages(web))
    for topic in chosen:
        seeds = set(topic.seeds)
        documents = [TrainingDocument(page, RELEVANT if page.url in seeds else OTHER) for page in pages]
        yield Task(topic, Examples(documents, sources=["the seeds of the topic in Wikispeedia"]))


def _pages(web: AnalysedWeb) -> Iterator[Page]:
    for url in web.web.urls():
        answer = web.ask(web.reader.rules.canonical(url) or url)
        if isinstance(answer, Fetched):
            yield answer.page


def _at_once() -> dict[str, Any]:
    """One request at a time: at one university all pages lie on a few hosts."""
    return {"network": {"in_flight": 1, "per_host": 1, "delay": 0}}


def _crawled(
    bench: Bench,
    name: str,
    kind: str,
    tasks: Sequence[Task],
    crawlers: Mapping[str, dict[str, Any]],
    network: Mapping[str, Any],
) -> Results:
    """Crawl each task with models of its own, and join what was found."""
    bed = {**tables(dict(crawlers), importance=["likelihood"], windows=[WINDOW]), **network}
    made: list[Comparison] = []
    for task in tasks:
        models = bench.folder / name / "models" / task.topic.name
        save_models(task.examples, models)
        made.append(bench.compare(f"{name}/{task.topic.name}", bed, kind, [task.topic], models=models))
    judged = [topic for one in made for topic in one.results.topics]
    return Results(made[0].results.experiment, judged)


def _found(results: Results) -> dict[str, dict[str, dict[str, float]]]:
    """Pages on topic after each number of downloads."""
    return {
        f"after {pages}": {
            name: {topic: pages * share for topic, share in values_at(results, HARVEST, name, pages).items()}
            for name in results.strategies
        }
        for pages in STAGES
    }


def _whole_curve(results: Results, name: str) -> dict[str, float]:
    """Topic -> the mean over a whole crawl of the average likelihood in the window, in thousandths."""
    crawls = [crawl for crawl in results.crawls if crawl.strategy == name]
    return {crawl.topic: 1000 * float(crawl.curves[LIKELIHOOD].mean()) for crawl in crawls}


def _claims(results: Results) -> Iterator[Claim]:
    def at(name: str, pages: int) -> dict[str, float]:
        return values_at(results, HARVEST, name, pages)

    for better, worse in ({"context": "focused"} | PAIRS).items():
        yield from _ahead("(4) ", "50 to 60 % more", results, better, worse)
    yield Claim(
        f"(4) focused finds more than breadth-first, {PAGES} pages",
        '"orders of magnitude"',
        at("focused", PAGES),
        at("breadth_first", PAGES),
    )
    for other in ("focused", "breadth_first"):
        yield Claim(
            f"(5) the likelihood of context's pages is above {other}'s (thousandths)",
            '"significantly higher"',
            _whole_curve(results, "context"),
            _whole_curve(results, other),
        )
    yield Claim(
        f"(6) backlinks help context, {PAGES} pages",
        "read off the figure",
        at("context-parents", PAGES),
        at("context", PAGES),
    )


def _ahead(figure: str, printed: str, results: Results, better: str, worse: str) -> Iterator[Claim]:
    for pages in STAGES:
        ours, other = (values_at(results, HARVEST, crawler, pages) for crawler in (better, worse))
        yield Claim(
            f"{figure}{better} finds more than {worse}, {pages} pages{_more(ours, other)}", printed, ours, other
        )


def _of_flat(results: Results) -> Iterator[Claim]:
    def at(name: str) -> dict[str, float]:
        return values_at(results, HARVEST, name, PAGES)

    for name in ("context", *BEGINNING):
        yield Claim(
            f"(7) {name} is ahead of focused by less, if at all{_more(at(name), at('focused'))}",
            "the least of all",
            at(name),
            at("focused"),
        )
    for better, worse in PAIRS.items():
        yield from _ahead("(7) ", "the least of all", results, better, worse)
    yield Claim("(7) context is ahead of breadth-first", '"significantly"', at("context"), at("breadth_first"))


def _of_ways(results: Results) -> Iterator[Claim]:
    """What the choices of the paper bring, of which it says nothing."""
    for name in WAYS:
        yield from _ahead("", "", results, name, "context")


def _more(better: Mapping[str, float], worse: Mapping[str, float]) -> str:
    """How much more the one has than the other, in all."""
    total = sum(worse.values())
    return f": {sum(better.values()) / total - 1:+.0%}" if total else ""
