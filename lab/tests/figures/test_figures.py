"""Figures of the papers are made on small webs: crawled, drawn, and what the papers claim tested."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from focused.collection.trained_model import load_model
from focused.page.reader import Reader, ReadingOptions
from focused.papers.models.layers import LayerClassifier
from focused.seeds.backlinks.augmentation import Hub
from focused.simulation.analysed_web import AnalysedWeb
from focused.simulation.first_reading import RecordedBacklinks
from lab.figures.figure import Bench, Claim, claims_table, means_table, topics
from lab.figures.papers import context_graphs, get_figure, hcla_variants, page_importance
from lab.figures.papers.augmented_seeds import AugmentedSeeds, hubs_of
from lab.figures.papers.context_graphs import GRAPHS, SEED_SET, ContextGraphs, Task, _articles, save_models
from lab.figures.papers.cora import PAPER, STRATEGIES
from lab.figures.papers.iq_learning import GAMMAS
from lab.tests.figures.bench import COPY, HUB, PAGES, bench, drawn
from lab.tests.webs.small_cora import write_cora
from lab.webs.wikispeedia import Wikispeedia
from tests.small_topics import write_webkb

HIGH = {"a": 0.9, "b": 0.8, "c": 0.7, "d": 0.9}
LOW = {"a": 0.1, "b": 0.2, "c": 0.1, "d": 0.2}


def last_cells(*claims: Claim) -> list[str]:
    return [line.strip("| ").rpartition("|")[2].strip() for line in claims_table(claims)[2:-1]]


def test_a_claim_holds_or_its_opposite_or_neither_can_be_seen() -> None:
    assert last_cells(
        Claim("better", "p = .01", HIGH, LOW),
        Claim("worse", "", LOW, HIGH),
        Claim("the same", "", HIGH, HIGH),
        Claim("one topic", "", {"a": 1.0}, {"a": 0.0}),
    ) == ["yes", "the opposite", "no difference seen", "too few topics"]


def test_means_have_a_row_for_each_name_and_a_dash_where_there_is_none() -> None:
    lines = means_table("crawler", {"recall": {"dom": HIGH, "random": {"a": 0.5}}, "precision": {"dom": LOW}})
    assert [line.split("|")[1:4] for line in lines[2:-1]] == [
        [" dom     ", " 0.825 ± 0.048 ", " 0.150 ± 0.029 "],
        [" random  ", " 0.500         ", " -             "],
    ]


__all__ = ["bench", "drawn"]


def test_a_hub_links_to_two_seeds_at_least_and_is_no_copy_and_no_target(bench: Bench) -> None:
    data = Wikispeedia(bench.webs["wikispeedia"], "article")
    web = AnalysedWeb(data, Reader(ReadingOptions()), hide_outside=False)
    backlinks = RecordedBacklinks(web, 0)
    birds, fish = topics(bench, each=2)
    linking = {page for pages in backlinks.backlinks_of(birds.seeds).values() for page in pages}
    assert {HUB, COPY} < linking
    assert linking & birds.judgements.targets
    assert hubs_of(birds, backlinks, web) == [Hub(HUB, hub_score=10)]
    assert hubs_of(fish, backlinks, web) == []


def test_the_figure_is_drawn_written_and_goes_on_where_it_stopped(
    bench: Bench, drawn: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    lines = AugmentedSeeds().make(bench)
    assert (
        "Hubs: 1 of 2 topics have some (94 of 159 in the paper), 1 in all; a hub links to 10.0 of the 10 seeds on average."
        in lines
    )
    assert "of which 0 are there already" in capsys.readouterr().err
    assert lines[0] == "![figure-4](figure-4.png)"
    written = {str(path.relative_to(bench.folder)) for path in bench.folder.rglob("*") if path.is_file()}
    assert {"without/curves.csv.gz", "with-hubs/summary.csv"} <= written
    assert drawn == ["figure-4"]
    next((bench.folder / "without/crawls").glob("*/dom-1.*")).unlink()
    assert AugmentedSeeds().make(bench) == lines
    assert "without: 8 crawls, of which 7 are there already" in capsys.readouterr().err

    (heading,) = (line for line in lines if line.endswith("(c) and (d):"))
    assert heading.startswith("The 1 topics that have hubs")
    row = next(line for line in lines[lines.index(heading) :] if line.startswith("| breadth_first"))
    # In 20 pages: 10 seeds and 10 other birds, each leads to the next; or the list, and one bird less. 20 are to be found.
    assert [float(cell) for cell in row.strip("|").split("|")[3:]] == [10 / 20, 9 / 20]


def test_the_examples_of_an_article_are_its_seeds(bench: Bench) -> None:
    (birds,) = _articles(bench)
    good = {document.page.url for document in birds.examples.documents if birds.examples.is_good(document)}
    assert good == set(birds.topic.seeds)
    assert HUB in {document.page.url for document in birds.examples.documents}


def test_both_models_have_the_same_classifier_of_the_seed_set(bench: Bench) -> None:
    (birds,) = _articles(bench)
    save_models(birds.examples, bench.folder)
    graphs, alone = (
        load_model(name, "layers", "en", bench.folder, model_class=LayerClassifier) for name in (GRAPHS, SEED_SET)
    )
    assert alone.layers.tolist() == [0]
    assert len(graphs.layers) > 1
    assert alone.vocabulary.tolist() == graphs.vocabulary.tolist()
    assert alone.log_probabilities[:, 0].tolist() == graphs.log_probabilities[:, 0].tolist()


def test_the_figures_are_drawn_together_and_tell_what_the_paper_says(
    bench: Bench, drawn: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def universities(bench: Bench) -> Iterator[Task]:
        return _articles(bench)

    monkeypatch.setattr(context_graphs, "_universities", universities)
    both = replace(bench, webs={**bench.webs, "webkb": bench.webs["wikispeedia"]})
    lines = ContextGraphs().make(both)
    assert drawn == ["figures-4-to-7"]
    rows = [line.split("|")[1].strip() for line in lines if line.startswith("| ")]
    assert rows.count("context") == rows.count("focused") == rows.count("breadth_first") == 2
    assert rows.count("context-parents") == rows.count("context-begins") == 1
    assert rows.count("context-as-printed") == rows.count("context-few-pages") == 2
    assert sum(row.startswith(("(4)", "(5)", "(6)", "(7)")) for row in rows) == 28
    like_with_like = [
        row for row in rows if row.startswith("(4) context-as-printed finds more than focused-as-printed, ")
    ]
    assert len(like_with_like) == len(context_graphs.STAGES)


def test_discounts_differ_in_nothing_but_gamma(bench: Bench) -> None:
    lines = get_figure("iq_learning").make(bench)
    assert {path.stem for path in bench.folder.glob("*.png")} == {"figure-4", "figure-5", "figure-6"}
    assert [line.split()[1] for line in lines if line.startswith("| gamma-")] == [
        f"gamma-{value:g}" for value in GAMMAS
    ]
    rows = [line for line in lines if line.startswith(("| (4)", "| (5)", "| (6)"))]
    assert [row[2:5] for row in rows] == ["(4)"] * 3 + ["(5)"] + ["(6)"] * 6
    assert all(" of 2 topics " in row for row in rows[:4])


def test_table_5_has_a_row_for_each_crawler_below_what_the_paper_has(bench: Bench, tmp_path: Path) -> None:
    lines = get_figure("cora").make(replace(bench, webs={"cora": write_cora(tmp_path / "cora")}))
    assert {path.suffix for path in bench.folder.glob("figure-9.*")} == {".png", ".svg"}
    rows = {
        cells[1].strip(): [cell.strip() for cell in cells[2:-1]] for line in lines if len(cells := line.split("|")) == 9
    }
    assert rows.keys() >= {f"{name}, here" for name in STRATEGIES} | {f"{name}, paper" for name in PAPER}
    assert rows["hcla, paper"] == ["0.88", "0.72", "0.54", "0.18", "0.59", "0.70"]
    # Of 40 papers in two classes 10 are seeds of each: what is left of a class is found sooner than the other, or not.
    assert all(0 < float(cell) <= 1 for name in STRATEGIES for cell in rows[f"{name}, here"])


def test_variants_of_hcla_stand_in_two_tables_by_all_tasks_and_by_the_task_of_the_paper(
    bench: Bench, drawn: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(hcla_variants, "PAGES", PAGES)
    monkeypatch.setattr(hcla_variants, "STAGES", (PAGES,))
    lines = get_figure("hcla_variants").make(replace(bench, webs={"webkb": write_webkb(tmp_path / "webkb")}))
    assert drawn == ["figures-5-7-8"]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| hcla")]
    assert [row[0] for row in cells] == [*hcla_variants.BY_EVERY, *hcla_variants.BY_FACTORS]
    assert all(float(row[-1]) > 0 for row in cells)
    assert len([line for line in lines if line.startswith(("| (7)", "| (8)"))]) == 4


def test_every_importance_has_a_column_and_an_order_of_the_crawlers(
    bench: Bench, drawn: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_importance, "CRAWLERS", ("best_first", "breadth_first"))
    lines = get_figure("page_importance").make(bench)
    assert drawn == ["figure-importance"]
    (heads,) = (line for line in lines if line.startswith("| crawler"))
    assert "target recall" in heads
    for label in page_importance.IMPORTANCES.values():
        assert label in heads
        assert any(line.startswith(f"| {label}") and " > " in line for line in lines)
