"""The pages of a recorded web, with the classes of its data set (WebKB, Wikispeedia) or those of a file of labels."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import partial

from focused.evaluation.analysed_web import AnalysedWeb, Fetched
from focused.reading.reader import Reader
from focused.scoring.taxonomy import Node
from focused.training.errors import TrainingError
from focused.training.examples import Document
from focused.training.sources.labels import Labels
from focused.webs.web import RecordedWeb
from focused.webs.webkb import UNIVERSITIES, WebKB
from focused.webs.wikispeedia import Wikispeedia


def web_documents(
    web: RecordedWeb, reader: Reader, labels: Labels | None = None, without: Collection[str] = ()
) -> Iterator[Document]:
    """The pages of a web that have a class, in the order of the recording.

    labels : classes by URL; None for those of the data set
    without : universities of WebKB to leave out, for a model that is tested there

    Raises TrainingError for a web that has no classes, or universities that it does not have.
    """
    if without:
        if not isinstance(web, WebKB):
            raise TrainingError("--without is for WebKB, whose universities it names; leave it out")
        if strange := sorted(set(without) - set(UNIVERSITIES)):
            raise TrainingError(f"--without {strange[0]}: not a university of WebKB: {', '.join(UNIVERSITIES)}")
    label = labels or _classes(web)
    analysed = AnalysedWeb(web, reader)
    for url in web.urls():
        if isinstance(web, WebKB) and web.pages[url].university in without:
            continue
        node = label(url)
        answer = analysed.ask(url) if node else None
        if node and isinstance(answer, Fetched):
            yield Document(answer.page, node)


def _classes(web: RecordedWeb) -> Labels:
    if isinstance(web, WebKB):
        return partial(_category, web)
    if isinstance(web, Wikispeedia):
        return partial(_subject, web)
    raise TrainingError("this web has no classes of its own: give --labels FILE")


def _category(web: WebKB, url: str) -> Node | None:
    return (web.pages[url].category,)


def _subject(web: Wikispeedia, url: str) -> Node | None:
    """``subject.Science.Physics`` is the node Science/Physics; an article has its first category."""
    categories = web.articles[url].categories
    return tuple(categories[0].split(".")[1:]) if categories else None
