"""Data sets as recorded webs, and a generated web of any size."""
