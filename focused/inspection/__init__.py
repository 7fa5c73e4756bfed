"""A look at a collection, finished or running: check, explain, report, search, show. No crawl needs it."""
