"""From raw tensors to a verdict: the judge, the answers it compares with, and what it says of shortcuts."""
