"""One run of a live crawl: puts the core, its journal and the collection together, and resumes where the last run ended."""
