"""Makes input that nobody would write, from input that somebody did, and keeps what breaks the product."""
