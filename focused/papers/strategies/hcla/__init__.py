"""HCLA: latent semantic indexing of texts and links in one matrix tells how near to the keywords a link lies."""

from focused.papers.strategies.hcla.hcla import Hcla

__all__ = ["Hcla"]
