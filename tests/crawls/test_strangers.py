"""A spam host that holds most of the harvest of a real crawl is told of once a run, and left out when a person says so."""

from __future__ import annotations

from tests.crawls.crawling import Ended, crawl, end, rows, scrapy
from tests.crawls.mock_web import MockWeb, page, serving

SEED, SPAM = "http://good.com/0", "spam.com"
GOOD_PAGES, SPAM_PAGES = 20, 300
NO_PROGRESS = ("FOCUSED_PROGRESS_SECONDS=600",)


def small_web() -> MockWeb:
    good = {
        f"http://good.com/{number}": page(
            f"solar energy {number}",
            f"http://good.com/{number + 1}",
            *([f"http://www.{SPAM}/0"] if number == 1 else []),  # a comment, so to say
        )
        for number in range(GOOD_PAGES)
    }
    spam = {
        f"http://www.{SPAM}/{number}": page(f"solar energy solar {number}", f"http://www.{SPAM}/{number + 1}")
        for number in range(SPAM_PAGES)
    }
    return MockWeb(good | spam)


def warnings(ended: Ended) -> list[str]:
    assert (ended.code, ended.plain) == (0, True), ended.log
    return [line for line in ended.log.splitlines() if "A stranger holds much of the harvest" in line]


def test_it_is_told_in_the_log_and_the_report_and_left_out_at_a_word(tmp_path):
    with serving(small_web()) as web:
        (line,) = warnings(crawl(web, tmp_path, [SEED], pages=150, settings=("FOCUSED_PROGRESS_SECONDS=0.05",)))
        assert f"are on {SPAM}, to which hardly any trusted site links" in line
        (again,) = warnings(
            crawl(web, tmp_path, [SEED], pages=180, settings=NO_PROGRESS)
        )  # a run tells at its end at the latest
        assert "of 180 relevant pages" in again
        report = end(scrapy("report", "test", folder=tmp_path)).output
        assert again.partition("A stranger")[2] in report
        assert "done" not in end(scrapy("steer", "test", "deny", SPAM, folder=tmp_path)).output  # the next run does it
        assert warnings(crawl(web, tmp_path, [SEED], pages=210, settings=NO_PROGRESS)) == []
    assert "A stranger" not in end(scrapy("report", "test", folder=tmp_path)).output
    assert len(rows(tmp_path, "SELECT 1 FROM history WHERE outcome = 'page'")) < 190  # what it held up is all there is


def test_a_domain_that_a_person_trusts_is_told_of_no_more(tmp_path):
    with serving(small_web()) as web:
        assert len(warnings(crawl(web, tmp_path, [SEED], pages=150, settings=NO_PROGRESS))) == 1
        end(scrapy("steer", "test", "trust", f"www.{SPAM}", folder=tmp_path))
        assert warnings(crawl(web, tmp_path, [SEED], pages=180, settings=NO_PROGRESS)) == []
    assert rows(tmp_path, "SELECT kind, argument FROM steering") == [("trust_host", f"www.{SPAM}")]
