"""Sitemaps and feeds over HTTP: found by robots.txt, packed, redirected or broken; none of them is a page."""

from __future__ import annotations

import gzip

from focused.simulation.recorded_web import Answer
from tests.crawls.crawling import column, crawl, end, failures, fetched, rows, scrapy
from tests.crawls.mock_web import MockWeb, page, redirect, robots, serving

HOST = "http://solar.example"
ON = {"sources__sitemaps": "true", "sources__feeds": "true", "sources__after": 2, "strategy": "breadth_first"}
PACKED = (("Content-Type", "application/x-gzip"),)
XML = (("Content-Type", "application/xml"),)


def urlset(*urls: str) -> bytes:
    return f"<urlset>{''.join(f'<url><loc>{url}</loc></url>' for url in urls)}</urlset>".encode()


def index(*urls: str) -> bytes:
    return f"<sitemapindex>{''.join(f'<sitemap><loc>{url}</loc></sitemap>' for url in urls)}</sitemapindex>".encode()


def feed(*urls: str) -> bytes:
    items = "".join(
        f"<item><title>&lt;script&gt;alert(1)&lt;/script&gt; solar</title><link>{url}</link></item>" for url in urls
    )
    return f"<rss><channel>{items}</channel></rss>".encode()


def site(**answers: Answer) -> dict[str, object]:
    rss = '<link rel="alternate" type="application/rss+xml" href="/news">'
    known = {
        "": page("solar energy", "/1"),
        "1": page("solar energy too", head=rss),
        "2": page("solar two"),
        "3": page("solar 3"),
    }
    return {f"{HOST}/{path.replace('_', '.')}": answer for path, answer in (known | answers).items()}


def test_a_robots_txt_leads_to_an_index_to_a_packed_sitemap_and_a_page_to_a_feed(tmp_path):
    answers = site(
        robots_txt=robots("Disallow: /barred", f"Sitemap: {HOST}/index"),
        index=Answer(200, XML, index(f"{HOST}/map.gz", f"{HOST}/bomb.gz", f"{HOST}/gone.xml", f"{HOST}/barred.xml")),
        map_gz=Answer(200, PACKED, gzip.compress(urlset(f"{HOST}/2", f"{HOST}/barred"))),
        bomb_gz=Answer(200, PACKED, gzip.compress(b"<urlset>" + b" " * 30_000_000)),
        news=Answer(200, XML, feed(f"{HOST}/3")),
    )
    with serving(MockWeb(answers)) as web:
        ended = crawl(web, tmp_path, [f"{HOST}/"], **ON)
    assert (ended.code, ended.plain) == (0, True), ended.log
    assert sorted(fetched(tmp_path)) == [f"{HOST}/", f"{HOST}/1", f"{HOST}/2", f"{HOST}/3"]
    assert failures(tmp_path) == {f"{HOST}/barred": "robots.txt"}
    said = "SELECT url, coalesce(kind, reason) FROM history WHERE outcome = 'list'"
    lists = dict(rows(tmp_path, said))
    assert lists == {
        f"{HOST}/robots.txt": "robots.txt",
        f"{HOST}/index": "sitemap",
        f"{HOST}/map.gz": "sitemap",
        f"{HOST}/bomb.gz": "neither a sitemap nor a feed",
        f"{HOST}/gone.xml": "http 404",
        f"{HOST}/barred.xml": "robots.txt",
        f"{HOST}/news": "feed",
    }
    assert [asked.url for asked in web.asked].count(f"{HOST}/robots.txt") == 1  # what it said is known
    assert dict(rows(tmp_path, "SELECT url, found_on FROM history"))[f"{HOST}/2"] == f"{HOST}/map.gz"
    assert column(tmp_path, "SELECT reason FROM failures WHERE url LIKE '%.xml'") == []
    brought = "4 sitemaps, feeds and the like with 3 links; 2 pages came by their links, 2 of them relevant"
    assert brought in ended.log
    assert (
        f"in the sitemap {HOST}/map.gz"
        in end(scrapy("explain", f"{HOST}/2", "-a", "topic=test", folder=tmp_path)).output
    )
    report = end(scrapy("report", "test", folder=tmp_path)).output
    assert "Pages found in lists" in report
    assert f"{HOST}/map.gz" in report


def test_a_host_without_any_is_asked_for_them_once_and_that_is_no_failure(tmp_path):
    with serving(MockWeb(site(sitemap_xml=redirect("/")))) as web:
        ended = crawl(web, tmp_path, [f"{HOST}/"], **ON | {"sources__feeds": "false"})
    assert (ended.code, ended.plain) == (0, True), ended.log
    assert web.pages_asked() == [f"{HOST}/", f"{HOST}/1", f"{HOST}/sitemap.xml", f"{HOST}/sitemap_index.xml"]
    assert failures(tmp_path) == {}


def test_a_seed_may_be_a_sitemap(tmp_path):
    answers = site(index_xml=Answer(200, XML, index(f"{HOST}/map.xml")), map_xml=Answer(200, XML, urlset(f"{HOST}/2")))
    with serving(MockWeb(answers)) as web:
        ended = crawl(web, tmp_path, [f"{HOST}/index.xml"])
    assert (ended.code, ended.plain) == (0, True), ended.log
    assert fetched(tmp_path) == [f"{HOST}/2"]
