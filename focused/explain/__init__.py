"""What a person sees of a crawl that runs, of its topics, and of any command: progress, warnings, tables."""
