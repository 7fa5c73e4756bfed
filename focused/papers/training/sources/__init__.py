"""Where examples come from, one file each: a topic, a folder of classes, an earlier crawl, a recorded web, a file of labels."""
