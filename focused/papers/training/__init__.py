"""What is learned from examples before a crawl: documents in, a model out, its quality by cross-validation (`scrapy train`)."""
