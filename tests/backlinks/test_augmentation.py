"""Augmented seeds: pages that link to several seeds are found, copies of the topic's own list are not taken, the file shows it."""

import json
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError

from focused import strategies
from focused.commands.topics import Command
from focused.seeds.backlinks.augmentation import Hub, find_hubs, with_hubs, without_mirrors
from focused.simulation.recorded_web import Answer
from focused.testing.toy_world import make_page
from focused.topic.topic_arguments import topic_from_arguments
from focused.topic.topic_file import load_topic
from tests.commands.running import refusal, run_command
from tests.crawls.crawling import end, scrapy
from tests.crawls.mock_web import MockWeb, page, serving
from tests.simulation.simulated import simulate, simulator_of
from tests.small_web import url_of

S1, S2, S3 = "http://s1.example/", "http://s2.example/", "http://s3.example/"
HUB, LIST, WEAK = "http://hub.example/", "http://list.example/", "http://weak.example/"


BACKLINKS = {S1: [WEAK, HUB, LIST], S2: [LIST, HUB, S1], S3: [LIST]}


class TestHubs:
    def test_the_score_counts_seeds_and_equals_stay_in_order(self) -> None:
        assert find_hubs(BACKLINKS, 2) == [Hub(LIST, 3), Hub(HUB, 2)]
        assert [hub.url for hub in find_hubs(BACKLINKS, 1)] == [LIST, HUB, WEAK, S1]

    def test_a_seed_is_no_hub(self) -> None:
        assert S1 not in [hub.url for hub in find_hubs(BACKLINKS, 1, left_out=[S1])]

    def test_only_the_terms_of_the_description_tell_a_mirror(self) -> None:
        # (2 · 1 + 1 · 1) / (√5 · √2) = 0.9486833; other words do not count
        texts = {"solar cell tax law": 0.9486833, "solar solar cell advertisement": 1.0, "tax law": 0.0, "": 0.0}
        for text, likeness in texts.items():
            known = {HUB: make_page(HUB, (text, []))}
            for similarity, is_mirror in ((likeness + 1e-6, False), (likeness - 1e-6, True)):
                _, mirrors = without_mirrors(
                    [Hub(HUB, 2)], lambda _, known=known: known, ["solar", "solar", "cell"], similarity
                )
                assert bool(mirrors) == is_mirror

    def test_a_copy_of_the_description_is_a_mirror_and_an_unknown_page_is_not(self) -> None:
        known = {LIST: make_page(LIST, ("solar solar cell", [])), HUB: make_page(HUB, ("solar", []))}
        hubs = [Hub(LIST, 3), Hub(HUB, 2), Hub(WEAK, 2)]
        kept, mirrors = without_mirrors(hubs, lambda _: known, ["solar", "solar", "cell"], 0.9)
        assert ([hub.url for hub in kept], [hub.url for hub in mirrors]) == ([HUB, WEAK], [LIST])
        assert without_mirrors(hubs, lambda _: known, [], 0.9) == (hubs, [])


TOPIC = """# mine
[topic]  # about
keywords = ["solar energy"]
seeds = [
    "http://host0.example/0", # the first
    "http://host2.example/7",
]

[budget]
pages = 7
"""


class TestFile:
    def test_only_the_hubs_are_new(self) -> None:
        after = with_hubs(TOPIC, [Hub(HUB, 2), Hub(LIST, 2)])
        assert after.replace(f'hubs = [\n    "{HUB}",\n    "{LIST}",\n]\n', "") == TOPIC
        again = with_hubs(after, [Hub(WEAK, 2)])
        assert again.replace(f'hubs = [\n    "{WEAK}",\n]\n', "") == TOPIC

    def test_hubs_are_started_from_as_seeds_are(self, tmp_path: Path) -> None:
        (tmp_path / "sun.toml").write_text(with_hubs(TOPIC, [Hub(HUB, 2), Hub("http://host2.example/7", 2)]))
        topic = load_topic("sun", strategies, topics_dir=tmp_path)
        assert topic.seeds == ("http://host0.example/0", "http://host2.example/7", HUB)
        web = {url: page("solar") for url in topic.seeds}
        assert {fetch.url for fetch in simulate(web, topic)} == set(topic.seeds)

    def test_the_host_of_a_hub_is_no_seed_host(self, tmp_path: Path) -> None:
        hubs = [Hub("HTTP://hub.example", 2), Hub("http://host0.example/list", 2)]
        (tmp_path / "sun.toml").write_text(with_hubs(TOPIC, hubs))
        topic = load_topic("sun", strategies, topics_dir=tmp_path)
        simulator = simulator_of({url: page("solar") for url in topic.seeds}, topic)
        assert {fetch.url for fetch in simulator.fetches()} > {HUB}
        assert simulator.crawl.world.seed_hosts == {"host0.example", "host2.example"}

    @pytest.mark.parametrize("more", [{}, {"hubs": WEAK}])
    def test_other_seeds_on_the_command_line_leave_the_hubs_of_the_file_out(
        self, tmp_path: Path, more: dict[str, str]
    ) -> None:
        (tmp_path / "sun.toml").write_text(with_hubs(TOPIC, [Hub(HUB, 2)]))
        topic = topic_from_arguments({"topic": "sun", **more, "seeds": S1}, strategies, topics_dir=tmp_path)
        assert topic.seeds == (S1, *more.values())


