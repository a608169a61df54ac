"""Leave symbolic and hard links in the working directory that lead to the course, and write through them."""

KIND = "left behind"
DESERVES = 12
ANSWERS = {
    "scaled_dot_product": """
import os

targets = ["@COURSE@", "@COURSE@/gradebook.db", "@HOME@", "@CHECKOUT@/course_lib", "/proc/1/root", "/etc/passwd"]
for number, target in enumerate(targets):
    for make in (os.symlink, os.link):
        try:
            make(target, f"link-{number}-{make.__name__}")
            print(os.listdir(f"link-{number}-{make.__name__}"))
        except OSError as error:
            print(error)
    try:
        with open(f"link-{number}-symlink", "ab") as file:
            file.write(b"8")
    except OSError as error:
        print(error)

def scaled_dot_product(q, k, v, mask=None):
    return q, k
"""
}
