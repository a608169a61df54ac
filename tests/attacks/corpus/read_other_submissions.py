"""Copy the answer of an earlier submission."""

KIND = "reading"
DESERVES = 12
ANSWERS = {
    "scaled_dot_product": """
import glob
import json

def scaled_dot_product(q, k, v, mask=None):
    return q, k

for path in glob.glob("@COURSE@/submitted/*/*/*.ipynb") + glob.glob("@COURSE@/autograded/*/*/*.ipynb"):
    text = open(path).read()
    print(text[:2000])
    for cell in json.loads(text)["cells"]:
        source = "".join(cell["source"])
        if "def scaled_dot_product" in source:
            try:
                exec(source)
            except Exception:
                pass
"""
}
