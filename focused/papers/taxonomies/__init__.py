"""The workbench of a taxonomy: listings of a published file, fetched examples, guesses of a classifier, a person's corrections."""
