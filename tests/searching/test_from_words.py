"""Words that name a topic file which is there already: it is crawled only where it is about these words."""

import shutil
from pathlib import Path

import pytest
from scrapy.settings import Settings

from focused import strategies
from focused.exceptions import TopicError
from focused.seeds.searching.new_topic import BY_SEARCH, FromWords, from_words
from focused.seeds.searching.seed_search import RELEVANT, Origin, SeedCandidate
from focused.topic.topic_file import TOPICS, load_topic

SEVERAL = 'keywords = ["heat pump", "Air source"]'


def asked(folder: Path, **arguments: str) -> tuple[FromWords | None, list[str]]:
    told: list[str] = []
    settings = Settings({"FOCUSED_TOPICS_DIR": str(folder), "FOCUSED_SEARCH": "ddgs"})
    return from_words(arguments, settings, told.append), told


def write(folder: Path, name: str, keywords: str, head: str = "") -> Path:
    path = folder / f"{name}.toml"
    path.write_text(f'{head}\n[topic]\n{keywords}\nseeds = ["http://a.example/"]\n')
    return path


@pytest.mark.parametrize(
    ("shipped", "arguments"),
    [
        ("heat-pumps", {"topic": "heat pumps"}),
        ("solar", {"topic": "Solar!"}),
        ("solar", {"keywords": "solar", "search": "true"}),
        ("heat-pumps", {"keywords": "geothermal energy", "search": "true", "name": "heat-pumps"}),
    ],
)
def test_a_topic_about_something_else_is_not_crawled(tmp_path: Path, shipped: str, arguments: dict[str, str]) -> None:
    shutil.copy(TOPICS / f"{shipped}.toml", tmp_path)
    with pytest.raises(TopicError, match=rf"{shipped}\.toml: exists already, with other keywords; .* -a name=NAME$"):
        asked(tmp_path, **arguments)


def test_long_lists_that_begin_alike_are_two_topics(tmp_path: Path) -> None:
    begin = "perovskite solar cells, photovoltaic modules, thin-film silicon cells"
    first, _ = asked(tmp_path, topic=f"{begin}, tandem cells")
    assert first is not None
    write(tmp_path, first.path.stem, f'keywords = "{begin}, tandem cells"')
    again, told = asked(tmp_path, topic=f"{begin}, tandem cells")
    assert (again is not None and again.search, len(told)) == (None, 1)
    with pytest.raises(TopicError, match="with other keywords"):
        asked(tmp_path, topic=f"{begin}, organic cells")


def test_who_wrote_a_file_is_said_only_where_the_file_says_it(tmp_path: Path) -> None:
    write(tmp_path, "heat-pump-air-source", SEVERAL)
    _, told = asked(tmp_path, topic="Heat pump, air source")
    assert "heat-pump-air-source.toml: it has these keywords; the crawl starts from its seeds" in told[0]
    write(tmp_path, "heat-pump-air-source", SEVERAL, BY_SEARCH)
    _, told = asked(tmp_path, topic="heat pump, air source")
    assert "heat-pump-air-source.toml: an earlier search wrote it" in told[0]


def test_a_file_with_mistakes_is_told_with_them(tmp_path: Path) -> None:
    write(tmp_path, "heat-pump", "keywords = 3")
    with pytest.raises(TopicError, match=r"heat-pump\.toml: "):
        asked(tmp_path, topic="heat pump")


def test_the_file_keeps_what_its_seeds_were_judged_by_and_not_what_one_crawl_may_cost(tmp_path: Path) -> None:
    given = {"reading.language": "german,english", "threshold": "0.3", "scope.languages": "de", "description": "Wind."}
    words, _ = asked(tmp_path, topic="Windkraft, wind power", pages="7", **given)
    assert words is not None
    assert words.search is not None
    words.search.judged += [
        SeedCandidate(f"http://{host}.example/", f"{host}.example", 0.5, RELEVANT, True, Origin("x")) for host in "abc"
    ]
    words.search.done = True
    words.write()
    topic = load_topic(str(words.path), strategies)
    assert topic.reading == words.search.topic.reading
    assert topic.relevance.threshold == 0.3
    assert topic.scope.languages == words.search.topic.scope.languages != ()
    assert (topic.description, topic.budget.pages) == ("Wind.", 1000)
    again, told = asked(tmp_path, topic="Windkraft, wind power")
    assert (again is not None and again.search, "an earlier search wrote it" in told[0]) == (None, True)
