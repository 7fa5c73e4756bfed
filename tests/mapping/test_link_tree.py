"""The tree of a crawl: every page once, on the page whose link led to it, and no two places alike."""

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.desk.dashboard.map_file import map_in_a_file, values_of
from focused.desk.dashboard.views.map_view import Branch, branches
from focused.desk.mapping.graph_files import FORMATS, graph_of_tree
from focused.desk.mapping.link_maps import LinkTree, draw_link_tree, round_places
from focused.desk.mapping.page_reading import CrawledPages
from focused.live.session import Session
from tests.small_web import crawl, topic_of

parents = st.lists(st.integers(-1, 60), max_size=60).map(lambda sources: [min(s, i - 1) for i, s in enumerate(sources)])


def tree_of(parent: list[int]) -> LinkTree:
    count = len(parent)
    number, no = np.arange(count), np.zeros(count, np.bool_)
    relevance = np.linspace(0, 1, count)
    pages = CrawledPages(number, number, number, relevance, relevance > 0.5, number, np.array(parent, np.int64), no)
    texts = [f"http://a.example/{i}" for i in range(count)]
    return LinkTree(pages, np.array(parent, np.int64), texts, texts, 0)


@given(parents)
def test_each_page_has_a_place_of_its_own_on_the_circle_of_its_level(parent: list[int]) -> None:
    tree = tree_of(parent)
    places = round_places(tree)
    starts = sum(one < 0 for one in parent)
    assert np.allclose(np.hypot(*places.T), tree.level + (starts > 1))
    assert len(np.unique(places.round(6), axis=0)) == len(parent)


@given(parents)
def test_the_outline_counts_every_page_once(parent: list[int]) -> None:
    def listed(some: list[Branch]) -> int:
        return sum(1 + listed(branch.branches) for branch in some)

    tree = tree_of(parent)
    roots = branches(tree)
    assert listed(roots) == len(parent) == sum(branch.pages for branch in roots)
    assert sum(branch.relevant for branch in roots) == int(tree.pages.relevant.sum())


def test_a_chain_may_be_longer_than_pythons_stack() -> None:
    tree = tree_of(list(range(-1, 4_999)))
    assert round_places(tree).shape == (5_000, 2)
    assert len(branches(tree)) == 1


def test_a_crawl_gives_its_tree(tmp_path: Path) -> None:
    session = Session(topic_of(), tmp_path / "test")
    crawl(session)
    session.close()
    tree = draw_link_tree(tmp_path / "test")
    assert (tree.parent < np.arange(len(tree))).all()
    assert (tree.parent < 0).sum() == 2
    assert len(set(tree.urls)) == len(tree) == 40


@pytest.mark.parametrize("ending", FORMATS)
def test_a_hostile_title_stays_a_text(ending: str) -> None:
    hostile = '</title><script>x()</script>"\x00\x1b]]>'
    tree = tree_of([-1, 0])
    tree.titles[:] = [hostile, hostile]
    text = "".join(FORMATS[ending](graph_of_tree(tree, hostile)))
    root = ElementTree.fromstring(text)
    assert [one for one in root.iter() if one.tag.endswith("script")] == []
    assert "x()" in text


def test_nor_does_it_run_in_a_file_of_its_own() -> None:
    tree = tree_of([-1, 0])
    tree.titles[:] = tree.urls[:] = ["</script><script>x()</script>", "javascript:x()"]
    assert "<script>x()" not in "".join(map_in_a_file(values_of(tree, ()), "</title><script>x()</script>", ""))
