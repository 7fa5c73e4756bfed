"""The demo web: a small synthetic Web that knows the truth about itself, to try a crawl without touching anybody's server.

What makes a crawler stumble on the real Web is built in: each oddity is linked from its host's home page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from datetime import date
from functools import cache
from html import escape
from random import Random

from focused.exceptions import WebError
from focused.page.urls import UrlRules, host_of
from focused.simulation.demo_sites import NEUTRAL, SITES, TOPICS, DemoLink, DemoPage, paragraph, plan, sentence
from focused.simulation.recorded_web import Answer, html_answer, not_found

ROBOTS = {
    "tastybites.example": "User-agent: *\nDisallow: /private/\n",
    "windworks.example": "User-agent: *\nCrawl-delay: 0.05\n",
}
NO_ROBOTS = "daily-news.example"  # answers 404 to robots.txt; all other hosts allow everything
REDIRECTS = {
    "http://sunpower.example/old-home": "/",
    "http://greenpower.example/go/encyclopedia": "https://heliopedia.example/",
    "http://panelforum.example/moved/1": "/moved/2",
    "http://panelforum.example/moved/2": "/moved/3",
    "http://panelforum.example/moved/3": "/",
    "http://kickoff.example/loop/1": "/loop/2",
    "http://kickoff.example/loop/2": "/loop/1",
}
CALENDAR = re.compile(r"http://daily-news\.example/calendar/(\d{4})/(\d{2})/")
BROKEN_MARKUP = b"""<title>Old garden page</title><body><h1>Roses<p>This page <b>was <i>written</b> by hand in 1996
<table><tr><td><a href="/">home<a href=/index/gardening?page=1>all <li>about roses</ul></div>
<a href="http://kickoff.example/"><img src=x alt="a club">&nbsp &copy &bogus; <!-- never closed <a href="/lost">"""


def oddities(pages: Mapping[str, DemoPage]) -> dict[str, Answer]:
    """Answers by URL; also puts the links to them on the home pages of `pages`."""
    answers = {
        "http://stargazer.example/fails": html_answer(b"<h1>Internal error</h1>", 500),
        "http://windworks.example/busy": Answer(
            503, (("Content-Type", "text/plain"), ("Retry-After", "1")), b"try again later\n"
        ),
        "http://gardenpath.example/roses.html": Answer(200, (("Content-Type", "text/html"),), BROKEN_MARKUP),
        "http://sunpower.example/brochure.pdf": Answer(
            200, (("Content-Type", "application/pdf"),), _pdf("Solar panels and inverters: the brochure")
        ),
        "https://tastybites.example/private/diary.html": html_answer(b"<p>Robots were asked to stay outside.</p>"),
    }
    answers |= {url: Answer(301, (("Location", target),), b"") for url, target in REDIRECTS.items()}
    for site in {page.site.host: page.site for page in pages.values()}.values():
        if site.host != NO_ROBOTS:
            rules = ROBOTS.get(site.host, "User-agent: *\nDisallow:\n").encode()
            answers[f"{site.root}/robots.txt"] = Answer(200, (("Content-Type", "text/plain"),), rules)
        odd = [url for url in answers if url.startswith(f"{site.root}/") and not url.endswith("/robots.txt")]
        pages[f"{site.root}/"].listed += [DemoLink(url, "notice") for url in odd]
    pages["http://gardenpath.example/"].listed.append(DemoLink("http://gardenpath.example/gone.html", "lost page"))
    pages["http://daily-news.example/"].listed.append(DemoLink(calendar_url(2024, 5), "calendar"))
    pages["http://kickoff.example/"].nofollow = True
    return answers


def duplicates(pages: Mapping[str, DemoPage]) -> dict[str, str]:
    """Print versions, byte for byte the article: URL of the copy -> URL of the original; linked from the original."""
    originals = [page for page in pages.values() if page.site.host == "sunpower.example" and page.topic == "solar"][:8]
    copies = {page.url.replace("/solar/", "/print/"): page.url for page in originals}
    for copy, original in copies.items():
        pages[original].listed.append(DemoLink(copy, "print version"))
    return copies


def calendar_url(year: int, month: int) -> str:
    return f"http://daily-news.example/calendar/{year:04}/{month:02}/"


def calendar(url: str) -> Answer | None:
    """A month of a calendar without end, the usual crawler trap; None for any other URL."""
    match = CALENDAR.fullmatch(url)
    if not match:
        return None
    try:
        month = date(int(match[1]), int(match[2]), 1)
    except ValueError:
        return None
    neighbours = {
        "previous": month.replace(year=max(1, month.year - (month.month == 1)), month=(month.month - 2) % 12 + 1),
        "next": month.replace(year=min(9999, month.year + (month.month == 12)), month=month.month % 12 + 1),
    }
    links = "".join(
        f'<li><a href="{calendar_url(day.year, day.month)}">{name}</a></li>' for name, day in neighbours.items()
    )
    html = f"<!DOCTYPE html><title>Calendar</title><h1>{month:%B %Y}</h1><p>Nothing is planned.</p><ul>{links}</ul>"
    return html_answer(html.encode())


def _pdf(text: str) -> bytes:
    """The smallest PDF that shows a line of text (ISO 32000-1, annex H.3)."""
    stream = f"BT /F1 18 Tf 72 720 Td ({text}) Tj ET".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        b"/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
    ]
    body, offsets = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"xref\n0 5\n0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    return body + table + b"trailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % len(body)


class DemoWeb:
    """Some 550 pages on 12 hosts (in the reserved domain .example) about six topics, the same for the same seed.

    Pages mostly link to their own topic; there are hosts of one topic and of several, a directory of link lists, a host
    that only those lists lead to, off-topic footers, vague link texts, and the oddities of `demo_oddities`.

    pages : planned pages by canonical URL (`relevant_urls` gives the truth about a topic)
    """

    def __init__(self, seed: int = 1) -> None:
        self.rules = UrlRules()
        self.seed = seed
        self.pages = plan(seed)
        self.copies = duplicates(self.pages)
        self._odd = oddities(self.pages)
        self._hosts = {site.host: site for site in SITES}
        self._rendered = cache(self._render)

    @property
    def hosts(self) -> Set[str]:
        return self._hosts.keys()

    def urls(self) -> Iterator[str]:
        """All URLs but those of the endless calendar."""
        yield from self.pages
        yield from self.copies
        yield from self._odd

    def answer(self, url: str) -> Answer | None:
        canonical = self.rules.canonical(url)
        site = self._hosts.get(host_of(canonical)) if canonical else None
        if canonical is None or site is None:
            return None
        scheme, _, rest = canonical.partition(":")
        if scheme != site.scheme:
            return Answer(301, (("Location", f"{site.scheme}:{rest}"),), b"")
        if page := self.pages.get(self.copies.get(canonical, canonical)):
            return self._rendered(page.url)
        return self._odd.get(canonical) or calendar(canonical) or not_found(url)

    def relevant_urls(self, topic: str) -> set[str]:
        """The articles about a topic. Neither lists of links nor print versions count: they hold nothing new."""
        if topic not in TOPICS:
            raise WebError(f"the demo web has no topic {topic!r}: choose from {', '.join(TOPICS)}")
        return {page.url for page in self.pages.values() if page.topic == topic}

    def _render(self, url: str) -> Answer:
        page: DemoPage = self.pages[url]
        return html_answer(render(page, self.seed), charset=page.site.charset)


def render(page: DemoPage, seed: int) -> bytes:
    """The page as bytes in its site's charset. The text depends on the seed and the URL alone, not on the order of calls."""
    random = Random(f"{seed} {page.url}")
    robots = '<meta name="robots" content="nofollow">\n' if page.nofollow else ""
    html = (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="{page.site.charset}">\n{robots}'
        f"<title>{escape(page.title)} - {escape(page.site.name)}</title>\n</head>\n<body>\n"
        f"{_navigation(page)}<main>\n<h1>{escape(page.title)}</h1>\n{_text(page, random)}{_list(page.listed)}</main>\n"
        f"{_footer(page)}</body>\n</html>\n"
    )
    return html.encode(page.site.charset, "xmlcharrefreplace")


