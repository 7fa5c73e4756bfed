"""HCLA against PLSI + PHITS on papers and their citations, beside the other systems of the same paper."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from itertools import cycle
from pathlib import Path
from typing import Any, ClassVar

from scipy import stats

from focused.collection.trained_model import save_model
from focused.page.reader import Reader, ReadingOptions
from focused.papers.training.examples import Examples
from focused.papers.training.kinds import Corpus, card_of
from focused.papers.training.sources import web_documents
from lab.benchmarks.reproduce_webkb import LEVELS, table_beside
from lab.figures.figure import Bench, Claim, Figure, claims_table
from lab.results.plots import COLOURS, MARKERS, STYLES
from lab.results.results import Results
from lab.topics.cora_topics import cora_topics, half_of
from lab.webs.cora import Cora

CORA = "cora"
HCLA, PLSI = "hcla", "plsi_phits"
TRAINED = f"{HCLA}-trained"  #: as in the paper: with a background corpus, the texts of half the papers
#: Table 5: precision and then F1 at recalls .1, .5 and 1.
PAPER = {HCLA: (0.88, 0.72, 0.54, 0.18, 0.59, 0.70), PLSI: (0.86, 0.74, 0.47, 0.18, 0.60, 0.64)}
#: N = 25, section 5.2. Breadth-first has no choices, and best-first orders each link when it is found.
REORDERED = (HCLA, PLSI, "ss1", "ss2", "pagerank", "keyword_pagerank", "backlink_count")
STRATEGIES: dict[str, dict[str, Any]] = {
    TRAINED: {"name": HCLA, "model": HCLA, "reorder_every": 25},
    **{name: {"reorder_every": 25} for name in REORDERED},
    "best_first": {},
    "breadth_first": {},
}
RECALLS = tuple(tenth / 10 for tenth in range(1, 11))  #: where figure 9 is drawn
CONFIDENCE = 0.95


class CoraPapers(Figure):
    paper = (
        "Almpanidis, Kotropoulos & Pitas 2007, Combining text and link analysis for focused crawling, table 5, figure 9"
    )
    shows = "precision and F1 by recall on seven classes of Cora's papers (in the paper: another category of the whole Cora)"
    needs: ClassVar[tuple[str, ...]] = (CORA,)
    minutes = 10

    def make(self, bench: Bench) -> list[str]:
        bed = {
            "experiment": {"pages": 0},
            "network": {"in_flight": 1, "per_host": 1, "delay": 0},
            "measures": {"recall": list(RECALLS)},
            "strategies": STRATEGIES,
        }
        web = Cora(bench.webs[CORA])
        taught = half_of(web)
        topics = cora_topics(web, taught)
        models = bench.folder / "models"
        save_corpus(web, taught, models)
        results = bench.compare("papers", bed, CORA, topics, models=models).results
        return [
            *bench.picture("figure-9", _precision(results)),
            *table_beside(results, [topic.name for topic in topics], PAPER),
            *claims_table(_claims(results)),
        ]


def save_corpus(web: Cora, taught: Set[str], folder: Path) -> None:
    """Train the background corpus of HCLA (A) on the texts of some papers; their classes count for nothing.

    Source: Almpanidis, Kotropoulos & Pitas 2007, section 5.2: leave-one-out splits, and unlabelled papers of other categories.
    """
    documents = [one for one in web_documents(web, Reader(ReadingOptions())) if one.page.url in taught]
    examples, kind = Examples(documents, sources=["half of Cora's papers"]), Corpus()
    model = kind.fit(examples)
    save_model(folder, card_of(kind, HCLA, (kind.name, HCLA), examples, model, {}), model)


def _precision(results: Results) -> Callable[[Any], None]:
    """Precision by recall, mean over classes, with a confidence interval for the two that figure 9 has."""

    def fill(axes: Any) -> None:
        looks = zip(cycle(COLOURS), cycle(MARKERS), cycle(STYLES), strict=False)
        for name, (colour, marker, style) in zip(results.strategies, looks, strict=False):
            means = [found for level in RECALLS if (found := results.mean(f"precision_at_recall_{level:g}", name))]
            half = [found.standard_error * stats.t.ppf((1 + CONFIDENCE) / 2, found.topics - 1) for found in means]
            axes.errorbar(
                RECALLS,
                [found.value for found in means],
                yerr=half if name in PAPER else None,
                color=colour,
                marker=marker,
                linestyle=style,
                capsize=3,
                label=name,
            )
            if name in PAPER:
                axes.plot(LEVELS, PAPER[name][: len(LEVELS)], marker, color=colour, mfc="none", label=f"{name}, paper")
        axes.set(xlabel="recall", ylabel=f"precision, mean over {len(results.topics)} classes", xlim=(0, 1.02))
        axes.set_ylim(bottom=0)
        axes.grid(alpha=0.3)
        axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, handlelength=4)

    return fill


def _claims(results: Results) -> Iterator[Claim]:
    for hcla in (TRAINED, HCLA):
        for level, better, worse in ((0.1, hcla, PLSI), (0.5, PLSI, hcla), (1.0, hcla, PLSI)):
            printed = [PAPER[PLSI if name == PLSI else HCLA][LEVELS.index(level)] for name in (better, worse)]
            precision = results.figures[f"precision_at_recall_{level:g}"]
            yield Claim(
                f"precision of {better} is above that of {worse} at recall {level:g}",
                f"{printed[0]:.2f} and {printed[1]:.2f}",
                precision[better],
                precision[worse],
            )
    half = results.figures["precision_at_recall_0.5"]
    yield Claim("texts known beforehand make hcla more precise at recall 0.5", "", half[TRAINED], half[HCLA])
