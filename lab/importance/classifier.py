"""Classifier score: how probably the page is on topic, by a classifier that was trained on labelled pages."""

from __future__ import annotations

from focused.scoring.naive_bayes import NaiveBayes
from lab.judging.evidence import Evidence


def classifier(evidence: Evidence) -> dict[str, float]:
    """P(on topic | page) by naive Bayes, in [0, 1], which is mostly near one end: a long page proves much.

    Every second page, by URL, of those fetched and the targets is learned from, with its label; this judges the others, and
    the other way round, so that no page is judged by what it has taught. 0 where a half holds no page on topic.

    Source: Pant, Srinivasan & Menczer 2004, section 4.1, item 4, with prespecified relevant pages.
    """
    relevant = evidence.relevant
    pages = evidence.recorded(sorted(evidence.urls.keys() | relevant))
    halves = [list(pages)[0::2], list(pages)[1::2]]
    found: dict[str, float] = {}
    for learned, judged in (halves, halves[::-1]):
        labels = [int(url in relevant) for url in learned]
        model = NaiveBayes.fit([pages[url] for url in learned], labels, 2)
        certain = float(all(labels)) if len(set(labels)) < 2 else None  # there is nothing to tell apart
        for url in judged:
            found[url] = float(model.probabilities(pages[url])[1]) if certain is None else certain
    return {url: found[url] for url in evidence.urls}
