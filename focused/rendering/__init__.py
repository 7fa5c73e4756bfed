"""Pages that need a browser."""
