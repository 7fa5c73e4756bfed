"""Figure 4 of Pant & Menczer (2003) on a made-up web, where one topic has a hub: a list that links to all birds."""

from __future__ import annotations

import pytest

from focused.backlinks.contents import RecordedContents
from focused.backlinks.hubs import Hub
from focused.reading.reader import Reader, ReadingOptions
from focused.simulation.analysed_web import AnalysedWeb
from focused.simulation.recorded_backlinks import RecordedBacklinks
from lab.figures.figure import Bench, topics
from lab.figures.papers.augmented_seeds import AugmentedSeeds, hubs_of
from lab.tests.figures.bench import COPY, HUB, bench, drawn
from lab.webs.wikispeedia import Wikispeedia

__all__ = ["bench", "drawn"]


def test_a_hub_links_to_two_seeds_at_least_and_is_no_copy_and_no_target(bench: Bench) -> None:
    data = Wikispeedia(bench.webs["wikispeedia"], "article")
    web = AnalysedWeb(data, Reader(ReadingOptions()), hide_outside=False)
    backlinks, contents = RecordedBacklinks(web, 0), RecordedContents([web])
    birds, fish = topics(bench, each=2)
    linking = {page for pages in backlinks.backlinks_of(birds.seeds).values() for page in pages}
    assert {HUB, COPY} < linking
    assert linking & birds.judgements.targets
    assert hubs_of(birds, backlinks, contents) == [Hub(HUB, hub_score=10)]
    assert hubs_of(fish, backlinks, contents) == []


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
