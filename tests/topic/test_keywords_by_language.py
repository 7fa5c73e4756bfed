"""Keywords by language: what a topic file may say, what is a mistake, and that a topic that is kept comes back."""

import json
import tomllib
from typing import Any

import pytest

from focused import strategies
from focused.exceptions import TopicError
from focused.topic.mistakes import Mistakes
from focused.topic.topic import Topic
from focused.topic.topic_arguments import topic_from_arguments
from focused.topic.topic_file import toml_value
from focused.topic.topic_tables import build_topic, topic_of_run

FILE = """
[topic]
seeds = ["http://a.example/"]

[topic.keywords]
english = ["wind power", "wind turbine"]
de = "Windkraft, Windrad"
Japanese = ["風力発電"]
"""


def topic_of(text: str) -> Topic:
    return build_topic("wind", tomllib.loads(text), strategies, Mistakes())


def mistakes_in(text: str) -> list[str]:
    with pytest.raises(TopicError) as told:
        topic_of(text)
    return str(told.value).splitlines()


def test_the_languages_of_a_topic_are_those_of_its_keywords() -> None:
    topic = topic_of(FILE)
    assert topic.reading.languages == ("en", "de", "ja")
    assert topic.keywords == ("wind power", "wind turbine", "Windkraft", "Windrad", "風力発電")
    assert topic.keywords_by_language == {
        "en": ("wind power", "wind turbine"),
        "de": ("Windkraft", "Windrad"),
        "ja": ("風力発電",),
    }


def test_a_list_of_keywords_counts_in_each_language_that_reading_names() -> None:
    topic = topic_of(
        '[topic]\nkeywords = ["CRISPR"]\nseeds = ["http://a.example/"]\n[reading]\nlanguage = ["en", "german"]'
    )
    assert topic.keywords_by_language == {"en": ("CRISPR",), "de": ("CRISPR",)}


def test_one_language_alone_may_be_named_so_too() -> None:
    topic = topic_of('[topic]\nkeywords = {german = ["Windkraft"]}\nseeds = ["http://a.example/"]')
    assert (topic.reading.language, topic.keywords) == ("de", ("Windkraft",))


def test_a_topic_that_a_collection_keeps_comes_back_as_it_was() -> None:
    topic = topic_of(FILE)
    kept: dict[str, Any] = json.loads(json.dumps(topic.as_dict(), sort_keys=True))
    again = topic_of_run(kept, strategies, "here")
    assert again.as_dict() == topic.as_dict()
    assert again.reading.languages == topic.reading.languages


def test_on_the_command_line_it_is_written_as_in_a_file() -> None:
    arguments = {"keywords": '{en = ["wind"], de = ["Windkraft"]}', "seeds": "http://a.example/"}
    topic = topic_from_arguments(arguments, strategies)
    assert topic.keywords_by_language == {"en": ("wind",), "de": ("Windkraft",)}
    arguments = {"keywords": "CRISPR", "seeds": "http://a.example/", "reading.language": "en,ja"}
    assert topic_from_arguments(arguments, strategies).reading.languages == ("en", "ja")


def test_a_template_writes_it_as_toml() -> None:
    keywords = {"en": ['wind "power"'], "de": ["Windkraft"]}
    assert tomllib.loads(f"keywords = {toml_value(keywords)}") == {"keywords": keywords}


@pytest.mark.parametrize(
    ("keywords", "told"),
    [
        ('{germn = ["Wind"]}', "[topic] keywords.germn: unknown language 'germn': did you mean 'german'? Give"),
        ('{en = ["wind"], english = ["sun"]}', "[topic] keywords.english: stands here twice, under another name"),
        ('{en = ["wind"], de = []}', "[topic] keywords.de: at least one keyword is needed"),
        ('{en = ["wind"], de = ["-"]}', "[topic] keywords.de[0]: '-' holds no word"),
        ('{en = ["wind"], de = 5}', '[topic] keywords.de: must be a list such as ["a", "b"], not 5'),
        ("{}", "[topic] keywords: at least one keyword is needed"),
        ('{en = ["ветер"]}', "[topic] keywords: 'ветер' is written in Cyrillic letters"),
        ('{en = ["wind"], de = ["風力発電"]}', "[topic] keywords: '風力発電' is written without spaces between words"),
    ],
)
def test_a_mistake_is_told_with_its_place(keywords: str, told: str) -> None:
    lines = mistakes_in(f'[topic]\nkeywords = {keywords}\nseeds = ["http://a.example/"]')
    assert len(lines) == 1
    assert lines[0].startswith(told)


def test_reading_may_not_name_other_languages() -> None:
    (line,) = mistakes_in(FILE + '[reading]\nlanguage = "french"')
    assert line == "[reading] language: the keywords are given in en, de, ja; leave language out here"
    assert topic_of(FILE + '[reading]\nlanguage = ["ja", "de", "en"]').reading.languages == ("ja", "de", "en")
