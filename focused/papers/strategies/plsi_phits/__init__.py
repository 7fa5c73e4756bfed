"""PLSI + PHITS: latent factors of terms and citations, learned from what was fetched, tell what a link is about."""

from focused.papers.strategies.plsi_phits.plsi_phits import PlsiPhits

__all__ = ["PlsiPhits"]
