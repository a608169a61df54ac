"""What nbgrader's autograde is told before it looks for a notebook."""

from traitlets.config import Config

from autograder.course.nbgrader_plugins import configure, take_renamed

STAGE = "01_attention"


def found(folder, *names):
    """The list that nbgrader hands over."""
    for name in names:
        (folder / name).write_text(name)
    return [str(folder / name) for name in names]


def test_the_only_notebook_gets_the_name_of_its_stage(tmp_path):
    notebooks = found(tmp_path, f"{STAGE} (1).ipynb")
    take_renamed(STAGE, "*", notebooks)
    assert notebooks == [str(tmp_path / f"{STAGE}.ipynb")]
    assert (tmp_path / f"{STAGE}.ipynb").read_text() == f"{STAGE} (1).ipynb"


def test_of_two_notebooks_none_is_renamed(tmp_path):
    notebooks = found(tmp_path, "a.ipynb", "b.ipynb")
    take_renamed(STAGE, "ann", list(notebooks))
    assert sorted(map(str, tmp_path.iterdir())) == notebooks


def test_a_notebook_that_has_its_name_stays_as_it_is(tmp_path):
    notebooks = found(tmp_path, f"{STAGE}.ipynb")
    take_renamed(STAGE, "ann", notebooks)
    assert [str(path) for path in tmp_path.iterdir()] == notebooks


def test_autograde_is_the_only_command_that_renames():
    c = Config()
    configure(c)
    assert [name for name, section in c.items() if "pre_convert_hook" in section] == ["Autograde"]
