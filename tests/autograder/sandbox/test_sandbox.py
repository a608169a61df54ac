"""What student code finds around it in bubblewrap, and how a worker is started without."""

import json
import os
import socket
import sys
from pathlib import Path

import pytest

from autograder.sandbox import doctor, launch, sandbox

LOOK = """
import os
def look(path):
    try:
        return os.listdir(path) if os.path.isdir(path) else open(path, 'rb').read(7)
    except OSError as error:
        return type(error).__name__
"""


def test_homes_checkout_and_secrets_are_out_of_sight(boxed, tmp_path):
    (tmp_path / "answers").write_text("secret")
    places = [
        Path.home() / ".bashrc",
        Path(__file__),
        tmp_path / "answers",
        "/etc/shadow",
        "/etc/passwd",
        "/var",
        "/run",
    ]
    played = boxed(LOOK, f"print(*[look(place) for place in {[str(place) for place in places]}])")
    assert played.text(1).split() == ["FileNotFoundError"] * len(places)


def test_only_the_student_edition_of_the_packages_can_be_imported(boxed):
    played = boxed(
        "import autograder, course_lib\nautograder.__file__, course_lib.__file__, autograder.__path__",
        "import importlib.metadata as m\n[d.name for d in m.distributions() if 'workshop' in (d.name or '')]",
        "import importlib\nfor name in 'judging', 'catalogue', 'practice', 'sandbox', 'repair':\n"
        "    try: importlib.import_module(f'autograder.{name}'); print('found', name)\n"
        "    except ImportError: pass",
        "import os, sys, glob\nfound = [p for d in sys.path for p in glob.glob(d + '/*attention_workshop*')]\n"
        "[p for p in found if os.path.isdir(p) and os.listdir(p) or os.path.isfile(p)]",
    )
    assert played.text(0) == (
        "('/stripped/autograder/__init__.py',\n '/stripped/course_lib/__init__.py',\n ['/stripped/autograder'])"
    )
    assert (played.text(1), played.text(2), played.text(3)) == ("[]", "", "[]")


def test_the_system_is_read_only(boxed):
    write = (
        "import os\n"
        "def writable(place):\n"
        "    try: open(os.path.join(place, 'x'), 'w').close(); return True\n"
        "    except OSError: return False\n"
    )
    places = ["/", "/stripped", "/stripped/autograder", "/usr", "/etc", "/dev", "/proc", sys.base_prefix]
    played = boxed(write + f"[place for place in {places} + __import__('sys').path if writable(place)]")
    assert played.text() == "[]"


def test_there_is_no_network(boxed):
    with socket.create_server(("127.0.0.1", 0)) as outside:
        port = outside.getsockname()[1]
        connect = (
            "import socket\n"
            "def reach(family, *address):\n"
            "    try: socket.socket(family).connect(address); return True\n"
            "    except OSError: return False\n"
            f"ways = (2, '127.0.0.1', {port}), (2, '8.8.8.8', 53), (10, '::1', {port}), (40, 2, 1)\n"
            "[reach(*way) for way in ways]"
        )
        played = boxed(connect)
    assert played.text() == "[False, False, False, False]"


def test_a_submission_sees_no_process_but_its_own(boxed):
    played = boxed("import os\n[p for p in os.listdir('/proc') if p.isdigit()], os.getpid(), os.getppid()")
    assert played.text() == "(['1'], 1, 0)"


def test_a_submission_has_no_rights_and_no_way_to_any(boxed):
    played = boxed(
        "import os\nlines = [line.split() for line in open('/proc/self/status')]\n"
        "os.getuid(), [line[1] for line in lines if line[0] in ('CapEff:', 'CapBnd:', 'NoNewPrivs:')]",
        "import ctypes\nlibc = ctypes.CDLL(None)\n"
        "[libc.unshare(0x10000000), libc.mount(b'a', b'/tmp', b'tmpfs', 0, b''), libc.ptrace(0, 0, 0, 0),"
        " libc.shmget(0, 9, 0o1600), libc.memfd_create(b'm', 0), libc.chroot(b'/tmp')]",
        "!unshare -Ur true; su -c true; mount -t tmpfs x /tmp",
        "import os\nos.setuid(0)",
    )
    assert played.text(0) == "(1000, ['0000000000000000', '0000000000000000', '1'])"
    assert played.text(1) == "[-1, -1, -1, -1, -1, -1]"
    assert played.text(2).count("\n") >= 3
    assert played[3].status == "error"


