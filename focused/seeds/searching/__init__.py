"""Seeds from words: search providers are asked, the pages they name are fetched and judged, the best become seeds."""
