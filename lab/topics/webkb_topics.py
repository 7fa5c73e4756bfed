"""Topics of WebKB, as in Almpanidis et al. (2007): four kinds of page at four universities, with the keywords of table 2.

Each university is a web of its own, the others hidden: whatever is trained for one learns from the other three.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from focused.exceptions import EvaluationError
from focused.page.page import Page
from focused.page.reader import Reader, ReadingOptions
from focused.simulation.labels import Judgements
from lab.topics.labelled_topics import LabelledTopic, beginning, reachable
from lab.webs.webkb import WebKB

UNIVERSITIES = ("cornell", "texas", "washington", "wisconsin")
#: Table 2, spelt as there.
KEYWORDS = {
    "course": (
        *("course", "university", "homework", "lesson", "exams", "assignment", "lecture", "tutorial", "book"),
        *("schedule", "notes", "grading", "handout", "teaching", "solutions"),
    ),
    "faculty": ("faculty", "university", "professor", "publications", "papers", "research", "office"),
    "project": ("project", "university", "demonstration", "objective", "overview", "research", "laboratory"),
    "student": ("student", "university", "interests", "favourite", "activities", "graduate", "home"),
}
CONTENT_TYPE = "text/html; charset=iso-8859-1"


def webkb_topics(web: WebKB, universities: Iterable[str] = UNIVERSITIES) -> list[LabelledTopic]:
    """The topics of these universities, seeded with the department's page.

    web : all universities, index pages folded. Raises EvaluationError if it lacks a department page or a kind of page.
    """
    return [topic for university in universities for topic in _webkb_topics(web, university)]


def _webkb_topics(web: WebKB, university: str) -> list[LabelledTopic]:
    seed = web.seeds.get(university)
    if seed is None:
        raise EvaluationError(f"{university}: no single department page in this data set; is it complete?")
    pages = _read(web, university)
    found = reachable([seed], partial(_links, pages))
    return [_webkb_topic(web, university, category, pages, seed, found) for category in KEYWORDS]


def _webkb_topic(
    web: WebKB, university: str, category: str, pages: Mapping[str, Page], seed: str, found: set[str]
) -> LabelledTopic:
    targets = frozenset(url for url in pages if web.pages[url].category == category)
    if not targets:
        raise EvaluationError(f"{university}: no page of category {category!r} in this data set; is it complete?")
    others = [name for name in UNIVERSITIES if name != university]
    return LabelledTopic(
        keywords=KEYWORDS[category],
        seeds=(seed,),
        judgements=Judgements(f"{university}-{category}", targets, reachable=targets & found),
        description="\n".join(beginning(pages[url]) for url in sorted(targets)),
        origin={"data set": "WebKB", "category": category, "university": university, "train on": others},
        fold_index=True,
    )


def _read(web: WebKB, university: str) -> dict[str, Page]:
    reader = Reader(ReadingOptions(fold_index=True))
    pages = {}
    for url, recorded in web.pages.items():
        if recorded.university == university:
            page = reader.read(url, recorded.body, CONTENT_TYPE)
            pages[url] = page if isinstance(page, Page) else Page(url, 0, "", "", "")
    return pages


def _links(pages: Mapping[str, Page], url: str) -> list[str]:
    """Links within the university."""
    return [link.url for link in pages[url].links if link.url in pages]
