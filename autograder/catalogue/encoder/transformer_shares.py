"""What is looked for in `TransformerEncoder`, and the questions that lead to it."""


class Share:
    """The names of the properties."""

    PARAMETERS = "parameters of the contract, new ones for each layer"
    WIRING = "one block after the other"
    VALUES = "values, with your own blocks"
    MASK = "the mask reaches every layer"
    MAPS = "one attention map for each layer"
    MASKED_MAPS = "under a mask too, the maps of the forward pass"
    ARGUMENTS = "the arguments reach the blocks"
    GRADIENTS = "gradients reach every parameter"


HOW_MANY = "How many blocks does your constructor make, and does the module know them?"
CHAIN = "What does the second block get, and what does forward return?"
EVERY = "Which layers get the mask?"
SAME_WAY = "Which x does layer 2 see in forward? Which x do you ask its attention with?"
ROUTE = "Through which arguments does EncoderBlock get its dropout and its heads?"
ALL_MAPS = (Share.MAPS, Share.MASKED_MAPS)
