"""An experiment: what is compared, and how its crawls are made, in parallel and each only once."""
