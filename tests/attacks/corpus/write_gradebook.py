"""Open the gradebook, print what is in it, and set every score to the maximum."""

KIND = "reading"
DESERVES = 12
ANSWERS = {
    "scaled_dot_product": """
import sqlite3

try:
    with sqlite3.connect("@COURSE@/gradebook.db") as gradebook:
        print(gradebook.execute("select * from student").fetchall())
        gradebook.execute("update grade set auto_score = 100, manual_score = 100, needs_manual_grade = 0")
except sqlite3.Error as error:
    print(error)

def scaled_dot_product(q, k, v, mask=None):
    return q, k
"""
}
