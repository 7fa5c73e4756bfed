"""Mutation tests: small changes are made to the code, one at a time, and a test should notice each of them."""
