"""A hostile Web on this machine, and an independent look at what a crawl of ours did to it."""
