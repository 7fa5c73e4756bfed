"""Who is asked: a file for each kind of provider."""
