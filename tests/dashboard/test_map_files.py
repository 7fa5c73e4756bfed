"""Maps as files: other programs read back what they say, whatever pages write."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from starlette.testclient import TestClient

from focused.collection.desk import Desk
from focused.desk.commands.map import Command
from focused.desk.dashboard.map_file import ENDINGS
from focused.export.commands.export import Command as Export
from tests.commands.running import run_command
from tests.dashboard.test_map_page import drawn
from tests.mapping.made_up import MadeUp, make_collection

GEXF = {"g": "http://gexf.net/1.3"}
GRAPHML = {"g": "http://graphml.graphdrawing.org/xmlns"}
SVG = {"s": "http://www.w3.org/2000/svg"}
TITLES = (
    "<script>window.hit = 1</script>",
    "</script><img src=x onerror=window.hit=1>",
    "\"'><b>&amp;&lt;",
    "a\x0b\x1b[31m\ufffe\uffffb",
    "\U0001f600 \u202eevil\u202c",
    "]]>",
)


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """The data folder of a collection whose pages and hosts write what could end a tag."""
    long = ".".join(["h" * 63] * 3 + ["i" * 61])
    assert len(long) == 253
    pages = [
        MadeUp(long if i % 3 == 0 else f"host{i % 3}.example", f"{TITLES[i % len(TITLES)]} {i}", i % 2 == 0, [i + 1, 0])
        for i in range(30)
    ]
    make_collection(tmp_path / "data" / "odd", pages)
    Desk(tmp_path / "data" / "odd").name(f"http://{long}/0", TITLES[0])
    return tmp_path / "data"


def written(data: Path, path: Path, *options: str) -> str:
    assert run_command(Command(), "odd", str(path), *options, data_dir=data) == 0
    return path.read_text(encoding="utf-8")


def test_gexf_has_pages_with_their_places_and_links(hostile: Path, tmp_path: Path) -> None:
    root = ElementTree.fromstring(written(hostile, tmp_path / "odd.gexf"))
    nodes, edges = root.findall(".//g:node", GEXF), root.findall(".//g:edge", GEXF)
    assert [node.get("id") for node in nodes] == [str(i) for i in range(30)]
    assert nodes[0].get("label") == f"{TITLES[0]} 0"
    assert "".join(nodes[3].get("label") or "") == "a  [31m  b 3"
    names = {one.get("id"): one.get("title") for one in root.findall(".//g:attribute", GEXF)}
    values = {names[one.get("for")]: one.get("value") for one in nodes[2].findall(".//g:attvalue", GEXF)}
    assert (values["url"], values["relevant"], values["relevance"]) == ("http://host2.example/2", "true", "0.9")
    assert {(one.get("source"), one.get("target")) for one in edges} == {
        (str(i), str(target)) for i in range(30) for target in (i + 1, 0) if target < 30 and i != target
    }


def test_graphml_has_hosts_with_weights(hostile: Path, tmp_path: Path) -> None:
    root = ElementTree.fromstring(written(hostile, tmp_path / "odd.graphml", "--kind", "hosts"))
    keys = {one.get("id"): one.get("attr.name") for one in root.findall("g:key", GRAPHML)}
    nodes = [{keys[one.get("key")]: one.text for one in node} for node in root.findall(".//g:node", GRAPHML)]
    assert [(node["pages"], node["relevant"]) for node in nodes] == [("10", "5")] * 3
    assert sorted(len(node["label"] or "") for node in nodes) == [13, 13, 253]
    weights = [int(edge[0].text or "") for edge in root.findall(".//g:edge", GRAPHML)]
    assert sum(weights) == 29 + 20


def test_a_picture_has_a_dot_for_each_page_and_no_script(hostile: Path, tmp_path: Path) -> None:
    root = ElementTree.fromstring(written(hostile, tmp_path / "odd.svg"))
    dots = root.findall(".//s:circle", SVG)
    assert len(dots) == 30
    assert {element.tag.rpartition("}")[2] for element in root.iter()} <= {
        "svg",
        "title",
        "rect",
        "g",
        "circle",
        "text",
        "line",
    }
    box = [float(one) for one in (root.get("viewBox") or "").split()]
    assert all(0 <= float(dot.get("cx") or -1) <= box[2] and 0 <= float(dot.get("cy") or -1) <= box[3] for dot in dots)


@pytest.mark.parametrize("kind", ["pages", "hosts", "domains"])
def test_a_page_of_its_own_ends_no_script_and_asks_nobody(hostile: Path, tmp_path: Path, kind: str) -> None:
    text = written(hostile, tmp_path / "odd.html", "--kind", kind)
    assert text.count("<script") == text.count("</script") == 2
    assert "default-src 'none'" in text
    assert re.findall(r'(?:src|href)="[^"]*"', text) == []
    data = json.loads(text.partition('id="data">')[2].partition("</script>")[0])
    assert len(data["x"]) == (30 if kind == "pages" else 3)
    if kind == "pages":
        assert data["title"][1] == f"{TITLES[1]} 1"


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("kind", ["pages", "hosts"])
def test_the_page_of_the_map_gives_the_same_files(client: TestClient, ending: str, kind: str) -> None:
    drawn(client, kind)
    answer = client.get(f"/c/test/map.{ending}?kind={kind}")
    assert answer.status_code == 200
    assert "attachment" in answer.headers["content-disposition"]
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    if ending != "html":
        ElementTree.fromstring(answer.content)


class TestCommand:
    def test_it_takes_the_name_of_the_collection(
        self, hostile: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.chdir(tmp_path)
        assert run_command(Command(), "odd", data_dir=hostile) == 0
        assert capsys.readouterr().out == "odd.html: 30 pages\n"
        assert (tmp_path / "odd.html").is_file()

    @pytest.mark.parametrize(
        ("argv", "told"),
        [
            (("none",), "no such collection"),
            (("odd", "odd.txt"), "the ending says no format"),
            (("odd", "no/such\0/odd.svg"), ""),
            ((), "give one collection"),
        ],
    )
    def test_a_mistake_is_told_in_a_line(
        self, hostile: Path, argv: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        try:
            code = run_command(Command(), *argv, data_dir=hostile)
        except Exception as error:
            assert type(error).__name__ == "UsageError"
            assert told in str(error)
        else:
            assert code == 1
            assert told in capsys.readouterr().err

    def test_an_empty_collection_has_no_map(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        make_collection(tmp_path / "data" / "odd", [])
        assert run_command(Command(), "odd", str(tmp_path / "x.svg"), data_dir=tmp_path / "data") == 1
        assert "no page was fetched yet" in capsys.readouterr().err
        assert not (tmp_path / "x.svg").exists()

    def test_export_says_who_draws_maps(
        self, hostile: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert run_command(Export(), "odd", str(tmp_path / "odd.gexf"), data_dir=hostile) == 1
        assert "scrapy map" in capsys.readouterr().err
