"""Likelihood of the page under the naive Bayes model of pages that are known to be on topic."""

from __future__ import annotations

import numpy as np

from focused.strategies.context_graph.layer_classifier import Document, LayerClassifier
from lab.judging.evidence import Evidence


def likelihood(evidence: Evidence) -> dict[str, float]:
    """The geometric mean of P(term | on topic) over the 40 weightiest terms of the page, in [0, 1]; 0 without such a term,
    and where no page on topic is recorded.

    The model is that of layer 0 of a context graph, learned from the pages that the labels name, which no crawl was shown;
    the other pages tell only how rare terms are. The mean, where the paper has the product, lets pages be compared.

    Source: Diligenti, Coetzee, Lawrence, Giles & Gori 2000, "Focused Crawling Using Context Graphs", section 4 (figure 5), with
    equations 1 and 4.
    """
    examples = evidence.recorded(sorted(evidence.relevant))
    if not examples:
        return dict.fromkeys(evidence.urls, 0.0)
    texts = {**examples, **evidence.pages}
    documents = {url: Document.of(terms) for url, terms in texts.items()}
    model = LayerClassifier.fit([list(range(len(examples)))], list(documents.values()))
    _, means = model.classify([documents[url] for url in evidence.urls])
    return dict(zip(evidence.urls, np.exp(means).tolist(), strict=True))
