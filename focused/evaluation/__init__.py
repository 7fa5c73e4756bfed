"""Evaluation: how well a crawl did, measured on recorded webs with labels that no crawler sees."""
