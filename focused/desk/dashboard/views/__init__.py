"""The pages of the dashboard, one file each: what a person asks for, and what is shown."""
