"""Topics of the documentation web: pages are named as the crawl names them, and mistakes in the file are told in one line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from focused import strategies
from focused.exceptions import EvaluationError
from focused.simulation.labels import read_labels
from focused.topic.topic import Nofollow
from focused.topic.topic_file import load_topic
from lab.commands.datasets import Command
from lab.topics.documentation_topics import SITES, documentation_topics, recorded_documentation_topics
from lab.topics.labelled_topics import write_topics
from tests.commands.running import run_command
from tests.simulation.test_warc_web import Recording

HOST = "http://docs.example"
TOPIC: dict[str, Any] = {
    "id": "stars",
    "title": "Star catalogues",
    "keywords": ["stars", "catalogue"],
    "seeds": [f"{HOST}/index.html", f"{HOST}/stars/index.html"],
    "seeds_hard": ["http://other.example/index.html"],
    "reachable_targets": 2,
    "targets": [f"{HOST}/stars/index.html", f"{HOST}/old.html", f"{HOST}/new.html", f"{HOST}/stars/names.html"],
    "also": [f"{HOST}/moon.html"],
    "neutral": [f"{HOST}/de/index.html"],
    "rules": ["unused"],
}


def file_of(folder: Path, *topics: dict[str, Any]) -> Path:
    path = folder / "topics.json"
    path.write_text(json.dumps({"what": "test", "topics": topics}))
    return path


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    recording = Recording(tmp_path / "docs.warc.gz")
    recording.add(f"{HOST}/old.html", status="301 Moved Permanently", Location="/new.html")
    recording.add(f"{HOST}/new.html", b"<title>New</title>All about stars", Content_Type="text/html")
    recording.add(
        f"{HOST}/stars/index.html", b'<title>Stars</title>They shine<a href="/old.html">', Content_Type="text/html"
    )
    recording.add("http://other.example/index.html", f'<a href="{HOST}/stars/">'.encode(), Content_Type="text/html")
    refresh = b'<meta http-equiv="refresh" content="0; url=/stars/all.html">'
    recording.add(f"{HOST}/stars/names.html", refresh, Content_Type="text/html")
    recording.add(f"{HOST}/stars/all.html", b"<title>All</title>Names", Content_Type="text/html")
    return recording.save()


def test_pages_are_named_by_the_end_of_their_redirects_and_without_index_html(tmp_path: Path, archive: Path) -> None:
    easy, hard = recorded_documentation_topics(file_of(tmp_path, TOPIC), archive, tmp_path / "cache")
    assert (easy.name, hard.name) == ("stars-easy", "stars-hard")
    assert easy.seeds == (f"{HOST}/", f"{HOST}/stars/")
    assert easy.judgements.targets == {f"{HOST}/new.html", f"{HOST}/stars/all.html"}
    assert hard.judgements.targets == {f"{HOST}/new.html", f"{HOST}/stars/all.html", f"{HOST}/stars/"}


def test_reachable_is_what_links_lead_to_from_the_seeds(tmp_path: Path, archive: Path) -> None:
    easy, hard = recorded_documentation_topics(file_of(tmp_path, TOPIC), archive, tmp_path / "cache")
    assert easy.judgements.reachable == {f"{HOST}/new.html"}
    assert hard.judgements.reachable == {f"{HOST}/stars/", f"{HOST}/new.html"}
    assert "reachable targets" not in easy.origin


@pytest.mark.parametrize(
    ("nofollow", "reachable", "obeyed"), [(None, 1, "page"), ("page", 1, "page"), ("ignore", 2, "ignore")]
)
def test_a_page_that_says_nofollow_leads_on_only_where_that_is_ignored(
    tmp_path: Path, nofollow: Nofollow | None, reachable: int, obeyed: str
) -> None:
    recording = Recording(tmp_path / "docs.warc.gz")
    page = b'<meta name="robots" content="nofollow"><a href="/new.html">'
    for path, html in {"": b'<a href="/stars/">', "stars/": page, "new.html": b"stars"}.items():
        recording.add(f"{HOST}/{path}", html, Content_Type="text/html")
    topics = file_of(tmp_path, TOPIC | {"seeds": [f"{HOST}/"], "targets": [f"{HOST}/stars/", f"{HOST}/new.html"]})
    made = recorded_documentation_topics(topics, recording.save(), tmp_path / "cache", ["easy"], nofollow=nofollow)
    assert len(made[0].judgements.reachable_targets) == reachable
    write_topics(made, tmp_path)
    assert load_topic("stars-easy", strategies, topics_dir=tmp_path).scope.nofollow == obeyed


def test_a_site_of_which_a_part_is_about_the_topic_makes_a_topic_of_its_own(tmp_path: Path) -> None:
    part, rest = [f"part/{n}.html" for n in range(10)], [f"rest/{n}.html" for n in range(10)]
    others, whole = ["away.html"], [f"whole/{n}.html" for n in range(10)]
    recording = Recording(tmp_path / "docs.warc.gz")

    def add(url: str, *links: str) -> None:
        body = "".join(f'<a href="{link}">here</a>' for link in links).encode()
        recording.add(url, b"<title>Page</title>" + body, Content_Type="text/html")

    recording.add(f"{HOST}/", status="301 Moved Permanently", Location="/en/")
    add(f"{HOST}/en/", *(f"/{path}" for path in (*part, *rest)), "http://other.example/")
    add("http://other.example/", f"{HOST}/away.html", *(f"/{path}" for path in whole))
    for path in (*part, *rest, *others):
        add(f"{HOST}/{path}")
    for path in whole:
        add(f"http://other.example/{path}")
    add("http://homeless.example/page.html")
    targets = [f"{HOST}/{path}" for path in (*part, *others)]
    targets += [*(f"http://other.example/{path}" for path in whole), "http://homeless.example/page.html"]
    topics = file_of(tmp_path, TOPIC | {"targets": targets})
    (site,) = recorded_documentation_topics(topics, recording.save(), tmp_path / "cache", (SITES,), nofollow="ignore")
    assert (site.name, site.seeds, site.hosts) == ("stars-docs.example", (f"{HOST}/en/",), ("docs.example",))
    # What only another site leads to is none; a site that is about nothing else has no part about the topic.
    assert site.judgements.targets == site.judgements.reachable == {f"{HOST}/{path}" for path in part}
    write_topics([site], tmp_path)
    scope = load_topic(site.name, strategies, topics_dir=tmp_path).scope
    assert (scope.allowed_hosts, scope.nofollow) == (("docs.example",), "ignore")


def test_a_topic_says_the_languages_that_a_twentieth_of_its_pages_has(tmp_path: Path) -> None:
    chinese = {**TOPIC, "keywords": ["星表"], "languages": {"ja": 5, "zh": 94, "de": 1}}
    write_topics(documentation_topics(file_of(tmp_path, chinese), ["easy"]), tmp_path)
    assert load_topic("stars-easy", strategies, topics_dir=tmp_path).reading.languages == ("zh", "ja", "en")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("{", "not JSON"),
        ("[]", "'topics' must list them"),
        ('{"topics": []}', "'topics' must list them"),
        ('{"topics": [3]}', r"topics\[0\]: "),
        (
            json.dumps({"topics": [TOPIC, TOPIC | {"seeds": ["htp://x"]}]}),
            r"topics\[1\]\.seeds\[0\]: .*'htp://x' is not",
        ),
        (json.dumps({"topics": [TOPIC | {"id": "../stars"}]}), r"topics\[0\]\.id: "),
        (json.dumps({"topics": [TOPIC | {"targets": []}]}), r"topics\[0\]\.targets: "),
        (json.dumps({"topics": [TOPIC, TOPIC]}), "two topics have the id 'stars'"),
        (json.dumps({"topics": [TOPIC | {"targets": TOPIC["seeds"]}]}), "stars-easy: every target is a seed"),
    ],
)
def test_a_bad_file_is_told_in_one_line(tmp_path: Path, content: str, told: str) -> None:
    path = tmp_path / "topics.json"
    path.write_text(content)
    with pytest.raises(EvaluationError, match=told) as raised:
        documentation_topics(path)
    assert "\n" not in str(raised.value)


class TestCommand:
    def test_topic_files_and_label_files_are_written(
        self, tmp_path: Path, archive: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        path, out = str(file_of(tmp_path, TOPIC)), tmp_path / "out"
        argv = ("topics", path, "--web", str(archive), "--out", str(out), "--seeds", "easy")
        assert run_command(Command(), *argv, data_dir=tmp_path / "data") == 0
        assert list((tmp_path / "data" / "cache").glob("*.warc-index.npz"))
        assert sorted(file.name for file in out.iterdir()) == ["stars-easy.labels.json", "stars-easy.toml"]
        topic = load_topic("stars-easy", strategies, topics_dir=out)
        assert (topic.keywords, topic.seeds) == (("stars", "catalogue"), (f"{HOST}/", f"{HOST}/stars/"))
        assert topic.reading.fold_index
        labels = read_labels(out / "stars-easy.labels.json")
        assert labels.judgements.targets == {f"{HOST}/new.html", f"{HOST}/stars/all.html"}
        assert labels.description.startswith("New.")
        assert "stars-easy" in capsys.readouterr().out
