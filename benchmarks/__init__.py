"""What `make bench` runs: each module has a `run(size)` that returns its measurements, its sizes `FULL` and `TINY`."""
