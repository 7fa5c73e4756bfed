"""The dashboard: a page that people look at, in a process of its own beside any crawl. Needs the extra ``dashboard``."""
