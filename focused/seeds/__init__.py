"""Where to begin: searches, lists of links, backlinks and hubs."""
