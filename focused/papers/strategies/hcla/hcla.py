"""HCLA: latent semantic indexing of texts and links in one matrix tells how near to the keywords a link lies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field
from scipy.sparse import csr_array

from focused.crawl.arrays import FloatArray
from focused.crawl.strategy import Changes, Rescoring, StrategyOptions, Visit, Waiting
from focused.crawl.world import World
from focused.papers.models.background import Background
from focused.papers.models.background_corpus import BackgroundCorpus
from focused.papers.models.link_matrix import Direction, edges_of, link_matrix, links_between
from focused.papers.models.reordering import Reordering, ReorderingOptions
from focused.papers.models.term_documents import TermDocuments
from focused.papers.strategies.hcla.hypertext import Hypertext, background_space, frontier_cosines
from focused.papers.strategies.hcla.lsi import Space

DECIMALS = 6  #: links with the same column differ by rounding only; kept equal, the first found comes first


class Hcla(Reordering):
    """Order all that waits by its cosine with the keywords in the latent space of texts and links.

        score = (1 + cosine) / 2
        C = [[A, L, O], [0, G, R]] = U S V',  cosine = (U_k' c) · (U_k' q) / (|U_k' c| |q|),  c = column of the link

    A: terms of a background corpus; L: of the fetched pages; O: zeros, or anchor texts; G and R: which fetched pages link to a
    page, and to a link. Columns have unit length; q: the keywords, padded by zeros.

    Parts
        cosine: cosine of keywords and link, from -1 to 1; 0 where the latent space knows nothing of the link
        parents: number of fetched pages in the matrix that link to it

    Source: Almpanidis, Kotropoulos & Pitas 2007, "Combining text and link analysis for focused crawling", section 4.
    """

    name = "hcla"
    parts: ClassVar[tuple[str, ...]] = ("cosine", "parents")
    uses_graph = True
    rescore_lag = 10  # picks; a decomposition takes seconds
    trained = "corpus"
    model_class = BackgroundCorpus

    class Options(ReorderingOptions):
        factors: int = Field(50, ge=1, le=1000, description="dimensions of the latent space (k)")
        terms: int = Field(1000, ge=1, le=100_000, description="number of terms: the most frequent stems (m)")
        update: Literal["svd", "zha_simon"] = Field(
            "svd", description="decompose the whole matrix, or update the space of the background corpus"
        )
        anchors: bool = Field(False, description="put the anchor texts of links into the block of zeros")
        links: Direction = Field("in", description="what describes a page: links to it, its own, or both")
        own: bool = Field(False, description="a page describes itself too, so that its links have a share in its terms")
        corpus: int = Field(
            500,
            ge=1,
            le=100_000,
            description="the first pages, up to this many, are the background corpus if none is trained",
        )
        pages: int = Field(3000, ge=1, le=100_000, description="number of latest pages in the matrix")
        model: str = Field("", description="name of a trained background corpus")

    def __init__(self, options: StrategyOptions, world: World) -> None:
        super().__init__(options, world)
        self._background = Background(world.keywords, world.texts, self.options.corpus, world.model)
        self._pages = TermDocuments(self._background.vocabulary)
        self._anchors = TermDocuments(self._background.vocabulary)
        self._space: Space | None = None  # of the background corpus, when that is complete

    def score(self, visit: Visit) -> tuple[FloatArray, FloatArray]:
        terms = visit.page.terms
        self._background.add(terms)
        self._pages.add(visit.id, terms)
        if self.options.anchors:
            for target, link in zip(visit.targets.tolist(), visit.links, strict=True):
                self._anchors.add(target, terms[link.anchor_start : link.anchor_end])
        return super().score(visit)

    def rescore(self, waiting: Waiting) -> Callable[[], Rescoring] | None:
        if not self.world.keywords or not len(waiting.ids):
            return None
        options, seed, space = self.options, self.world.seed, self._space
        pages = self.world.graph.pages[-options.pages :]
        self._pages.keep(pages)
        self._anchors.keep(waiting.ids)
        background, complete = self._background.counts(), self._background.complete
        terms = self._background.terms(background, options.terms)
        query = self._background.query(terms)
        texts, anchors = self._pages.matrix(pages), self._anchors.matrix(waiting.ids)
        edges = edges_of(self.world.graph, pages)

        def job() -> Rescoring:
            frontier = link_matrix(edges, pages, waiting.ids)
            described = frontier.sum(axis=0) > 0  # the others were found on pages of long ago, and keep their scores
            parents = frontier.sum(axis=0)[described]
            hypertext = Hypertext(
                background=csr_array(background[:, terms].T),
                texts=csr_array(texts[:, terms].T),
                anchors=csr_array(anchors[described][:, terms].T),
                links=links_between(edges, pages, options.links, own=options.own),
                frontier_links=frontier[:, described],
            )
            known = None
            if options.update == "zha_simon":
                known = space or background_space(hypertext.background, options.factors, seed)
            cosines = frontier_cosines(hypertext, query, options.factors, seed, known).round(DECIMALS)
            changes = Changes(waiting.ids[described], (1 + cosines) / 2, np.column_stack((cosines, parents)))
            return Rescoring(changes, learned=known if complete else None)

        return job

    def adopt(self, learned: Any) -> None:
        self._space = learned

    def state(self) -> dict[str, Any]:
        return {
            "background": self._background.snapshot(),
            "pages": self._pages.snapshot(),
            "anchors": self._anchors.snapshot(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self._background.restore(state["background"])
        self._pages.restore(state["pages"])
        self._anchors.restore(state["anchors"])
