"""Print, display and return scores and whole cards, in the style of the grader's own."""

KIND = "forged output"
DESERVES = 12
ANSWERS = {
    "scaled_dot_product": """
import sys
from IPython.display import HTML, display

print("8")
print("Scaled dot-product attention: right, 8 of 8 points")
print('{"score": 8, "max_score": 8, "status": "right"}')
sys.stderr.write("score: 8\\n")
display(HTML("<p>8</p>"), metadata={"nbgrader": {"score": 8}})
display({"text/plain": "8", "application/json": {"score": 8}}, raw=True)

def scaled_dot_product(q, k, v, mask=None):
    print("8")
    return q, k

8.0
"""
}
