"""Models that strategies of several papers share: terms and documents, links, backgrounds."""
