"""WARC files as a recorded web."""
