"""`scrapy steer`: what a person types reaches the crawl that runs, and its answer them."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError

from focused.collection.desk import KINDS, Desk
from focused.commands import steer
from focused.commands.steer import Command
from focused.explain.topic_list import topic_line
from focused.live.session import Session
from focused.topic.topic import Scope
from tests.commands.running import crawled, refusal, run_command
from tests.small_web import crawl, topic_of, url_of


@pytest.fixture
def running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    """A crawl that commits whenever a command waits for it."""
    session = Session(topic_of(scope=Scope(denied_hosts=("old.example",))), tmp_path / "test")
    crawl(session, 5)
    session.commit()
    monkeypatch.setattr(steer.time, "sleep", lambda _: session.commit())
    yield session
    session.close()


def typed(data: Path, *words: str) -> int:
    return run_command(Command(), "test", *words, data_dir=data)


def test_a_running_crawl_answers(tmp_path: Path, running: Session, capsys: pytest.CaptureFixture[str]) -> None:
    assert typed(tmp_path, "deny", "HTTPS://Ads.example/banner") == 0
    assert capsys.readouterr().out.splitlines() == [
        "done: nothing new is fetched there, what is under way comes to its end; 0 URLs dropped",
        'to keep this for later crawls, write into the topic file: [scope] denied_hosts = ["old.example", "ads.example"]',
    ]
    assert typed(tmp_path, "pause") == 0
    assert running.orders.paused
    assert typed(tmp_path, "resume") == 0
    assert typed(tmp_path, "raise-host", "host1.example") == 0
    assert typed(tmp_path, "drop", url_of(30)) == 0
    assert typed(tmp_path, "raise", url_of(30)) == 0
    assert typed(tmp_path, "budget", "pages=10,", "hours=0.5") == 0
    assert (running.crawl.budget.pages, running.crawl.budget.hours) == (10, 0.5)
    assert "[budget] pages = 10, hours = 0.5" in capsys.readouterr().out
    assert typed(tmp_path) == 0
    listed = capsys.readouterr().out.splitlines()
    assert [line.split()[-1] for line in listed[:1]] == ["answer"]
    assert [" ".join(line.split()[2:5]) for line in listed[1:]] == [
        *("deny host ads.example", "pause done", "resume done", "raise host host1.example"),
        *(f"drop url {url_of(30)}", f"raise url {url_of(30)}", "budget pages=10 hours=0.5"),
    ]
    assert typed(tmp_path, "stop") == 0
    assert running.orders.stopping


@pytest.mark.usefixtures("running")
def test_what_the_crawl_refuses_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert refusal(typed(tmp_path, "raise", url_of(0)), capsys) == "scrapy steer: refused: it was asked for already\n"


def test_without_a_crawl_the_next_run_does_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    crawled(tmp_path / "test", 5)
    assert typed(tmp_path) == 0
    assert capsys.readouterr().out == "nothing was asked of this crawl\n"
    assert typed(tmp_path, "allow", "host1.example") == 0
    assert capsys.readouterr().out == "no crawl is running: the next run does this\n"
    assert [asked.kind for asked in Desk(tmp_path / "test").waiting()] == ["allow_host"]
    for name in ("pause", "resume", "stop"):
        said = refusal(typed(tmp_path, name), capsys)
        assert said == f"scrapy steer: no crawl of test is running: nothing to {name}\n"


def test_all_that_a_crawl_can_be_asked_has_a_word_to_type() -> None:
    assert {kind for kind, _ in steer.COMMANDS.values()} == set(KINDS)


@pytest.mark.usefixtures("running")
def test_a_crawl_that_says_nothing_is_not_waited_for_for_ever(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steer, "PATIENCE", -1.0)
    assert typed(tmp_path, "pause") == 0
    assert capsys.readouterr().out == "the crawl has not answered yet: scrapy steer test tells what becomes of this\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["stopp"], "stopp: unknown; did you mean stop?"),
        (["raise"], "raise takes one URL, as in: raise https://example.com/page"),
        (["deny", "a", "b"], "deny takes one HOST, as in: deny example.com"),
        (["pause", "now"], "pause takes nothing more"),
        (["raise", "ftp://x"], "'ftp://x' is no http(s) URL"),
        (["deny", "a b"], "'a b' is no host"),
        (["budget"], "give limits, as in: budget pages=500 hours=2"),
        (["budget", "pages=-1"], "give limits, as in: budget pages=500 hours=2"),
    ],
)
def test_what_makes_no_sense_is_told_before_anything_is_asked(tmp_path: Path, words: list[str], said: str) -> None:
    crawled(tmp_path / "test", 1)
    with pytest.raises(UsageError) as error:
        typed(tmp_path, *words)
    assert str(error.value) == said
    assert not Desk(tmp_path / "test").path.exists()


def test_a_collection_that_is_not_there_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "no such collection" in refusal(typed(tmp_path, "pause"), capsys)
    assert "no such collection" in refusal(typed(tmp_path), capsys)


@pytest.mark.parametrize("host", ["a.example", 'a"b\\.example'])
def test_the_line_for_the_topic_file_is_toml_and_keeps_what_is_there(host: str) -> None:
    tables = {"scope": {"denied_hosts": ["old.example"], "deny": ["x+"]}, "topic": {"seeds": ["http://s.example/"]}}

    def parsed(kind: str, argument: str, value: str = "") -> dict[str, object]:
        table, _, rest = topic_line(kind, argument, value, tables).partition(" ")
        return tomllib.loads(f"{table}\n{rest.replace(', hours', chr(10) + 'hours')}")

    url = f"http://{host}/?a=b+c"
    assert parsed("deny_host", host) == {"scope": {"denied_hosts": ["old.example", host]}}
    assert parsed("allow_host", "old.example") == {"scope": {"denied_hosts": []}}
    assert parsed("raise_url", url) == {"topic": {"seeds": ["http://s.example/", url]}}
    assert parsed("budget", "", "pages=5 hours=1.5") == {"budget": {"pages": 5, "hours": 1.5}}
    deny = parsed("drop_url", url)["scope"]["deny"]
    assert deny[0] == "x+"
    assert finds_only(deny[1], url)
    assert topic_line("raise_host", host, "", tables) == topic_line("pause", "", "", tables) == ""


def finds_only(pattern: str, url: str) -> bool:
    """Whether a topic's pattern finds this URL and no longer one."""
    return bool(re.search(pattern, url)) and not re.search(pattern, f"{url}x")
