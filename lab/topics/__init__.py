"""The topics of each data set, with the labels that crawls are judged by."""
