"""Several topics in one process, which ask for each page once."""
