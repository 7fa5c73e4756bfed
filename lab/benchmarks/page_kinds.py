"""Whether a small model tells pages that say something from the others better than the rules of `focused.page.page_kind` do.

`page_kinds.csv` holds 502 pages of 328 hosts. Of the documentation web, WebKB and Wikispeedia up to 20 pages of each host were
drawn at random; of these so many of each kind by the rules of then, so that there are enough of each: ``weight`` is for how many
pages one stands. One reader gave each a kind, and did not know what the rules say:

- *content*: about 35 words (two or three sentences), or as much code or data, in which the page itself says something of its
  subject. Addresses, dates, ways around the site, words on how it is kept and titles and words on pages it links to do not count.
- *index*: links and hardly a word besides. *listing*: links with some words each, such as archives, calendars, publications and
  summaries of packages. *stub*: neither.

60 were given a kind ``again``. A hash of the site's name puts it on one of two sides. Models are learned, and their options and
cuts are chosen by ten-fold cross-validation over sites, on the side ``tune``; all figures are of the side ``report``, by weight,
with 95 % of 2,000 draws of its sites.

Example:
    python -m lab.benchmarks.page_kinds docs-web.warc.gz webkb.tar.xz wikispeedia.tar.xz:layout=article
"""

from __future__ import annotations

import argparse
import csv
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from focused.exceptions import EvaluationError, FocusedError
from focused.page.page import Page
from focused.page.page_kind import KINDS
from focused.page.reader import Reader, ReadingOptions
from focused.page.urls import host_of
from focused.simulation.known_webs import make_known, web_called
from lab.benchmarks.main_text_pages import split_of
from lab.webs.kinds import KINDS as WEBS

LABELS = Path(__file__).with_name("page_kinds.csv")
CONTENT = "content"
WORDS = (20, 25, 30, 35, 40)  #: of own text from which on a page says something
CUTS = (0.4, 0.5, 0.6, 0.7)  #: probabilities of no content
FOLDS, DRAWS = 10, 2_000
#: Hosts under one of these belong to different people.
_SHARED = ("readthedocs.io", "github.io", "sourceforge.net", "sourceforge.io", "ac.uk", "edu.au", "csiro.au", "example")
_SENTENCE = re.compile(r"[.!?。][\"')]?\s+[^\W\d_]")
_NAMED = re.compile(r"index|toc|contents|list|archive|search|members|modules|tags?|calendar|category|_[a-z]\.html|dir_")


@dataclass(frozen=True, slots=True)
class Labelled:
    """A page and the kind that a reader gave it."""

    web: str
    url: str
    kind: str
    again: str  #: the second time; empty where there was none
    weight: float

    @property
    def site(self) -> str:
        parts = host_of(self.url).split(".")
        return ".".join(parts[-3 if ".".join(parts[-2:]) in _SHARED else -2 :])


@dataclass(frozen=True, slots=True)
class Read:
    """What the product reads on it. words : of own text; features : (f,)"""

    label: Labelled
    page: Page
    words: int
    features: NDArray[np.float64]


def labelled_pages(path: Path = LABELS) -> list[Labelled]:
    with path.open(encoding="utf-8", newline="") as file:
        return [
            Labelled(row["web"], row["url"], row["kind"], row["again"], float(row["weight"]))
            for row in csv.DictReader(file)
        ]


def read_pages(labels: Sequence[Labelled], names: Sequence[str], cache: Path | None = None) -> list[Read]:
    """The pages that the webs have; EvaluationError if it is none."""
    make_known(*WEBS)
    reader, found = Reader(ReadingOptions()), {}
    for name in names:
        called = web_called([name])
        web = called.open(False if called.has_index_pages else None, cache)
        for label in labels:
            answer = web.answer(label.url)
            if answer is not None and answer.status == 200:
                declared = next((value for header, value in answer.headers if header.lower() == "content-type"), "")
                page = reader.read(label.url, answer.body, declared)
                if isinstance(page, Page):
                    found[label] = Read(label, page, sum(words for _, words in page.own), features(label.url, page))
    if not found:
        raise EvaluationError(f"{', '.join(names)}: none of the labelled pages is in there")
    return list(found.values())


def features(url: str, page: Page) -> NDArray[np.float64]:
    """(f,) what is known of a page when it has been read; counts are logarithms."""
    terms = max(len(page.terms), 1)
    linked = np.zeros(terms + 1, np.bool_)
    for link in page.links:
        linked[link.anchor_start : link.anchor_end] = True
    blocks = sorted((words for _, words in page.own), reverse=True)
    links, path = len({link.url for link in page.links}), urlsplit(url).path.lower()
    counts = [
        sum(blocks),
        *[*blocks, 0, 0, 0][:3],
        sum(words >= 8 for words in blocks),
        len(page.terms),
        links,
        len({link.tag_path for link in page.links}),
        len(_SENTENCE.findall(page.text)),
    ]
    shares = [
        linked.sum() / terms,
        sum(blocks) / terms,
        len(set(page.terms)) / terms,
        sum(term[0].isdigit() for term in page.terms) / terms,
        links < 4,
        path in ("", "/"),
        _NAMED.search(path) is not None,
    ]
    return np.array([*np.log1p(counts), *shares], np.float64)


