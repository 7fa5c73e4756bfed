"""Hub scores: the numbers of the paper's figure 3, and which hosts count."""

import pytest

from focused.page.page import Page
from focused.scorers.similarity import count_seed_hosts, hub_score
from focused.testing.toy_world import make_page

SEED_HOSTS = frozenset({"a.example", "b.example", "c.example"})


def page_with_links(*urls: str) -> Page:
    return make_page("http://a.example/", ("links", urls))


@pytest.mark.parametrize(
    ("seed_hosts_linked", "score"),
    [
        (0, 0.0),  # 0*-1 / 1
        (1, 0.0),  # 1*0 / 2
        (2, 0.4),  # 2*1 / 5
        (3, 0.6),  # 3*2 / 10
        (4, 0.7058824),  # 4*3 / 17
        (10, 0.8910891),  # 10*9 / 101
    ],
)
def test_hub_score_is_that_of_the_paper(seed_hosts_linked: int, score: float) -> None:
    assert hub_score(seed_hosts_linked) == pytest.approx(score)


def test_several_pages_of_one_seed_host_count_once_and_other_hosts_not_at_all() -> None:
    page = page_with_links("http://b.example/1", "http://b.example/2", "http://c.example/", "http://other.example/")
    assert count_seed_hosts(page, SEED_HOSTS) == 2


def test_a_subdomain_of_a_seed_host_is_another_host() -> None:
    assert count_seed_hosts(page_with_links("http://www.b.example/"), SEED_HOSTS) == 0


def test_the_page_s_own_host_counts_as_in_the_paper_unless_told_otherwise() -> None:
    page = page_with_links("http://a.example/next", "http://b.example/")
    assert count_seed_hosts(page, SEED_HOSTS) == 2
    assert count_seed_hosts(page, SEED_HOSTS, own_host=False) == 1
    assert count_seed_hosts(page_with_links("http://b.example/"), SEED_HOSTS) == 1  # unless no link stays within it