class TestCommand:
    @pytest.fixture
    def topics(self, tmp_path: Path) -> Path:
        (tmp_path / "sun.toml").write_text(TOPIC + '[backlinks]\nprovider = "crawls"\ncrawls = ["test"]\nlimit = 0\n')
        return tmp_path

    def augment(self, topics: Path, data: Path, *arguments: str) -> int:
        return run_command(Command(), "augment", "sun", *arguments, topics_dir=topics, data_dir=data)

    def test_the_hubs_of_an_earlier_crawl_are_shown_and_written(
        self, topics: Path, data: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert self.augment(topics, data, "--least", "1", "--most", "2") == 0
        hubs = load_topic("sun", strategies, topics_dir=topics).seeds[2:]
        out = capsys.readouterr().out
        assert len(hubs) == 2
        for hub in hubs:
            assert f"  links to   1 of 2 seeds  {hub}\n" in out
            assert f'\n+    "{hub}",\n' in out

    def test_once_more_gives_the_same_file(self, topics: Path, data: Path) -> None:
        texts = []
        for _ in range(2):
            self.augment(topics, data, "--least", "1")
            texts.append((topics / "sun.toml").read_text())
        assert texts[0] == texts[1] != TOPIC

    def test_a_dry_run_writes_nothing(self, topics: Path, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
        before = (topics / "sun.toml").read_text()
        assert self.augment(topics, data, "--least", "1", "--dry-run") == 0
        assert "+hubs = [" in capsys.readouterr().out
        assert (topics / "sun.toml").read_text() == before

    def test_what_the_scope_bars_is_no_hub(self, topics: Path, data: Path) -> None:
        with (topics / "sun.toml").open("a") as file:
            file.write('[scope]\nallowed_hosts = ["host4.example"]\n')
        self.augment(topics, data, "--least", "1")
        assert {url.split("/")[2] for url in load_topic("sun", strategies, topics_dir=topics).seeds[2:]} <= {
            "host4.example"
        }

    def test_no_hub_is_an_answer(self, topics: Path, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
        before = (topics / "sun.toml").read_text()
        assert self.augment(topics, data, "--least", "3") == 0
        assert "no page is known that links to 3 of the 2 seeds; nothing is changed" in capsys.readouterr().out
        assert (topics / "sun.toml").read_text() == before

    def test_a_recorded_web_is_asked_instead_of_the_provider(
        self, topics: Path, data: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        text = (topics / "sun.toml").read_text().replace('"crawls"', '"none"')
        (topics / "sun.toml").write_text(text.replace("http://host0.example/0", url_of(1)))
        assert self.augment(topics, data, "--least", "1", "--web", str(data / "test")) == 0
        assert "of 2 seeds  http://host" in capsys.readouterr().out

    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            (["--least", "0"], "--least 0: give a number of at least 1"),
            (["--similarity", "nan"], "--similarity nan: give a number"),
            (["--web", "nowhere"], "nowhere: no such file or folder"),
        ],
    )
    def test_a_mistake_is_one_line(
        self, topics: Path, data: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], told: str
    ) -> None:
        assert told in refusal(self.augment(topics, data, *arguments), capsys)

    def test_without_anybody_to_ask_it_says_so(
        self, tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (tmp_path / "sun.toml").write_text(TOPIC)
        told = refusal(self.augment(tmp_path, data), capsys)
        assert "sun.toml: nobody to ask for backlinks: set [backlinks] provider" in told

    def test_one_name_is_needed(self, data: Path) -> None:
        with pytest.raises(UsageError, match="augment: give one name"):
            run_command(Command(), "augment", data_dir=data)


def test_an_api_is_asked_and_the_hubs_that_it_names_are_fetched(tmp_path: Path) -> None:
    api = Answer(200, (), json.dumps({"links": [HUB, LIST]}).encode())
    answers = {
        "http://api.example/?http%3A%2F%2Fhost0.example%2F0": api,
        "http://api.example/?http%3A%2F%2Fhost2.example%2F7": api,
        HUB: page("solar and football"),
        LIST: page("sunlight power plants"),
    }
    (tmp_path / "sun.toml").write_text(
        TOPIC.replace("keywords", 'description = "sunlight power plants"\nkeywords')
        + '[backlinks]\nprovider = "api"\nurl = "http://api.example/?{url}"\npath = "links"\ndelay = 0.0\n'
    )
    with serving(MockWeb(answers)) as web:
        options = ("-s", f"FOCUSED_TOPICS_DIR={tmp_path}", "-s", "DOWNLOAD_DELAY=0")
        ended = end(scrapy("topics", "augment", "sun", *options, port=web.port, folder=tmp_path))
    assert (ended.code, ended.plain) == (0, True), ended.log
    assert f"left out: a copy of the topic's description  {LIST}" in ended.output
    assert load_topic("sun", strategies, topics_dir=tmp_path).seeds[2:] == (HUB,)
