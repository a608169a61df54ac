"""What a fork of the warm server inherits, and that nothing it does to that reaches the next one."""

import os
import re

import pytest

OPEN = """
import os
for name in sorted(map(int, os.listdir('/proc/self/fd'))):
    try:
        print(name, os.readlink(f'/proc/self/fd/{name}'))
    except FileNotFoundError:
        pass
"""
FILES = """
import fcntl, os, stat
held = [n for n in range(256) if os.path.exists(f'/proc/self/fd/{n}') and not os.readlink(f'/proc/self/fd/{n}')
        .startswith(('socket:', '/memfd:'))]
"""
KNOWN = {
    "standard input": r"0 /dev/null",
    "what the cells print": r"\d+ /memfd:text \(deleted\)",
    "the channel": r"\d+ socket:\[\d+\]",
    "fonts of matplotlib": r"\d+ /\S+/(ttf|afm)/[\w.-]+",
}


def test_a_fork_inherits_these_open_files_and_no_other(boxed):
    listed = boxed(OPEN).text().splitlines()
    assert listed
    assert [line for line in listed if not any(re.fullmatch(known, line) for known in KNOWN.values())] == []
    assert len([line for line in listed if re.fullmatch(KNOWN["the channel"], line)]) == 1


def test_what_one_fork_does_to_an_open_file_the_next_does_not_see(boxed):
    state = "print([(n, os.lseek(n, 0, os.SEEK_CUR), fcntl.fcntl(n, fcntl.F_GETFL)) for n in held])"
    before = boxed(FILES + state).text()
    change = """
for n in held:
    os.lseek(n, 97, os.SEEK_SET)
    fcntl.fcntl(n, fcntl.F_SETFL, os.O_NONBLOCK)
"""
    assert boxed(FILES + change + state).text() != before
    assert boxed(FILES + state).text() == before


def test_a_fork_can_still_draw_with_the_fonts_that_it_inherited(boxed):
    plot = "import matplotlib.pyplot as plt\nplt.title('$x$ a title'); plt.plot([1, 2]); plt.show()"
    assert "image/png" in boxed(plot)[0].outputs[0]["data"]


@pytest.mark.parametrize("kind", ["user", "mnt", "pid", "ipc", "net"])
def test_a_fork_has_namespaces_of_its_own(boxed, kind):
    own = boxed(f"import os; print(os.readlink('/proc/self/ns/{kind}'))").text().strip()
    if os.geteuid():
        pytest.skip("only root may look at the server's")
    assert own not in ("", os.readlink(f"/proc/{boxed.worker.server.pid}/ns/{kind}"))


def test_a_fork_has_terminals_of_its_own(boxed):
    listing = "import os; print(sorted(os.listdir('/dev/pts')))"
    assert boxed("import os; held = os.openpty(); print(os.ttyname(held[1]))").text() == "/dev/pts/0\n"
    assert boxed(listing).text() == "['ptmx']\n"


@pytest.mark.parametrize("family", ["AF_INET", "AF_INET6"])
def test_there_are_no_sockets_of_the_internet(play, family):
    played = play.solved(f"import socket; socket.socket(socket.{family})")
    assert played[0].outputs[0]["ename"] == "OSError"
    assert played.right


def test_a_submission_stays_one_session_whose_share_of_the_processor_is_one(play):
    played = play.solved("import subprocess; subprocess.Popen(['sleep', '997'], start_new_session=True)")
    assert played[0].outputs[0]["ename"] == "PermissionError"
    assert played.right
