"""Backlinks: who links to a URL, asked of earlier crawls, a recorded web or an HTTP API. The Web itself does not tell."""
