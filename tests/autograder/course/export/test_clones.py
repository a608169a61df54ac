"""Clones of the students' repositories: whose each is, when it was committed, and what cannot be taken."""

import os
import subprocess

import pytest

from autograder.course.clones import collect_clones
from autograder.course.roster import read_import
from autograder.errors import CourseError
from autograder.files import write_whole

STAGE = "01_attention"
WHO = {"GIT_AUTHOR_NAME": "x", "GIT_AUTHOR_EMAIL": "x@x", "GIT_COMMITTER_NAME": "x", "GIT_COMMITTER_EMAIL": "x@x"}


def git(clone, *words, when="2027-03-01T12:00:00+01:00"):
    dates = {"GIT_COMMITTER_DATE": when, "GIT_AUTHOR_DATE": when, "GIT_CONFIG_GLOBAL": os.devnull}
    subprocess.run(["git", "-C", clone, *words], check=True, capture_output=True, env=os.environ | WHO | dates)


@pytest.fixture
def clone(tmp_path):
    """`clone(name, {path: content})` makes a repository with one commit; without files, with none."""

    def make(name, files, when="2027-03-01T12:00:00+01:00"):
        root = tmp_path / "clones" / name
        root.mkdir(parents=True, exist_ok=True)
        git(root, "init", "-q")
        for path, content in files.items():
            write_whole(root / path, content.encode())
        if files:
            git(root, "add", "-A")
            git(root, "commit", "-q", "-m", "work", when=when)
        return root

    return make


@pytest.fixture
def collect(course, tmp_path):
    return lambda **given: collect_clones(course, STAGE, tmp_path / "clones", **given)


def stamp(course, student):
    return course.submitted_file(STAGE, student).with_name("timestamp.txt").read_text()


def test_the_class_list_says_whose_a_clone_is_and_git_when_the_notebook_was_last_changed(
    course, collect, clone, tmp_path
):
    (tmp_path / "class.csv").write_text("id,lms_user_id\nann,octo-ann\nBob-Roe,\n")
    read_import(course, tmp_path / "class.csv").write()
    root = clone("week-1-octo-ann", {f"{STAGE}.ipynb": "ann"})
    write_whole(root / "notes.txt", b"later, and not the notebook")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "notes", when="2027-03-09T12:00:00+01:00")
    clone("week-1-bob-roe", {f"work/{STAGE}.ipynb": "bob"}, when="2027-03-02T10:00:00Z")
    clone("week-1-stranger", {f"{STAGE}.ipynb": "?"})
    outcome = collect()
    assert outcome.students == ("Bob-Roe", "ann")
    assert stamp(course, "ann") == "2027-03-01T12:00:00+01:00"
    assert stamp(course, "Bob-Roe").startswith("2027-03-02T10:00:00")
    assert course.submitted_file(STAGE, "Bob-Roe").read_text() == "bob"
    assert outcome.left == ("week-1-stranger: its name does not say whose it is (see --pattern)",)


def test_without_a_list_the_name_of_the_stage_comes_before_the_students(course, collect, clone):
    clone("01-attention-ann", {f"{STAGE}.ipynb": "ann"})
    clone("anything", {f"{STAGE}.ipynb": "?"})
    outcome = collect()
    assert (outcome.students, len(outcome.left)) == (("ann",), 1)
    assert collect(pattern="^(?P<student_id>any.*)$").students == ("anything",)


def test_what_cannot_be_taken_is_said(course, collect, clone, tmp_path):
    clone("01-attention-empty", {})
    write_whole(clone("01-attention-dirty", {"a.txt": "a"}) / f"{STAGE}.ipynb", b"not committed")
    clone("01-attention-none", {"README.md": "x"})
    clone("01-attention-two", {f"{STAGE}.ipynb": "1", f"old/{STAGE}.ipynb": "2"})
    linked = clone("01-attention-link", {"a.txt": "a"})
    (linked / f"{STAGE}.ipynb").symlink_to("/etc/passwd")
    git(linked, "add", "-A")
    git(linked, "commit", "-q", "-m", "link")
    write_whole(clone("01-attention-plain", {"a.txt": "a"}) / ".git" / "HEAD", b"nothing")
    write_whole(tmp_path / "clones" / "01-attention-copied" / f"{STAGE}.ipynb", b"no repository")
    outcome = collect()
    assert outcome.students == ()
    said = {sentence.partition(": ")[0].removeprefix("01-attention-"): sentence for sentence in outcome.left}
    assert "no 01_attention.ipynb in it" in said["empty"]
    assert "was never committed" in said["dirty"]
    assert "no 01_attention.ipynb in it" in said["none"]
    assert "several notebooks may be meant (01_attention.ipynb, old/01_attention.ipynb)" in said["two"]
    assert "link" in said["link"]
    assert "without commits" in said["copied"]
    assert len(said) == 7


def test_a_clone_of_a_thousand_folders_costs_its_own_student_alone(collect, clone, deep_below):
    deep_below(clone("01-attention-ada", {f"{STAGE}.ipynb": "ada"}))
    clone("01-attention-zoe", {f"{STAGE}.ipynb": "zoe"})
    assert collect().students == ("ada", "zoe")


def test_a_clone_without_commits_is_said(collect, clone):
    write_whole(clone("01-attention-ann", {}) / f"{STAGE}.ipynb", b"never committed")
    assert collect().left == ("01-attention-ann: a clone without commits, or none",)


def test_a_second_collection_changes_nothing_and_a_newer_commit_needs_update(course, collect, clone):
    clone("01-attention-ann", {f"{STAGE}.ipynb": "first"})
    collect()
    assert collect().same == ("ann",)
    clone("01-attention-ann", {f"{STAGE}.ipynb": "second"}, when="2027-03-05T12:00:00Z")
    assert "--update replaces it" in collect().left[0]
    assert collect(update=True).students == ("ann",)
    assert stamp(course, "ann").startswith("2027-03-05")


def test_the_settings_of_a_clone_run_nothing(collect, clone, tmp_path):
    root = clone("01-attention-ann", {f"{STAGE}.ipynb": "ann"})
    for name in ("core.fsmonitor", "core.pager", "gpg.program", "core.sshCommand"):
        git(root, "config", name, f"touch {tmp_path / 'ran'}")
    git(root, "config", "log.showSignature", "true")
    assert collect().students == ("ann",)
    assert not (tmp_path / "ran").exists()


def test_an_empty_folder_is_one_sentence_and_the_command_takes_a_folder(command, clone, tmp_path):
    (tmp_path / "clones").mkdir()
    assert "contains no folders; pass the folder" in command("collect", tmp_path / "clones", 1, code=2).stderr
    clone("01-attention-ann", {f"{STAGE}.ipynb": "ann"})
    assert "1 submission collected: ann." in command("collect", tmp_path / "clones", 1).stdout


@pytest.mark.parametrize(("pattern", "said"), [("(", "not a regular expression"), ("x", "must name the student")])
def test_a_pattern_of_no_use_is_one_sentence(collect, clone, pattern, said):
    clone("01-attention-ann", {f"{STAGE}.ipynb": "ann"})
    with pytest.raises(CourseError, match=said):
        collect(pattern=pattern)
