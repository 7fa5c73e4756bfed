"""Recorded webs: pages that answer like the Web but always in the same way, for tests, demonstrations and evaluation."""
