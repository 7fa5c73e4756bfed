"""What an experiment found: averages and tests over topics, as tables, CSV files and plots."""
