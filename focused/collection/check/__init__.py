"""What `scrapy check` looks for in a collection, and what it repairs."""
