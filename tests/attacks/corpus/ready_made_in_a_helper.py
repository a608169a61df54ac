"""Hide the ready-made softmax in a module's attribute, in a helper, in another cell."""

KIND = "built-in functions"
DESERVES = 16
STATUS = {"softmax": "forbidden"}
CELL = """
class Weights(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Softmax(-1)

    def forward(self, logits):
        return self.inner(logits)

weights = Weights()
"""
ANSWERS = {
    "softmax": """
def softmax(logits, dim=-1):
    return weights(logits.transpose(dim, -1)).transpose(dim, -1)
"""
}
