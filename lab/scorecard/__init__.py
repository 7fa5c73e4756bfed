"""One row for the product as it ships: what it finds, what it costs, how large it is."""
