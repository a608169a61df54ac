"""What `make bench` runs: each module has a `run()` that returns its measurements."""
