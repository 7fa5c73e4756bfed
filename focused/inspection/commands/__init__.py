"""Commands of this wing, found by `focused.commands`."""
