"""The importance of a page, by each way to tell it: pure functions of `Evidence`.

Each gives URL -> a number that is the greater, the better the page, for each page that any of the compared crawls fetched. No
crawler sees it. `lab.measures.average_relevance` averages it over a crawl.

Source: Pant, Srinivasan & Menczer 2004, "Crawling the Web", section 4.1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from focused.papers.models.layers import LayerClassifier, TermCounts
from focused.papers.models.taxonomy import NaiveBayes
from focused.papers.strategies.focused import hits
from focused.papers.strategies.pagerank import pagerank as ranks
from focused.papers.strategies.ss2 import bm25, collection_frequency_weights
from lab.judging.evidence import Evidence, similarities


def keywords(evidence: Evidence) -> dict[str, float]:
    """The share of the topic's keyword terms that stand on the page, in [0, 1]; 0 where the keywords have no terms.

    Source: Pant, Srinivasan & Menczer 2004, section 4.1, item 1.
    """
    wanted = set(evidence.terms(" ".join(evidence.topic.keywords)))
    return {url: len(wanted.intersection(terms)) / max(1, len(wanted)) for url, terms in evidence.pages.items()}


def query(evidence: Evidence) -> dict[str, float]:
    """The cosine of the keywords and the page by TF-IDF, in [0, 1]. To a longer description: the average precision.

    Source: Pant, Srinivasan & Menczer 2004, section 4.1, item 2.
    """
    return similarities(evidence.terms(" ".join(evidence.topic.keywords)), evidence.pages)


def seeds(evidence: Evidence) -> dict[str, float]:
    """The cosine of one document of all seeds and the page by TF-IDF, in [0, 1]. Only as good as the seeds are on topic.

    Source: Pant, Srinivasan & Menczer 2004, section 4.1, item 3.
    """
    texts = evidence.recorded(evidence.topic.seeds).values()
    return similarities([term for terms in texts for term in terms], evidence.pages)


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


def retrieval_rank(evidence: Evidence) -> dict[str, float]:
    """1 for the page that BM25 ranks first, 1/n for the last of n, in equal steps; pages that tie share the mean.

    Source: Pant, Srinivasan & Menczer 2004, section 4.1, item 5, with BM25 for the SMART system.
    """
    from scipy.stats import rankdata  # takes a second, and few ask for this

    wanted = list(dict.fromkeys(evidence.terms(" ".join(evidence.topic.keywords))))
    texts = list(evidence.pages.values())
    counts = np.array([[terms.count(term) for term in wanted] for terms in texts], np.int64).reshape(len(texts), -1)
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    weights = collection_frequency_weights((counts > 0).sum(axis=0), len(texts))
    scores = bm25(counts, lengths, weights, float(lengths.mean()))
    return dict(zip(evidence.urls, (rankdata(scores) / len(texts)).tolist(), strict=True))


def in_links(evidence: Evidence) -> dict[str, float]:
    """Pages that link to the page, from 0 on.

    Source: Pant, Srinivasan & Menczer 2004, section 4.1, item 6.
    """
    links = evidence.links
    return evidence.by_page(np.bincount(links.targets, minlength=len(links)).astype(np.float64))


DAMPING, ITERATIONS = 0.85, 100  #: of Brin & Page 1998; iterations until nothing changes


def pagerank(evidence: Evidence) -> dict[str, float]:
    """PageRank, from 0 on, 1 on average over all recorded URLs.

    Source: Pant, Srinivasan & Menczer 2004, section 4.1, item 6.
    """
    links = evidence.links
    found = ranks(*links.ends(), len(links), damping=DAMPING, iterations=ITERATIONS)
    return evidence.by_page(found)


def authority(evidence: Evidence) -> dict[str, float]:
    """Authority score of HITS without weights, from 0 on, 1 on average over all recorded URLs.

    Of the whole web, not of the neighbourhood of a query: general authorities lead, whatever the topic.

    Source: Pant, Srinivasan & Menczer 2004, section 4.1, item 6, after Kleinberg 1999.
    """
    links = evidence.links
    sources, targets = links.ends()
    equal = np.ones(len(targets))
    _, found = hits(sources, targets, equal, equal, len(links))
    return evidence.by_page(found * len(links))


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
    documents = {url: TermCounts.of(terms) for url, terms in texts.items()}
    model = LayerClassifier.fit([list(range(len(examples)))], list(documents.values()))
    _, means = model.classify([documents[url] for url in evidence.urls])
    return dict(zip(evidence.urls, np.exp(means).tolist(), strict=True))


#: All of them, by name.
IMPORTANCES: Mapping[str, Callable[[Evidence], dict[str, float]]] = {
    importance.__name__: importance
    for importance in (authority, classifier, in_links, keywords, likelihood, pagerank, query, retrieval_rank, seeds)
}


def names() -> list[str]:
    """Their names, in alphabetical order."""
    return sorted(IMPORTANCES)
