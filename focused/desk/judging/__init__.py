"""Audits of a crawl: a sample of its pages is judged by a person, and says how far the crawl's own estimate can be believed."""
