"""The recipes that others published for the same tasks, as baselines: own code, their steps."""
