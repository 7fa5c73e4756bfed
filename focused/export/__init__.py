"""Files of other programs made from a collection: tables, JSON lines, Markdown, WARC."""
