"""What is written in the stages, one idea a file."""
