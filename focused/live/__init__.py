"""One run of a live crawl: the core, its journal and the collection together, and how a run goes on where the last one ended."""
