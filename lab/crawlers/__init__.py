"""Who takes part in an experiment: the strategies, and yardsticks, of which some are shown the labels."""
