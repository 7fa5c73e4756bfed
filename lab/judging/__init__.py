"""Judges crawls by labels that they have not seen."""
