"""What maps cost: CPU seconds to draw one in the background, CPU milliseconds of a frame in a Chromium without a graphics card.

Collections are made up in crawl.db: titles of four words from 40 subjects, on a host for each 50 pages, five links a page. Pages
have titles only: reading a stored page costs 3 to 6 ms more, of 20,000 pages at most.

Example:
    python -m lab.benchmarks.dashboard_map --pages 2000 20000 200000
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import tempfile
import time
from pathlib import Path
from random import Random

from playwright.sync_api import Page, sync_playwright

from focused.dashboard.map_data import drawn_hosts, drawn_pages
from focused.dashboard.map_file import map_in_a_file
from focused.mapping.host_map import draw_host_map
from focused.mapping.named_themes import named_themes
from focused.mapping.page_map import draw_page_map
from focused.storage.collection import opened
from focused.storage.store import Store
from focused.topic.topic import Topic

TIME = "2026-01-01T00:00:00+00:00"
SUBJECTS, WORDS, PAGES_OF_HOST = 40, 60, 50
FRAMES = 25
FRAME = """() => {
    view.move(7, 3);
    view.draw();
}"""


def make(folder: Path, count: int) -> None:
    """A collection of so many pages."""
    draw = Random(1)
    folder.mkdir(parents=True)
    store = Store(folder / "crawl.db")
    topic = Topic(name="made-up", keywords=("word",), seeds=("http://h0.example/0",))
    store.execute(
        "INSERT INTO runs (id, started, ended, version, strategy, topic) VALUES (1, ?, ?, '0', 'x', ?)",
        (TIME, TIME, json.dumps(topic.as_dict())),
    )
    subject = [draw.randrange(SUBJECTS) for _ in range(count)]
    titles = [" ".join(f"w{one}x{draw.randrange(WORDS)}" for _ in range(4)) for one in subject]
    source = [None, *(draw.randrange(i) for i in range(1, count))]
    store.replace_all(
        [
            (
                "INSERT INTO hosts VALUES (?, ?, NULL)",
                ((i, f"h{i}.example") for i in range(count // PAGES_OF_HOST + 1)),
            ),
            (
                "INSERT INTO urls VALUES (?, ?, ?, ?)",
                ((i, i, i // PAGES_OF_HOST, f"http://h{i // PAGES_OF_HOST}.example/{i}") for i in range(count)),
            ),
            (
                "INSERT INTO picks (seq, run, url, time, score, parts, source, depth) VALUES (?, 1, ?, ?, 1, '{}', ?, 1)",
                ((2 * i + 1, i, TIME, source[i]) for i in range(count)),
            ),
            (
                "INSERT INTO fetches (seq, run, pick, url, final_url, outcome, time, title, relevance, relevant) "
                "VALUES (?, 1, ?, ?, ?, 'page', ?, ?, ?, ?)",
                (
                    (2 * i + 2, 2 * i + 1, i, i, TIME, titles[i], draw.random(), int(subject[i] % 5 == 0))
                    for i in range(count)
                ),
            ),
            (
                "INSERT INTO links VALUES (?, ?, ?, '', NULL)",
                ((i, at, int(count * draw.random() ** 2)) for i in range(count) for at in range(5)),
            ),
        ]
    )
    store.close()


class Clock:
    """The CPU time of a tab's own thread, which other programs of this machine do not lengthen."""

    def __init__(self, tab: Page) -> None:
        self._tab = tab
        self._session = tab.context.new_cdp_session(tab)
        self._session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def frame(self) -> float:
        """Milliseconds of a frame as the map is moved, the mean of `FRAMES`."""
        begun = self._seconds()
        for _ in range(FRAMES):
            self._tab.evaluate(FRAME)
        return 1000 * (self._seconds() - begun) / FRAMES

    def _seconds(self) -> float:
        metrics = self._session.send("Performance.getMetrics")["metrics"]
        return float(next(one["value"] for one in metrics if one["name"] == "ScriptDuration"))


def open_map(tab: Page, values: dict[str, object], file: Path) -> None:
    with file.open("w") as out:
        out.writelines(map_in_a_file(values, "benchmark", ""))
    tab.goto(file.as_uri())
    tab.wait_for_selector("#stage[data-frame]")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, nargs="+", default=[2_000, 20_000, 200_000])
    arguments = parser.parse_args()
    print(
        "| pages | hosts | map CPU s | again CPU s | hosts CPU s | memory MB | frame ms | zoomed in ms "
        "| hosts frame ms |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        tab = browser.new_page(viewport={"width": 1360, "height": 900})
        clock = Clock(tab)
        for count in arguments.pages:
            place = Path(folder) / str(count)
            make(place, count)
            begun = time.process_time()
            drawn = draw_page_map(place, lambda *_: None)
            cold = time.process_time() - begun
            begun = time.process_time()
            drawn = draw_page_map(place, lambda *_: None)
            again = time.process_time() - begun
            begun = time.process_time()
            hosts = draw_host_map(place, lambda *_: None)
            linked = time.process_time() - begun
            with opened(place) as store:
                values = drawn_pages(drawn, named_themes(drawn, store, {}))
            values |= {"url": [""] * count, "title": [""] * count}
            open_map(tab, values, place / "pages.html")
            moved = clock.frame()
            tab.evaluate("view.zoomBy(8)")
            near = clock.frame()
            open_map(tab, drawn_hosts(hosts), place / "hosts.html")
            moved_hosts = clock.frame()
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(
                f"| {count:,} | {len(hosts):,} | {cold:.1f} | {again:.1f} | {linked:.1f} | {memory:.0f} "
                f"| {moved:.1f} | {near:.1f} | {moved_hosts:.1f} |",
                flush=True,
            )
        browser.close()


if __name__ == "__main__":
    main()
