"""Who stands behind the pages of a collection: sites by registered domain, rated by hubs and relevance."""
