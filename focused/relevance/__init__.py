"""How well texts, links and pages match a topic: pure functions of a page and a query, without state."""
