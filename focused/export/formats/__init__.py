"""The formats of an export, a file each."""