def scores(due: NDArray[Any], said: NDArray[Any], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """(3,) or (3, d) for weights of (d, n): precision, recall and F1."""
    right, called, all_due = (weights @ one.astype(float) for one in (due & said, said, due))
    return np.array(
        [part / np.maximum(of, 1e-9) for part, of in ((right, called), (right, all_due), (2 * right, called + all_due))]
    )


def drawn_weights(pages: Sequence[Read]) -> NDArray[np.float64]:
    """(DRAWS, n) weights if sites were drawn again."""
    _, site = np.unique([one.label.site for one in pages], return_inverse=True)
    count = site.max() + 1
    drawn = np.random.default_rng(0).integers(0, count, (DRAWS, count))
    times = np.stack([np.bincount(row, minlength=count) for row in drawn])
    return times[:, site] * _weights(pages)


def by_models(tune: Sequence[Read], report: Sequence[Read]) -> Iterator[tuple[str, list[str]]]:
    """The kinds of the pages of ``report`` by the best model of each family."""
    linear = [
        (f"C = {c}", make_pipeline(StandardScaler(), LogisticRegression(C=c, max_iter=2_000)))
        for c in (0.03, 0.1, 0.3, 1)
    ]
    trees = [
        (
            f"{n} trees, depth {d}",
            GradientBoostingClassifier(max_depth=d, n_estimators=n, subsample=0.7, random_state=0),
        )
        for d, n in ((1, 100), (2, 60))
    ]
    x, y, weights = np.stack([one.features for one in tune]), _kinds(tune), _weights(tune)
    _, site = np.unique([one.label.site for one in tune], return_inverse=True)
    fold = np.random.default_rng(0).permutation(site.max() + 1)[site] % FOLDS
    for family, models in (("logistic regression", linear), ("boosted trees", trees)):
        best = (-1.0, "", 0.0, models[0][1])
        for name, model in models:
            content = np.empty(len(tune))
            for number in range(FOLDS):
                _fit(model, x[fold != number], y[fold != number], weights[fold != number])
                content[fold == number] = _content(model, x[fold == number])
            tried = [(float(scores(y != CONTENT, 1 - content > cut, weights)[2]), name, cut, model) for cut in CUTS]
            best = max(best, *tried, key=lambda one: one[0])
        _, name, cut, model = best
        _fit(model, x, y, weights)
        chance = model.predict_proba(np.stack([one.features for one in report]))
        others = np.array([kind != CONTENT for kind in model.classes_])
        likeliest = model.classes_[others][chance[:, others].argmax(axis=1)]
        called = np.where(chance[:, others].sum(axis=1) > cut, likeliest, CONTENT)
        yield f"{family} ({name}, cut {cut}; tune {best[0]:.3f})", called.tolist()


def _fit(model: Any, x: NDArray[np.float64], y: NDArray[Any], weights: NDArray[np.float64]) -> None:
    """By the roots of the weights, which lie between 1 and 27."""
    last = model.steps[-1][0] + "__" if hasattr(model, "steps") else ""
    model.fit(x, y, **{f"{last}sample_weight": np.sqrt(weights / weights.mean())})


def _content(model: Any, x: NDArray[np.float64]) -> NDArray[np.float64]:
    chance: NDArray[np.float64] = model.predict_proba(x)[:, list(model.classes_).index(CONTENT)]
    return chance


def _kinds(pages: Sequence[Read]) -> NDArray[Any]:
    return np.array([one.label.kind for one in pages])


def _weights(pages: Sequence[Read]) -> NDArray[np.float64]:
    return np.array([one.label.weight for one in pages])


def report(pages: Sequence[Read]) -> Iterator[str]:
    """The tables, line by line."""
    again = [one.label for one in pages if one.label.again]
    same = sum((one.kind == CONTENT) == (one.again == CONTENT) for one in again)
    yield f"Given a kind again: {len(again)}; the same kind {sum(one.kind == one.again for one in again)}, content or not {same}."
    sides: dict[str, list[Read]] = {"tune": [], "report": []}
    for one in pages:
        sides[split_of(one.label.site)].append(one)
    here = sides["report"]
    due, weights, drawn = _kinds(here), _weights(here), drawn_weights(here)
    called = {"rules": [one.page.kind or CONTENT for one in here]}
    called |= {f"{n} words": [one.page.otherwise if one.words < n else CONTENT for one in here] for n in WORDS}
    called |= dict(by_models(sides["tune"], here))
    apart = scores(due != CONTENT, due != "", weights)[0]
    yield f"{len(here)} pages of {len({one.label.site for one in here})} sites, {apart:.3f} of them without content:"
    yield ""
    yield "| no content by | precision | recall | F1 | F1 less that of the rules | F1 of " + " | ".join(KINDS) + " |"
    yield "|" + "---|" * (5 + len(KINDS))
    base = scores(due != CONTENT, np.array(called["rules"]) != CONTENT, drawn)[2]
    for name, kinds in called.items():
        said = np.array(kinds)
        point, spread = (scores(due != CONTENT, said != CONTENT, by) for by in (weights, drawn))
        cells = [f"{value:.3f} ({_interval(by)})" for value, by in zip(point, spread, strict=True)]
        cells += [_interval(spread[2] - base)]
        cells += [f"{scores(due == kind, said == kind, weights)[2]:.2f}" for kind in KINDS]
        yield f"| {name} | " + " | ".join(cells) + " |"


def _interval(values: NDArray[np.float64]) -> str:
    low, high = np.percentile(values, (2.5, 97.5))
    return f"{low:.3f} to {high:.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("web", nargs="+", help="a recorded web, as scrapy serve-web takes it")
    parser.add_argument("--cache", type=Path, help="folder that keeps the index of WARC files")
    arguments = parser.parse_args()
    print("\n".join(report(read_pages(labelled_pages(), arguments.web, arguments.cache))))


if __name__ == "__main__":
    try:
        main()
    except FocusedError as error:
        sys.exit(f"page_kinds: {error}")