def test_a_submission_cannot_tell_the_next_one_what_it_read(boxed):
    """By emptying the cache of a file that both can read, and by asking which parts of it are there."""
    played = boxed(
        "import os, torch\nfile = os.open(torch.__file__, os.O_RDONLY)\n"
        "os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)",
        "os.preadv(file, [bytearray(1)], 0, os.RWF_NOWAIT)",
        "os.read(file, 1) != b''",
    )
    assert [run.status for run in (played[0], played[1])] == ["error", "error"]
    assert played.text(2) == "True"


def test_files_of_one_submission_are_gone_in_the_next(boxed):
    boxed("for place in '/tmp', '/dev/shm', '.': open(place + '/left', 'w').write('x')")
    played = boxed("import os\nos.listdir('/tmp'), os.listdir('/dev/shm'), os.listdir('.')")
    assert "notebook" in played.text()
    assert "left" not in played.text()


def test_the_environment_tells_nothing_of_the_grader(boxed, monkeypatch):
    monkeypatch.setenv("COURSE_SECRET", "seed")
    played = boxed("import os\nsorted(os.environ), open('/proc/self/environ').read(), open('/proc/1/cmdline').read()")
    assert "COURSE" not in played.text()
    assert str(Path.home()) + "/" not in played.text().replace(sys.base_prefix, "")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has anything to hide from root")
def test_private_files_of_root_below_a_shown_directory_cannot_be_read(boxed):
    if not sandbox.becomes_other_user():
        pytest.skip("root cannot become somebody else here")
    secret = Path(sandbox.site_directories()[0]) / "secret_of_root"
    secret.touch(mode=0o600)
    try:
        played = boxed(LOOK, f"look({str(secret)!r})")
    finally:
        secret.unlink()
    assert played.text(1) == "'PermissionError'"


def test_with_limits_only_the_environment_is_clean_and_the_edition_comes_first(stripped_package, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "/somewhere")
    command = sandbox.worker_command(stripped_package, "forked", "limits", tmp_path, 7)
    assert "PYTHONPATH" not in command.environment
    assert command.environment["HOME"] == str(tmp_path)
    assert command.arguments[1:3] == ["-I", "-S"]
    assert json.loads(command.arguments[-1])["package"] == str(stripped_package)


def test_this_project_is_masked_wherever_it_is_installed(tmp_path):
    below = tmp_path / "lib" / "python3.99" / "site-packages"
    for name in "course_lib", "autograder", "attention_workshop-0.1.dist-info", "torch":
        (below / name).mkdir(parents=True)
    (below / "__editable__.attention_workshop-0.1.pth").touch()
    masked = [path for path in sandbox.masked([str(tmp_path)]) if path.startswith(str(tmp_path))]
    assert {path.rsplit("/")[-1] for path in masked} == {path.name for path in below.iterdir()} - {"torch"}
    assert sandbox.mask(f"{below}/course_lib")[0] == "--tmpfs"
    assert sandbox.mask(f"{below}/__editable__.attention_workshop-0.1.pth")[1] == os.devnull


def test_the_doctor_names_every_protection_and_whether_it_is_there():
    rows = doctor.describe()
    assert len({name for name, _, _ in rows}) == len(rows)
    assert all(isinstance(active, bool) and detail for _, active, detail in rows)
    assert dict((name, active) for name, active, _ in rows)["sandbox"] == (not sandbox.refusal())


def test_without_bubblewrap_the_doctor_says_what_to_install(monkeypatch):
    monkeypatch.setenv("PATH", "")
    rows = {name: (active, detail) for name, active, detail in doctor.describe()}
    assert rows["no network"] == (False, "bubblewrap is not installed; " + doctor.INSTALL)


def test_without_bubblewrap_limits_are_chosen_and_bubblewrap_is_an_error(monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert sandbox.choose(None) == "limits"
    with pytest.raises(RuntimeError, match="install it or choose"):
        sandbox.choose("bubblewrap")


def test_a_trial_that_fails_says_why():
    assert "no such option" in sandbox.trial([sys.executable, "-c", "raise SystemExit('no such option')"])
    assert sandbox.trial(["/nonexistent/program"])


def test_a_staged_edition_is_readable_by_everybody(tmp_path):
    (tmp_path / "private").mkdir(mode=0o700)
    (tmp_path / "private" / "file").touch(mode=0o600)
    launch.make_readable(str(tmp_path / "private"))
    assert (tmp_path / "private").stat().st_mode & 0o777 == 0o755
    assert (tmp_path / "private" / "file").stat().st_mode & 0o777 == 0o644
