"""A page that is kept is a seed of the topic and a verdict of the collection, and nothing else changes."""

from contextlib import closing
from pathlib import Path

import pytest

from focused import strategies
from focused.collection.collection import hold
from focused.collection.desk import Desk
from focused.desk.agent.diary import keep_page, with_seed
from focused.exceptions import TopicError
from focused.topic.topic_file import TopicFile, load_topic

URL = "http://new.example/a?b=%22"
TOPICS = (
    '[topic]\nkeywords = ["solar"]\nseeds = ["http://a.example/"] # mine\n\n[budget]\npages = 5 # few\n',
    '[topic]\nkeywords = ["solar"]\nseeds = [\n    "http://a.example/", # mine\n]\n',
    '[topic]\nkeywords = ["solar"]\nseeds = []\nexamples = ["http://a.example/"]\n',
)


@pytest.mark.parametrize("text", TOPICS)
def test_a_kept_page_is_a_seed_and_comments_stay(tmp_path: Path, text: str) -> None:
    (tmp_path / "sun.toml").write_text(text)
    (tmp_path / "sun.toml").chmod(0o640)
    folder = tmp_path / "data" / "sun"
    told = [keep_page(URL, TopicFile(tmp_path, "sun"), folder) for _ in range(2)]
    assert told == ["kept: the next crawl fetches it", "it was kept already"]
    topic = load_topic("sun", strategies, topics_dir=tmp_path)
    assert topic.seeds[-1] == URL
    assert topic.seeds.count(URL) == 1
    written = (tmp_path / "sun.toml").read_text()
    assert [part in written for part in ("# mine", "# few") if part in text] == [True] * text.count("#")
    assert (tmp_path / "sun.toml").stat().st_mode & 0o777 == 0o640
    assert [(one.url, one.relevant) for one in Desk(folder).verdicts("teach")] == [(URL, True)]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data", "sun.toml"]


def test_a_crawl_that_runs_is_asked_for_it(tmp_path: Path) -> None:
    (tmp_path / "sun.toml").write_text(TOPICS[0])
    folder = tmp_path / "data" / "sun"
    folder.mkdir(parents=True)
    with closing(hold(folder)):
        assert "running crawl" in keep_page(URL, TopicFile(tmp_path, "sun"), folder)
    assert [(one.kind, one.argument) for one in Desk(folder).commands()] == [("raise_url", URL)]


@pytest.mark.parametrize("text", ["", "[topic]\nseeds = 5", "[topic]\nseeds = 'http://a.example/'", "topic = 1", "[["])
def test_a_file_that_is_no_topic_is_left_alone(text: str) -> None:
    with pytest.raises(TopicError):
        with_seed(text, URL)


def test_a_folder_that_nobody_may_write_to_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sun.toml").write_text(TOPICS[0])

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "write_text", refuse)
    with pytest.raises(TopicError, match="cannot be written: Permission denied"):
        keep_page(URL, TopicFile(tmp_path, "sun"), tmp_path / "data")
    assert not (tmp_path / "data").exists()
