"""`scrapy explain`: why a URL was fetched when it was, why it waits, why it was dropped."""

import re
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest

from focused.collection.desk import Desk
from focused.collection.snapshot import encode
from focused.inspection.commands.explain import Command
from focused.live.resume import restore
from focused.live.session import Session
from focused.papers.training.examples import OTHER, RELEVANT
from focused.strategies.adaptive import Adaptive
from focused.topic.topic import Scope, Traps
from tests.commands.running import crawled, run_command
from tests.small_web import crawl, topic_of, url_of
from tests.training.models import save_toy_model

FIRST, LATER = "http://elsewhere.example/first", "http://elsewhere.example/later"
TOPIC = f"""
[topic]
keywords = ["solar energy"]
seeds = ["{url_of(0)}", "{url_of(7)}"]
[strategy]
name = "dom"
[scope]
denied_hosts = ["host4.example"]
"""


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A folder of topics and a folder of data in which twelve pages of one were crawled, the last still under way."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "topics").mkdir()
    (folder / "topics" / "test.toml").write_text(TOPIC)
    topic = topic_of(strategy="dom", scope=Scope(denied_hosts=("host4.example",)))
    session = Session(topic, folder / "data" / "test")
    crawl(session, 12)
    session.next()
    session.close()
    return folder / "topics", folder / "data"


@pytest.fixture
def explain(folders, capsys):
    def run(*argv: str) -> str:
        topics, data = folders
        code = run_command(Command(), *argv, topics_dir=topics, data_dir=data)
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return out if code == 0 else f"{code}: {err}"

    return run


def test_a_seed_tells_when_it_was_fetched_and_that_it_is_a_seed(explain):
    text = explain(url_of(0))
    assert "fetched as page 1 at" in text
    assert "chosen at" in text
    assert "with score 1.0000 at depth 0" in text
    assert "a seed of the topic" in text
    assert "stored in pages-00001.warc.gz at byte" in text
    assert "nothing new" not in text


def test_the_name_of_the_collection_comes_first_or_with_the_topic(explain):
    assert explain("test", url_of(0)) == explain(url_of(0), "-a", "topic=test") == explain(url_of(0))
    assert explain("test", "--waiting", "1") == explain("--waiting", "1", "-a", "topic=test")
    assert "did you mean test?" in explain("tset", url_of(0))


def test_a_fetched_page_tells_the_parts_of_its_score_and_where_it_was_found(explain):
    text = explain(url_of(2))
    assert "(page 0." in text
    assert "context 0." in text
    assert f"{url_of(0)}  'page 2'" in text


@pytest.mark.parametrize(
    ("traps", "others"),
    [(Traps(on=False), ""), (Traps(), ", or the domain of that one let others go first")],
    ids=["off", "on"],
)
def test_a_url_that_its_strategy_preferred_to_a_better_one_tells_why(traps, others, explain, tmp_path, capsys):
    crawled(tmp_path / "test", 30, strategy="info_spiders", traps=traps)
    journal = sqlite3.connect(tmp_path / "test" / "crawl.db")
    url, passed_over, score = journal.execute(
        "SELECT u.url, p.passed_over, p.score FROM picks p JOIN urls u ON u.id = p.url WHERE p.passed_over NOT NULL"
    ).fetchone()
    journal.close()
    assert passed_over > score
    assert run_command(Command(), url, data_dir=tmp_path) == 0
    assert (
        f"\n  chosen although a URL with score {passed_over:.4f} could have been taken: it was its agent's turn, "
        f"which draws among its links{others}\n"
    ) in capsys.readouterr().out
    assert all("chosen although" not in explain(url_of(number)) for number in range(10))


def test_a_page_that_brings_nothing_new_tells_why(tmp_path, capsys):
    crawled(tmp_path / "test", traps=Traps(least_new=1.0))
    with closing(sqlite3.connect(tmp_path / "test" / "crawl.db")) as db:
        query = "SELECT url, verdict FROM history WHERE outcome = 'page' AND verdict NOT NULL"
        url, verdict = db.execute(query).fetchone()
    assert run_command(Command(), url, data_dir=tmp_path) == 0
    assert re.search(rf"\n  {verdict}( of \S+)?: it brings nothing new, ", capsys.readouterr().out)


def test_a_url_that_was_passed_over_tells_how_often(tmp_path, capsys):
    crawled(tmp_path / "test", 30, strategy="info_spiders")
    told = []
    for number in range(40):
        run_command(Command(), url_of(number), data_dir=tmp_path)
        out = capsys.readouterr().out
        told += re.findall(
            r"others were chosen before it: .* (\d+) that scored lower \((\d+) because the strategy preferred", out
        )
    assert told
    assert all(0 < int(preferred) <= int(lower) for lower, preferred in told)


