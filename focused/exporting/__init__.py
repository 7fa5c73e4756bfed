"""Collections written down for other programs: `scrapy export`."""
