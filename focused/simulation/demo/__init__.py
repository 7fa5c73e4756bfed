"""The demo web: a small synthetic Web that comes with the package."""
