"""Context graph: a page is judged by how many links it probably lies before a target, and so are its links."""

from focused.papers.strategies.context_graph.context_graph import ContextGraph

__all__ = ["ContextGraph"]
