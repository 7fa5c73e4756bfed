"""What is new in a collection since somebody looked last: found, written as a letter and as a feed, and told once."""

MOST = 50  #: pages of each kind that are told one by one, where nothing else is said
