"""Sentences that a probe sends, and the judge knows again."""

DRAWS = "random numbers are drawn"  # in a call: no fault, but it explains why two equal calls differ
OTHER_NAMES = "parameters have other names than in the contract"
