"""What is looked for in `PositionalEncoding`, and the questions that lead to it."""


class Share:
    """The names of the properties."""

    TABLE = "the table of sines and cosines"
    ODD = "an odd d_model"
    ADDED = "added to the tokens of every sample"
    LENGTH = "max_len positions, 5000 by default"
    BUFFER = "a buffer that is not saved"
    REFUSAL = "too long a sequence is a clear error"


FREQUENCY = "What is the angle in row 1, column 2, for d_model = 6? The formula says 1 / 10000^(2/6) = 0.0464."


COLUMNS = "Row 0 is sin(0), cos(0), sin(0), cos(0), … How does yours begin?"


ROWS = "Which axis of x is the position, and which row of pe does the first token get?"


KEEPING = "What must move to the GPU with the model, and what belongs in a checkpoint?"


LENGTH = "What should somebody read who gives 13 tokens to a module with max_len = 12?"
