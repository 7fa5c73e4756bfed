"""Every form of a published taxonomy gives the same listings, and nothing that a file holds breaks the reading of it."""

import gzip
import tracemalloc
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.exceptions import TaxonomyError, TopicError
from focused.papers.taxonomies.importing import ImportFilter
from focused.papers.taxonomies.listing_files import listings_of, rdf_listings
from focused.papers.taxonomies.taxonomy_store import Listing
from tests.taxonomies.dumps import RDF, write

SUN = Listing("Top/Business/Energy/Solar", "http://sun.example/", "Sun & Co", "Makers of\n      panels.")
BARE = Listing("Top/Business/Energy/Solar", "http://bare.example/")
GOAL = Listing("Top/Sports", "http://goal.example/?a=1&b=2", "Goal")


class TestRdf:
    def test_pages_and_bare_links_are_listed_in_their_categories(self) -> None:
        assert list(rdf_listings([RDF])) == [SUN, BARE, GOAL]

    @given(st.lists(st.integers(1, len(RDF)), max_size=8))
    def test_it_does_not_matter_where_the_text_is_cut(self, cuts: list[int]) -> None:
        ends = [0, *sorted(cuts), len(RDF)]
        chunks = [RDF[start:end] for start, end in pairwise(ends)]
        assert list(rdf_listings(chunks)) == [SUN, BARE, GOAL]

    def test_a_broken_page_costs_no_other(self) -> None:
        broken = RDF.replace("<d:Title>Sun", "<<d:Ti\x00tle>Sun").replace("</d:Description>", "</d:Descr>&nosuch;")
        assert [listing.url for listing in rdf_listings([broken])] == [SUN.url, BARE.url, GOAL.url]

    def test_entities_of_a_file_are_not_expanded(self) -> None:
        bomb = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>' + RDF.replace("Goal", "&b;")
        assert list(rdf_listings([bomb]))[-1].title == "&b;"

    def test_a_text_without_end_is_not_kept(self) -> None:
        tracemalloc.start()
        assert list(rdf_listings("<" + "x" * 100_000 for _ in range(500))) == []
        assert tracemalloc.get_traced_memory()[1] < 5e6
        tracemalloc.stop()


class TestTable:
    def test_a_row_may_have_a_title_and_a_description(self, tmp_path: Path) -> None:
        path = write(
            tmp_path / "a.tsv", "A/B\thttp://a.example/\r\n\nA\thttp://b.example/\tTitle\tWords\tmore\nrubbish\n"
        )
        expected = [Listing("A/B", "http://a.example/"), Listing("A", "http://b.example/", "Title", "Words")]
        assert list(listings_of(path)) == [*expected, Listing("rubbish", "")]

    def test_a_packed_file_and_one_with_a_byte_order_mark_are_the_same(self, tmp_path: Path) -> None:
        plain = write(tmp_path / "a.tsv", "A\thttp://a.example/\n")
        packed, marked = tmp_path / "b", tmp_path / "c"
        packed.write_bytes(gzip.compress(plain.read_bytes()))
        marked.write_bytes(b"\xef\xbb\xbf" + plain.read_bytes())
        assert list(listings_of(packed)) == list(listings_of(marked)) == list(listings_of(plain))

    def test_a_packed_file_that_is_cut_off_is_told(self, tmp_path: Path) -> None:
        path = tmp_path / "dump.gz"
        path.write_bytes(gzip.compress(RDF.encode())[:-20])
        with pytest.raises(TaxonomyError, match=r"dump\.gz: packed with gzip, and damaged or cut off"):
            list(listings_of(path))


class TestFolders:
    def test_curlie_names_categories_by_number(self, tmp_path: Path) -> None:
        write(tmp_path / "rdf-Arts-s.tsv", "423945\tArts/Animation\t4343\tSites\n")
        write(tmp_path / "rdf-Arts-c.tsv", "http://a.example/\tA\tAbout a\t423945\nhttp://b.example/\tB\tAbout b\t1\n")
        found = list(listings_of(tmp_path))
        assert found[0] == Listing("Arts/Animation", "http://a.example/", "A", "About a")
        assert found[1].category == ""

    def test_folders_are_categories(self, tmp_path: Path) -> None:
        write(tmp_path / "science/physics/list.txt", "http://a.example/  # the first\n\nhttp://b.example/\n")
        assert list(listings_of(tmp_path)) == [
            Listing("science/physics", "http://a.example/"),
            Listing("science/physics", "http://b.example/"),
        ]

    def test_a_folder_without_any_is_told(self, tmp_path: Path) -> None:
        write(tmp_path / "list.txt", "http://a.example/")
        with pytest.raises(TaxonomyError, match=r"no \.txt file in a subfolder, and no table of Curlie"):
            list(listings_of(tmp_path))


PLACES: list[Callable[[bytes], bytes]] = [
    lambda data: data,
    lambda data: b"<" + data,
    lambda data: RDF.encode()[:400] + data + RDF.encode()[400:],
    gzip.compress,
    lambda data: b"\x1f\x8b" + data,
]


@given(st.sampled_from(PLACES), st.binary(max_size=300))
def test_no_rubbish_breaks_the_reading(
    tmp_path_factory: pytest.TempPathFactory, place: Callable[[bytes], bytes], data: bytes
) -> None:
    path = tmp_path_factory.mktemp("rubbish") / "file"
    path.write_bytes(place(data))
    try:
        found = list(ImportFilter().taken(listings_of(path)))
    except TaxonomyError as error:
        assert "damaged or cut off" in str(error)
        return
    assert all(listing.url.startswith(("http://", "https://")) and listing.category.isprintable() for listing in found)


@given(st.binary(max_size=300))
def test_no_rubbish_breaks_the_reading_of_folders(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    folder = tmp_path_factory.mktemp("rubbish")
    (folder / "a").mkdir()
    for name in ("a/list.txt", "x-c.tsv", "x-s.tsv"):
        (folder / name).write_bytes(data)
        try:
            assert all(listing.url and listing.category for listing in ImportFilter().taken(listings_of(folder)))
        except (TaxonomyError, TopicError) as error:
            assert "\n" not in str(error)
