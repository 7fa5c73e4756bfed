"""Measurements of cost and quality, a command each: ``python -m lab.benchmarks.NAME --help``."""
