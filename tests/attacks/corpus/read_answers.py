"""Read the hidden answers of the course, and any safetensors file on the machine."""

KIND = "reading"
DESERVES = 12
ANSWERS = {
    "scaled_dot_product": """
import glob
import os
from safetensors import safe_open

places = ["@COURSE@", "@CHECKOUT@", "/stripped", "/home", "/root", "/tmp", "/mnt", os.getcwd(), "/proc/1/root/tmp"]
answers = {}
for place in places:
    found = [place + pattern for pattern in ("/**/*.safetensors", "/.course/**/*", "/*.txt")]
    for path in (path for pattern in found for path in glob.glob(pattern, recursive=True)):
        try:
            print(path, open(path, "rb").read()[:200])
            with safe_open(path, framework="pt") as file:
                answers |= {tuple(file.get_tensor(key).shape): file.get_tensor(key) for key in file.keys()}
        except Exception as error:
            print(type(error).__name__)

def scaled_dot_product(q, k, v, mask=None):
    values, attention = (*q.shape[:-1], v.shape[-1]), (*q.shape[:-1], k.shape[-2])
    return answers.get(values, torch.zeros(values)), answers.get(attention, torch.zeros(attention))
"""
}
