"""Cora as a recorded web: papers made up in the format that its README and those who read it describe; nobody here had a copy."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.topics.data_set_topics import SEEDS, SUBCATEGORIES, cora_topics
from lab.webs.cora import Cora
from tests.small_wikispeedia import write_files

FILES = {
    "papers": "7\thttp:##a.example#ranking.ps\t<author>A. Ann</author> <title>Ranking</title>\n"
    "8\thttp:##b.example#Filters.ps.gz\t<title>Filters</title>\n"
    "8\thttp:##c.example#copy.ps\t<title>Filters</title>\n"
    "9\thttp:##d.example#lost.ps\t<title>Lost</title>\n",
    "citations": "7\t8\n7\t8\n7\t9\n8\t8\n8\t7\n12\t7\n",
    "classifications": "http:##a.example#ranking.ps\t/Information_Retrieval/Retrieval/\n"
    "http:##c.example#copy.ps\t/Information_Retrieval/Filtering/\nhttp:##d.example#lost.ps\t\n",
    "extractions/http:##a.example#ranking.ps": "URL: http://a.example/ranking.ps\nTitle: Ranking of pages\nAuthor: Ann\n"
    "Affiliation: University of A\nAbstract: We rank <pages>\nby their links.\nAbstract-found: 1\nReference: [1] B. Filters.\n",
    # Spelt in another case than in `papers`, as a few are.
    "extractions/http:##b.example#filters.ps.gz": "Title: Filters\nAbstract: A filter of news.\nTitle: Other\n",
    "extractions/http:##c.example#copy.ps": "Title: A copy\n",
    "README": "Cora",
}
RANKING, FILTERS = "http://cora.example/7", "http://cora.example/8"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_files(tmp_path / "cora", FILES)
    return tmp_path / "cora"


def body(web: Cora, url: str) -> str:
    answer = web.answer(url)
    assert answer and answer.status == 200
    return answer.body.decode()


def test_a_page_has_the_title_the_affiliation_and_the_abstract_of_a_paper(folder: Path) -> None:
    page = body(Cora(folder), RANKING)
    assert "<title>Ranking of pages</title>" in page
    assert "<p>University of A</p>\n<p>We rank &lt;pages&gt; by their links.</p>" in page
    assert "Ann" not in page


def test_links_lead_to_the_cited_papers_that_have_a_text_each_once(folder: Path) -> None:
    web = Cora(folder)
    assert {url: paper.links for url, paper in web.papers.items()} == {RANKING: (FILTERS,), FILTERS: (RANKING,)}
    assert f'<a href="{FILTERS}">Filters</a>' in body(web, RANKING)


def test_a_paper_is_its_first_file_with_a_text_and_has_the_first_class_of_its_files(folder: Path) -> None:
    web = Cora(folder)
    assert web.papers[FILTERS].texts == {"Title": "Filters", "Abstract": "A filter of news."}
    assert web.class_of(FILTERS) == ("Information_Retrieval", "Filtering")
    assert web.class_of(RANKING) == ("Information_Retrieval", "Retrieval")


class TestTopics:
    def web(self, folder: Path, each: int = SEEDS + 1) -> Cora:
        """Some papers in a ring for each subcategory, and one of artificial intelligence."""
        files = [(f"{name}{n}", f"/Information_Retrieval/{name}/") for name in SUBCATEGORIES for n in range(each)]
        files.append(("robots", "/Artificial_Intelligence/Robotics/"))
        numbered = list(enumerate(files, start=1))
        tables = {
            "papers": "".join(f"{number}\t{file}\t-\n" for number, (file, _) in numbered),
            "citations": "".join(f"{number}\t{number % len(files) + 1}\n" for number, _ in numbered),
            "classifications": "".join(f"{file}\t{category}\n" for file, category in files),
        }
        texts = {f"extractions/{file}": f"Title: On {file}\n" for file, _ in files}
        write_files(folder / "many", tables | texts)
        return Cora(folder / "many")

    def test_the_category_and_each_below_it_is_a_topic_whose_seeds_are_no_targets(self, tmp_path: Path) -> None:
        topics = cora_topics(self.web(tmp_path))
        assert [topic.name for topic in topics] == [
            "information-retrieval",
            *(f"information-retrieval.{name.lower().replace('_', '-')}" for name in SUBCATEGORIES),
        ]
        assert [len(topic.judgements.targets) for topic in topics] == [4 * (SEEDS + 1) - SEEDS, 1, 1, 1, 1]
        for topic in topics:
            assert topic.judgements.neutral == set(topic.seeds)
            assert topic.judgements.reachable_targets == topic.judgements.targets  # all are in one ring
        assert topics[1].keywords == ("information", "retrieval", "digital", "library")
