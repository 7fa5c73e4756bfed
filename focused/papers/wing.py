"""What the wing brings to a crawler: see `focused.wings`."""
