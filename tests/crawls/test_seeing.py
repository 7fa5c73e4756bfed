"""What a person sees of a crawl: progress lines, the live line of a terminal, `scrapy explain` and `scrapy report`."""

from __future__ import annotations

import os
import pty
import re
import threading

import pytest

from focused.simulation.demo_web import DemoWeb
from focused.simulation.proxy import serving as serving_demo
from tests.crawls.crawling import Ended, crawl, end, fetched, reasons, rows, scrapy, start
from tests.crawls.mock_web import MockWeb, page, redirect, serving

A = "http://a.example"
ANSWERS = {
    f"{A}/0": page("solar energy", *(f"{A}/{n}" for n in range(1, 20)), f"{A}/gone", f"{A}/file.zip", f"{A}/old"),
    **{f"{A}/{n}": page(f"{'solar' if n % 2 else 'football'} {n}") for n in range(1, 20)},
    f"{A}/old": redirect(f"{A}/1"),
}


def look(folder, *arguments: str) -> Ended:
    return end(scrapy(*arguments, folder=folder))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("seen")
    with serving(MockWeb(ANSWERS)) as web:
        assert crawl(web, folder, [f"{A}/0"], pages=12, strategy="breadth_first").code == 0
    return folder


TOPIC = ("-a", "name=test", "-a", "keywords=solar energy", "-a", f"seeds={A}/0", "-a", "strategy=breadth_first")


def test_explain_tells_what_became_of_urls_and_what_comes_next(folder):
    told = {
        f"{A}/0": ["fetched as page 1 at", "a seed of the topic", "pages-00001.warc.gz"],
        f"{A}/1#part": ["fetched as page 2", "linked to once", f"{A}/0", "'solar energy 1'", "chosen at"],
        f"{A}/15": ["waits at place", "with score"],
        f"{A}/file.zip": ["dropped: file type"],
        f"{A}/never": ["not known: no page fetched so far links to it"],
    }
    ended = look(folder, "explain", *TOPIC, *told, "--waiting", "3")
    assert (ended.code, ended.plain) == (0, True), ended.log
    for words in told.values():
        for word in words:
            assert word in ended.output
    assert f"{A}/12" in ended.output[ended.output.index("the best 3:") :].splitlines()[2]


def test_report_shows_what_was_collected(folder):
    ended = look(folder, "report", "test")
    assert (ended.code, ended.plain) == (0, True)
    for words in ("test: 12 pages", "harvest rate", "a.example", "page budget reached", "file type"):
        assert words in ended.output


def test_a_mistake_is_told_in_one_line(folder):
    ended = look(folder, "crawl", "topical", "-a", "topic=slar")
    assert (ended.code, ended.plain) == (1, True), ended.log
    assert "did you mean solar?" in ended.log.strip().splitlines()[-1]


def test_the_log_of_a_crawl_shows_its_progress(tmp_path):
    with serving(MockWeb(ANSWERS, latency=0.05)) as web:
        ended = crawl(web, tmp_path, [f"{A}/0"], settings=("FOCUSED_PROGRESS_SECONDS=0.2",))
    lines = re.findall(
        r"INFO: (\d+) pages, [\d.]+/s \| harvest (\d+)%, last 200 \d+% \(\d+-\d+%\) \| \d+ wait, best \S+ \| 1 hosts, \d+ failures",
        ended.log,
    )
    assert len(lines) >= 2
    counts = [int(pages) for pages, _ in lines]
    assert counts == sorted(counts)


def test_explain_and_report_look_at_a_crawl_that_is_running(tmp_path):
    with serving(MockWeb(ANSWERS)) as web:
        assert crawl(web, tmp_path, [f"{A}/0"], pages=3, strategy="breadth_first").code == 0
        before, web.latency = len(web.asked), 60
        process = start(web, tmp_path, [f"{A}/0"], strategy="breadth_first")
        assert web.wait_for(before + 1)
        explained = look(tmp_path, "explain", *TOPIC, f"{A}/1", f"{A}/19")
        reported = look(tmp_path, "report", "test")
        process.kill()
        end(process)
    assert (explained.code, explained.plain, reported.code) == (0, True, 0), explained.log
    assert "fetched as page 2" in explained.output
    assert "waits at place" in explained.output
    assert "running" in reported.output


