"""The classifiers that crawlers of context graphs begin with: of all layers, and of the seed set alone."""

from __future__ import annotations

from pathlib import Path

from focused.storage.trained_model import save_model
from focused.strategies.context_graph.layer_classifier import Document, LayerClassifier
from focused.training.card import card_of
from focused.training.examples import Examples
from focused.training.kinds.layers import Layers

GRAPHS, SEED_SET = "graphs", "seed-set"  #: names of the models of one topic
#: Who crawls with them. With one layer, the links of the likeliest pages come first: a focused crawler without a context.
CONTEXT = {"name": "context_graph", "model": GRAPHS}
FOCUSED = {"name": "context_graph", "model": SEED_SET}


def save_models(examples: Examples, folder: Path) -> None:
    """Learn both models from the same pages on topic, and keep them in a folder.

    A layer that no link leads from is left out. Raises StorageError where the folder cannot be written to.

    Source: Diligenti, Coetzee, Lawrence, Giles & Gori 2000, "Focused Crawling Using Context Graphs", sections 3.1, 3.2 and 4:
    the focused crawler has the classifier that the context focused crawler has for the seed set.
    """
    kind = Layers()
    documents = [Document.of(document.page.terms) for document in examples.documents]
    targets = [place for place, document in enumerate(examples.documents) if examples.is_good(document)]
    for name, model in (
        (GRAPHS, kind.fit(examples)),
        (SEED_SET, LayerClassifier.fit([targets], documents)),
    ):
        save_model(folder, card_of(kind, name, (kind.name, name), examples, model, {}), model)
