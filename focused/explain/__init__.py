"""What a person sees of a crawl: progress, tables, explanations, an audit of its own figures."""
