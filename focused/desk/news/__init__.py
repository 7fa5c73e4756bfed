"""What is new in a collection since somebody looked last: found, written as a letter and as a feed, and told once."""
