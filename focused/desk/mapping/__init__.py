"""Maps of a collection: its pages by topic, its hosts by links. Computed beside the crawl, with scikit-learn."""
