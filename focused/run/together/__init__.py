"""What the crawls of several topics share that run in one process. Each has its own session, collection and engine."""
