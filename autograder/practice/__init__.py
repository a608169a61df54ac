"""`check`, as a student calls it: the judge on the public cases, and the card that it shows."""
