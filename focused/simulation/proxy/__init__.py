"""Serves a recorded web as an HTTP proxy."""
