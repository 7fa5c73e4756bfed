"""Scrapy commands of this project: one file each, named as its command is. Their common base is `focused.reporting.command`."""
