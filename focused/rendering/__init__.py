"""Pages that need JavaScript: recognised by their plain response, then run in a headless browser that has no network of its own."""
