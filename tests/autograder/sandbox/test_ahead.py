"""Servers that were started before anybody asked for them: each is had once, and none is left behind."""

import multiprocessing
import shutil
from pathlib import Path

import pytest

from autograder.sandbox import ahead
from autograder.sandbox.session import Worker

NOTHING = """
class Preload:
    def needed(self):
        return []

    def usual(self): ...


def single_thread():
    return True
"""
pytestmark = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")


@pytest.fixture(scope="module")
def quick_package(stripped_package, tmp_path_factory):
    """One whose servers import nothing first: they start, wait and end as any other, and sooner."""
    quick = tmp_path_factory.mktemp("quick") / "stripped"
    shutil.copytree(stripped_package, quick)
    (quick / "autograder" / "worker" / "preload.py").write_text(NOTHING)
    return quick


@pytest.fixture
def two_ahead(quick_package, monkeypatch):
    """Two servers without a sandbox, which nobody has claimed."""
    for kept in ("waiting", "released", "tickets"):
        monkeypatch.setattr(ahead, kept, [])
    ahead.start(quick_package, "limits", 2)
    servers = [*ahead.waiting]
    yield servers
    for server in servers:
        server.close()


def run_and_say_by_which(quick_package: Path, said) -> None:
    with Worker(quick_package, sandbox="limits") as worker:
        run = worker.run([], {})
        said.put((run.status, worker.server.process.pid))


def test_each_forked_process_has_one_of_its_own_and_a_third_starts_another(quick_package, two_ahead):
    context = multiprocessing.get_context("fork")
    said = context.Queue()
    readers = [context.Process(target=run_and_say_by_which, args=(quick_package, said)) for _ in range(3)]
    for reader in readers:
        reader.start()
    outcomes = [said.get(timeout=100) for _ in readers]
    for reader in readers:
        reader.join()
    pids = {pid for _, pid in outcomes}
    assert [status for status, _ in outcomes] == ["done"] * 3
    assert len(pids) == 3
    assert {server.process.pid for server in two_ahead} < pids


def test_a_server_of_another_edition_is_closed_and_not_taken(quick_package, two_ahead, tmp_path):
    other = tmp_path / "other"
    shutil.copytree(quick_package, other)
    assert ahead.claim(other, "limits") is None
    assert two_ahead[0].process is None


def test_what_nobody_claims_ends_when_everybody_has_let_go(two_ahead):
    ahead.let_go()
    for server in two_ahead:
        server.process.wait(timeout=100)
    assert [server.process.returncode for server in two_ahead] == [0, 0]


def test_what_was_let_go_has_ended_when_it_is_reaped(two_ahead):
    pids = [server.process.pid for server in two_ahead]
    ahead.let_go()
    ahead.reap()
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)
    assert ahead.released == []


def test_at_the_end_no_server_is_left_that_nobody_claimed(two_ahead):
    pids = [server.process.pid for server in two_ahead]
    ahead.close()
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)
