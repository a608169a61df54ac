"""What a student gets back: one page, the verdicts first and the notebook after, readable without a network."""
