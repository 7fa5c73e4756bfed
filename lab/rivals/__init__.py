"""Crawlers as they are published, each in a process of its own, on the recorded webs; judged by the server's log alone."""
