"""Crawls of recorded webs, and webs that are served for trying."""
