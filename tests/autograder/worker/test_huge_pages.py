"""Huge pages: what a server has allocated moves there once it has served many, and stays what it was."""

import os
import platform
import re
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.sandbox.session import Worker
from autograder.stripping.package import stripped_package
from autograder.worker.server import MANY

SETTING = Path("/sys/kernel/mm/transparent_hugepage/enabled")
SUPPORTED = (
    sys.platform == "linux"
    and tuple(map(int, re.findall(r"\d+", platform.release())[:2])) >= (6, 1)
    and SETTING.exists()
    and "[madvise]" in SETTING.read_text()  # with "always" they are there from the start
)
SCRIPT = """
from autograder.worker import kernel

def in_huge_pages():
    with open("/proc/self/smaps_rollup") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("AnonHugePages"))

small = [bytes([n % 256]) * 1000 for n in range(50_000)]  # 50 MB
before = in_huge_pages()
kernel.use_huge_pages()
print(before, in_huge_pages(), small == [bytes([n % 256]) * 1000 for n in range(50_000)])
"""


@pytest.mark.skipif(not SUPPORTED, reason="needs Linux 6.1, with huge pages on request")
def test_what_was_allocated_moves_to_huge_pages_and_stays_what_it_was():
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    before, after, same = done.stdout.split()
    assert int(after) - int(before) > 30 << 10  # KiB
    assert same == "True"


@pytest.mark.skipif(not SUPPORTED or os.getuid() != 0, reason="needs Linux 6.1, with huge pages on request, and root")
def test_a_server_moves_there_once_it_has_served_many(tmp_path):
    with Worker(stripped_package("01_attention", tmp_path)) as worker:
        held = [in_huge_pages_after_one_more(worker) for _ in range(MANY + 1)]
    assert max(held[:MANY]) == 0
    assert held[MANY] > 30 << 10  # KiB


def in_huge_pages_after_one_more(worker):
    worker.run([], {})
    with open(f"/proc/{worker.server.pid}/smaps_rollup") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("AnonHugePages"))