def test_what_comes_next_is_listed_best_first_with_the_parts_of_the_scores(explain):
    lines = explain("--waiting", "3").splitlines()
    assert "URLs wait; the best 3:" in lines[0]
    assert lines[1].split() == ["score", "turn", "URL", "made", "of"]
    scores = [float(line.split()[0]) for line in lines[2:]]
    assert scores == sorted(scores, reverse=True)
    assert all("page" in line and "context" in line for line in lines[2:])


def test_a_waiting_url_tells_its_place(explain):
    waiting = explain("--waiting", "2").splitlines()[3].split()[1]
    assert "waits at place 2 of" in explain(waiting)


def test_a_url_under_way_says_so(explain):
    told = "when the crawl ended: the next run fetches it first"
    assert any(
        "under way since" in line and told in line
        for number in range(40)
        for line in explain(url_of(number)).splitlines()
    )


def test_a_url_that_a_person_raised_says_so_where_it_waits_and_where_it_was_fetched(tmp_path, capsys):
    session = Session(topic_of(), tmp_path / "test")
    crawl(session, 3)
    for raised in (FIRST, LATER):
        Desk(session.folder).ask("raise_url", raised)
    session.commit()
    assert crawl(session, 1) == [FIRST]
    session.close()
    for raised, stands in ((FIRST, "failed at"), (LATER, "waits at place 1 of")):
        assert run_command(Command(), raised, data_dir=tmp_path) == 0
        told = capsys.readouterr().out
        assert f"\n  {stands}" in told
        assert re.search(r"\n  raised by a person at \S+: it goes before what the strategy prefers\n", told)


def test_a_dropped_url_tells_why(explain):
    assert "dropped: host denied" in explain(url_of(4))


def test_a_url_that_no_page_links_to_is_not_known(explain):
    assert "not known: no page fetched so far links to it" in explain("http://nowhere.example/")


def test_the_rules_of_the_last_run_count_and_no_topic_file_is_needed(tmp_path, capsys):
    crawled(tmp_path / "other", 5, name="other", strategy="hub_seeking")
    for argv in ((), ("-a", "topic=other"), ("-a", "topic=test", "-a", "name=other")):
        assert run_command(Command(), "--waiting", "2", *argv, data_dir=tmp_path) == 0
        assert capsys.readouterr().out.count("(hub 0.") == 2


def test_a_model_that_was_trained_anew_since_the_last_run_is_told(tmp_path, capsys):
    options = {"model": save_toy_model("rl_spider", tmp_path / "models")}
    session = Session(
        topic_of(strategy="rl_spider", strategy_options=options), tmp_path / "test", models=tmp_path / "models"
    )
    crawl(session, 5)
    session.close()
    assert run_command(Command(), "--waiting", "2", data_dir=tmp_path) == 0
    save_toy_model("rl_spider", tmp_path / "models", relevant=OTHER, other=RELEVANT)
    assert run_command(Command(), "--waiting", "2", data_dir=tmp_path) == 1
    assert "its model was trained anew since the last run" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (("not a url",), "not an http(s) URL"),
        ((url_of(0), "-a", "topic=tset"), "did you mean test?"),
        ((url_of(0), "-a", "keywords=wind", "-a", "seeds=http://w.example/"), "no such collection"),
    ],
)
def test_a_mistake_ends_in_one_line(explain, argv, words):
    text = explain(*argv)
    assert text.startswith("1: scrapy explain: ")
    assert words in text
    assert text.count("\n") == 1


