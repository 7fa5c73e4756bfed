"""A browsing agent after Letizia: it reads along, looks at the links ahead of a page, and suggests some when it is asked."""
