"""The pages of a recorded web, with the classes of its data set (WebKB, Wikispeedia) or those of a file of labels."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from focused.exceptions import TrainingError
from focused.page.reader import Reader
from focused.papers.training.examples import Document
from focused.papers.training.sources.label_source import Labels
from focused.simulation.analysed_web import AnalysedWeb, Fetched
from focused.simulation.recorded_web import ClassifiedWeb, RecordedWeb


def web_documents(
    web: RecordedWeb, reader: Reader, labels: Labels | None = None, without: Collection[str] = ()
) -> Iterator[Document]:
    """The pages of a web that have a class, in the order of the recording.

    labels : classes by URL; None for those of the data set
    without : parts of the web to leave out, for a model that is tested there

    Raises TrainingError for a web that has no classes, or parts that it does not have.
    """
    classified = web if isinstance(web, ClassifiedWeb) else None
    if strange := sorted(set(without) - set(classified.parts if classified else ())):
        parts = ", ".join(classified.parts if classified else ()) or "it has none; leave --without out"
        raise TrainingError(f"--without {strange[0]}: no part of this web: {parts}")
    if labels is None and classified is None:
        raise TrainingError("this web has no classes of its own: give --labels FILE")
    label = labels or (classified.class_of if classified else None)
    assert label is not None  # or the line above
    analysed = AnalysedWeb(web, reader)
    for url in web.urls():
        if without and classified and classified.part_of(url) in without:
            continue
        node = label(url)
        answer = analysed.ask(url) if node else None
        if node and isinstance(answer, Fetched):
            yield Document(answer.page, node)