def _navigation(page: DemoPage) -> str:
    sections = "".join(
        f'<li><a href="/index/{topic}?page=1">{TOPICS[topic].name.capitalize()}</a></li>'
        for topic in page.site.articles
    )
    return f'<nav><ul><li><a href="/">Home</a></li>{sections}<li><a href="#top">Top</a></li></ul></nav>\n'


def _text(page: DemoPage, random: Random) -> str:
    if not page.topic:
        return f"<p>{random.choice(NEUTRAL)}</p>\n"
    parts = []
    for link in page.inline:
        parts.append(f"<p>{escape(paragraph(page.topic, random))}</p>\n")
        parts.append(f"<p>{escape(sentence(link.topic, random))} {_anchor(link)}.</p>\n")
    return "".join(parts)


def _list(links: list[DemoLink]) -> str:
    return "<ul>\n" + "".join(f"<li>{_anchor(link)}</li>\n" for link in links) + "</ul>\n" if links else ""


def _footer(page: DemoPage) -> str:
    links = " | ".join(map(_anchor, page.footer))
    imprint = f'&copy; {escape(page.site.name)}, mail <a href="mailto:us@{page.site.host}">us</a>'
    return f"<footer><p>{links}</p><p>{imprint}</p></footer>\n"


def _anchor(link: DemoLink) -> str:
    rel = ' rel="nofollow"' if link.nofollow else ""
    return f'<a href="{escape(link.url)}"{rel}>{escape(link.text)}</a>'
