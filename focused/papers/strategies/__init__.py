"""Strategies of papers, found by `focused.strategies`."""
