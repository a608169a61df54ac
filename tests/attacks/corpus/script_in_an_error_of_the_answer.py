"""Raise, from an answer, an error whose type, text and line are markup: they stand on the verdict's own card."""

KIND = "the instructor's browser"
DESERVES = 12
ANSWERS = {
    "scaled_dot_product": """
owned = "<script>document.title='owned'</script><img src=x onerror=\\"document.title='owned'\\">{{7*7}}{% raw %}"

def scaled_dot_product(q, k, v, mask=None):
    raise type(owned, (Exception,), {})(owned)  # <script>document.title='owned'</script>
"""
}
