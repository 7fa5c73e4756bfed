"""A collection as a static site for other people: categories, pages with abstracts, a search without a server, feeds."""