def test_a_terminal_shows_one_live_line(tmp_path):
    with serving(MockWeb(ANSWERS, latency=0.1)) as web:
        keyboard, terminal = pty.openpty()
        shown: list[bytes] = []

        def read() -> None:
            try:
                while data := os.read(keyboard, 4096):
                    shown.append(data)
            except OSError:  # the terminal is closed
                pass

        reader = threading.Thread(target=read)
        reader.start()
        process = start(web, tmp_path, [f"{A}/0"], popen={"stderr": terminal})
        assert end(process).code == 0
        os.close(terminal)
        reader.join(10)
        os.close(keyboard)
    text = b"".join(shown).decode()
    assert re.search(r"\r\x1b\[K\d+ pages, ", text)
    assert "Ended: dead end" in text
    assert text.index("Ended: dead end") > text.rindex(" wait, best ")


def test_settings_of_a_topic_apply_and_the_command_line_wins(tmp_path):
    (tmp_path / "topics").mkdir()
    (tmp_path / "topics" / "mine.toml").write_text(
        f'[topic]\nkeywords = ["solar"]\nseeds = ["{A}/0"]\n[budget]\npages = 2\n[traps]\non = false\n'
        '[settings]\nUSER_AGENT = "from the topic"\nROBOTSTXT_OBEY = false\n'
    )
    fast = ("-s", "DOWNLOAD_DELAY=0", "-s", f"FOCUSED_TOPICS_DIR={tmp_path / 'topics'}")
    command = ("crawl", "topical", "-a", "topic=mine", *fast)
    with serving(MockWeb(ANSWERS)) as web:
        assert end(scrapy(*command, port=web.port, folder=tmp_path)).code == 0
        agents = [asked.headers["user-agent"] for asked in web.asked]
        assert agents == ["from the topic"] * 2  # no robots.txt was asked for
        again = (*command, "-s", "USER_AGENT=from the command line", "-a", "pages=3")
        assert end(scrapy(*again, port=web.port, folder=tmp_path)).code == 0
        assert web.asked[-1].headers["user-agent"] == "from the command line"


def test_a_crawl_stops_when_the_harvest_falls_below_its_floor(tmp_path):
    answers = {f"{A}/{n}": page("solar energy" if n < 5 else "football", f"{A}/{n + 1}") for n in range(30)}
    with serving(MockWeb(answers)) as web:
        ended = crawl(web, tmp_path, [f"{A}/0"], harvest_floor=0.5, harvest_window=4, threshold=0.3)
    assert "Ended: harvest rate of the last 4 pages is 0.250, below the floor of 0.5" in ended.log
    assert len(fetched(tmp_path)) == 8
    assert "harvest rate" in reasons(tmp_path)[0]


def test_the_demo_web_is_crawled_with_all_its_oddities(tmp_path):
    with serving_demo(DemoWeb()) as server:
        arguments = {"topic": "demo", "pages": 120, "name": "test"}
        words = [word for name, value in arguments.items() for word in ("-a", f"{name}={value}")]
        ended = end(scrapy("crawl", "topical", *words, port=server.port, folder=tmp_path))
        assert (ended.code, ended.plain) == (0, True), ended.log
        repeated = [url for url, count in server.requests.items() if count > 1 and url in set(fetched(tmp_path))]
    assert repeated == []
    assert len(fetched(tmp_path)) == 120
    assert rows(tmp_path, "SELECT count(*) FROM history WHERE final_url LIKE 'https:%'")[0][0] > 0


def test_the_seeds_of_a_topic_are_tried_and_nothing_is_kept(tmp_path):
    (tmp_path / "mine.toml").write_text(
        f'[topic]\nkeywords = ["solar"]\nseeds = ["{A}/old", "{A}/0", "{A}/gone"]\n[relevance]\nthreshold = 0.3\n'
        'also = ["index", "listing", "stub"]\n'
    )
    settings = ("-s", f"FOCUSED_TOPICS_DIR={tmp_path}", "-s", "DOWNLOAD_DELAY=0")
    with serving(MockWeb(ANSWERS)) as web:
        ended = end(scrapy("topics", "check", "mine", *settings, port=web.port, folder=tmp_path / "data"))
    assert (ended.code, ended.plain) == (0, True), ended.log
    assert re.search(rf"relevant +22 +[12][0-9] +{A}/0\n", ended.output)
    assert re.search(rf"- +FAILED: http 404 +{A}/gone\n", ended.output)
    assert re.search(rf"{A}/old +{A}/1\n", ended.output)
    assert not (tmp_path / "data").exists()
