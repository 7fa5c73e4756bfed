"""What a crawl keeps on disk: its database and the bytes of every page it fetched."""