@pytest.fixture(scope="module")
def adaptive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of data with a crawl by a strategy that says in words what its parts mean."""
    data = tmp_path_factory.mktemp("adaptive")
    crawled(data / "test", 12, strategy="adaptive")
    return data


def in_words(text: str) -> list[tuple[float, str]]:
    """The parts that the lines of an answer tell in words, with the meaning of each, below the scorer that they belong to."""
    lines = re.findall(r"^      ([+-]\d\.\d\d)  (\S.*)$", text, re.MULTILINE)
    return [(float(number), words) for number, words in lines]


def parts_of(text: str) -> dict[str, float]:
    """All parts of a score, as the line with the score lists them."""
    (listed,) = re.findall(r"with score .*  \((.*)\)$", text, re.MULTILINE)
    return {name: float(value) for name, value in (part.split() for part in listed.split(", "))}


def strongest(parts: Mapping[str, float]) -> list[tuple[float, str]]:
    names = sorted((name for name in parts if abs(parts[name]) >= 0.005), key=lambda name: -abs(parts[name]))
    owner = {name: title for title, names in Adaptive.sums.items() for name in names}
    titles = [*Adaptive.sums, ""]
    names.sort(key=lambda name: titles.index(owner.get(name, "")))
    return [(round(parts[name], 2), Adaptive.meanings[name]) for name in names]


def scorers_in(text: str) -> dict[str, float]:
    return {title: float(number) for number, title in re.findall(r"^    ([+-]\d\.\d\d)  (\S.*)$", text, re.MULTILINE)}


def test_a_waiting_url_tells_what_each_scorer_said_and_what_that_is_made_of(adaptive, capsys):
    assert run_command(Command(), "--waiting", "1", data_dir=adaptive) == 0
    waiting = capsys.readouterr().out.splitlines()[2].split()[1]
    assert run_command(Command(), waiting, data_dir=adaptive) == 0
    text = capsys.readouterr().out
    assert "waits at place 1 of" in text
    parts = parts_of(text)
    assert len(in_words(text)) > 3
    assert in_words(text) == strongest(parts)
    sums = {title: sum(parts[name] for name in names) for title, names in Adaptive.sums.items()}
    assert scorers_in(text) == pytest.approx(sums | {"by itself": parts["base"]}, abs=0.0051)


def test_a_fetched_url_tells_in_words_what_moved_its_score_most(adaptive, capsys):
    assert run_command(Command(), url_of(3), data_dir=adaptive) == 0
    text = capsys.readouterr().out
    assert "fetched as page" in text
    told, listed = in_words(text), strongest(parts_of(text))
    assert len(told) > 3
    assert [words for _, words in told] == [words for _, words in listed]
    # The line was rounded already.
    assert [number for number, _ in told] == pytest.approx([number for number, _ in listed], abs=0.0101)


def test_a_snapshot_of_other_code_is_not_read(tmp_path, capsys):
    crawled(tmp_path / "test", 12, strategy="adaptive")
    assert run_command(Command(), "--waiting", "5", data_dir=tmp_path) == 0
    before = capsys.readouterr().out
    change = sqlite3.connect(tmp_path / "test" / "crawl.db", isolation_level=None)
    change.execute("UPDATE snapshots SET version = '0.1.0+0123456789', state = ?", (encode({"of": "another shape"}),))
    change.close()
    assert run_command(Command(), "--waiting", "5", data_dir=tmp_path) == 0
    assert capsys.readouterr().out == before


def test_parts_that_did_not_move_the_score_are_not_told(adaptive, capsys):
    assert run_command(Command(), url_of(0), data_dir=adaptive) == 0
    text = capsys.readouterr().out
    assert "with score 1.0000 at depth 0" in text
    assert in_words(text) == []


def test_a_score_that_another_strategy_gave_is_not_told_in_words(tmp_path, capsys):
    crawled(tmp_path / "test", 8, strategy="dom")
    crawled(tmp_path / "test", 0, strategy="adaptive")
    assert run_command(Command(), url_of(1), data_dir=tmp_path) == 0
    text = capsys.readouterr().out
    assert set(parts_of(text)) == {"page", "context"}
    assert in_words(text) == []


def test_a_strategy_without_meanings_shows_the_parts_alone(explain):
    assert in_words(explain(url_of(2))) == []


def test_a_journal_is_read_as_the_crawl_read_it_with_its_questions_to_hosts(explain, monkeypatch) -> None:
    cores = []

    def note(crawl, *others):
        cores.append(crawl)
        return restore(crawl, *others)

    monkeypatch.setattr("focused.live.resume.restore", note)
    explain("--waiting", "1")
    assert [core.world.probes for core in cores] == [True]


def test_the_weights_that_a_score_began_with_are_named_for_what_was_picked_or_waits(adaptive, explain, capsys):
    line = "  weighed by the weights adaptive (of the package), which the crawl changes as it learns"
    assert run_command(Command(), "--waiting", "1", data_dir=adaptive) == 0
    waiting = re.findall(r"http://\S+", capsys.readouterr().out)[0]
    assert run_command(Command(), waiting, url_of(0), data_dir=adaptive) == 0
    assert capsys.readouterr().out.splitlines().count(line) == 2
    assert "weighed by" not in explain(url_of(0)), "dom learns none"
