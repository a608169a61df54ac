"""Sentences that a probe begins an error with, and the judge knows again."""

OTHER_NAMES = "parameters have other names than in the contract"
