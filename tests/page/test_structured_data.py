"""What pages tell programs is had as JSON that every program reads, whatever a page writes there."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.page.blocks import read_blocks
from focused.page.page_facts import DEEPEST, LONGEST, LONGEST_PROPERTY, MOST_PROPERTIES, structured_data


def told(*scripts: str, metas: str = "") -> Any:
    found = structured_data(
        read_blocks(metas + "".join(f'<script type="application/ld+json">{s}</script>' for s in scripts))
    )
    return None if found is None else json.loads(found, parse_constant=lambda name: pytest.fail(name))


def test_each_script_and_each_property_is_told() -> None:
    metas = (
        '<meta property=og:title content=" Sun "><meta property=og:image content=a><meta property=og:image content=b>'
    )
    metas += "<meta name=twitter:card content=summary><meta name=description content=no>"
    assert told('{"@type": "Article"}', '[{"@id": "é"}]', metas=metas) == {
        "json_ld": [{"@type": "Article"}, [{"@id": "é"}]],
        "open_graph": {"og:title": ["Sun"], "og:image": ["a", "b"], "twitter:card": ["summary"]},
    }


def test_a_page_that_tells_nothing_has_none() -> None:
    assert told("", metas="<meta name=author content=a><p>text") is None
    assert told("17", '"text"', "{}" * 2) is None


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ('{"a": NaN, "b": Infinity, "c": 1e999}', {"a": None, "b": None, "c": None}),
        ('{"a": "line\nline\ttab"}', {"a": "line\nline\ttab"}),
        ('{"a": "\\ud800 half"}', {"a": "? half"}),
    ],
)
def test_what_is_nearly_json_becomes_json(script: str, expected: object) -> None:
    assert told(script) == {"json_ld": [expected]}


@pytest.mark.parametrize(
    "script",
    ["{", "{'a': 1}", "[" * 100_000, '{"a":' * 100_000, "[" * (DEEPEST + 1) + "]" * (DEEPEST + 1), '{"a": ' + "9" * 5000 + "}",
     '"' + "x" * LONGEST + '"', "<!-- -->"],
    ids=["open", "quotes", "open lists", "open objects", "deep", "digits", "long", "comment"],
)  # fmt: skip
def test_what_is_broken_or_hostile_is_left_out_and_the_rest_is_told(script: str) -> None:
    assert told(script, '{"a": 1}') == {"json_ld": [{"a": 1}]}


def test_a_page_of_many_scripts_and_properties_tells_no_more_than_a_limit() -> None:
    one = json.dumps({"a": "x" * 50_000})
    assert len(told(*[one] * 50)["json_ld"]) == 3
    properties = told(metas="<meta property=og:image content=a>" * 1000)["open_graph"]["og:image"]
    assert len(properties) == MOST_PROPERTIES
    assert told(metas=f"<meta property=og:title content={'x' * LONGEST_PROPERTY}>") is None


@given(st.text(max_size=500))
def test_whatever_a_script_holds_it_is_fit_for_a_file(script: str) -> None:
    found = structured_data(read_blocks(f'<script type="application/ld+json">{script}</script>'))
    (found or "").encode()
