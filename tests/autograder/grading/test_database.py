"""Addresses of gradebooks: completed, or refused in a sentence."""

import os
import sys
from pathlib import Path

import pytest
from nbgrader.api import get_alembic_version
from sqlalchemy import text

from autograder.course.init import init_course
from autograder.directory.database import open_gradebook, working_address
from autograder.errors import CourseError


def test_postgresql_gets_the_driver_that_is_installed():
    pytest.importorskip("psycopg2", reason="psycopg2 is not installed")
    address = "postgresql://ada:s3cret%40@db.example.org:5433/course?sslmode=require"
    assert working_address(address, drivers=("no_such_driver", "psycopg2")) == address.replace(
        "postgresql:", "postgresql+psycopg2:"
    )


def test_an_address_that_names_its_driver_stays_as_it_is():
    assert working_address("sqlite+pysqlite:////tmp/book.db") == "sqlite+pysqlite:////tmp/book.db"


@pytest.mark.parametrize("address", ["postgresql+pg8001://ada@host/course", "oracle://ada@host/course"])
def test_a_missing_driver_is_one_sentence(address):
    with pytest.raises(CourseError, match=r"No driver is installed .* pip install 'attention-workshop\[postgres\]'"):
        working_address(address)


def test_a_missing_postgresql_driver_names_what_to_install():
    with pytest.raises(CourseError, match="attention-workshop"):
        working_address("postgresql://ada@host/course", drivers=("no_such_driver",))


def test_what_is_no_address_is_one_sentence():
    with pytest.raises(CourseError, match="write postgresql://USER:PASSWORD@HOST/DATABASE"):
        working_address("the big computer")


def test_a_password_is_not_repeated_when_a_gradebook_cannot_be_opened():
    pytest.importorskip("psycopg2", reason="psycopg2 is not installed")
    with pytest.raises(CourseError, match="cannot be opened") as refused:
        open_gradebook("postgresql://ada:s3cret@127.0.0.1:9/course", "a course")
    assert "ada:***@127.0.0.1" in str(refused.value)
    assert "s3cret" not in str(refused.value)


def test_a_second_address_for_a_course_is_refused(class_of_nine):
    with pytest.raises(CourseError, match="already exists; set c.CourseDirectory.db_url in it"):
        init_course(class_of_nine.root, db_url="sqlite:///elsewhere.db")


def test_the_tables_of_a_new_gradebook_are_of_the_version_that_nbgrader_would_note(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    with open_gradebook(f"sqlite:///{tmp_path / 'new.db'}", "a course") as gradebook:
        noted = gradebook.db.execute(text("SELECT version_num FROM alembic_version")).scalars().all()
    assert noted == [get_alembic_version()]


def test_the_tables_of_a_gradebook_that_is_there_stay_as_they_are(tmp_path):
    address = f"sqlite:///{tmp_path / 'old.db'}"
    with open_gradebook(address, "a course") as gradebook:
        gradebook.update_or_create_student("ada")
        gradebook.db.execute(text("UPDATE alembic_version SET version_num = 'an older one'"))
        gradebook.db.commit()
    with open_gradebook(address, "a course") as gradebook:
        assert [student.id for student in gradebook.students] == ["ada"]
        assert gradebook.db.execute(text("SELECT version_num FROM alembic_version")).scalar() == "an older one"
