"""Stage 14: what a language model computes on its way, and tools to measure it, to change it and to read it."""
