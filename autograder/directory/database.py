"""The address of a gradebook, and the gradebook there; an error is one sentence."""

from importlib.util import find_spec

from nbgrader.api import Base, Gradebook
from nbgrader.dbutil import ALEMBIC_DIR
from sqlalchemy import URL, create_engine, inspect
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, OperationalError

from autograder.errors import CourseError

DRIVERS = ("psycopg2", "psycopg")
WAIT = "60"  # seconds, until another writer to a SQLite file is done


def working_address(db_url: str, drivers: tuple[str, ...] = DRIVERS) -> str:
    """The address with the first of the `drivers` that is installed: SQLAlchemy's own for `postgresql://` may not be.

    Raises:
        CourseError: not an address, or no driver for it.
    """
    try:
        url = make_url(db_url)
        if url.drivername in ("postgresql", "postgres"):
            driver = next((name for name in drivers if find_spec(name)), drivers[0])
            url = url.set(drivername=f"postgresql+{driver}")
        url.get_dialect().import_dbapi()
    except (NoSuchModuleError, ImportError) as error:
        raise CourseError(
            f"No driver is installed for a gradebook at {url.drivername}://… ({error}); for PostgreSQL: pip "
            "install 'attention-workshop[postgres]'."
        ) from None
    except ArgumentError:
        raise CourseError(
            "The gradebook's address is not valid; write postgresql://USER:PASSWORD@HOST/DATABASE or sqlite:///FILE."
        ) from None
    return url.render_as_string(hide_password=False)


def make_tables(url: URL) -> None:
    """Make the tables of an empty database, and note in it which version of nbgrader's schema they have.

    nbgrader would ask the command `alembic` for that version, which takes three seconds.
    """
    engine = create_engine(url)
    with engine.begin() as connection:
        if not inspect(connection).get_table_names():
            from alembic.migration import MigrationContext  # only a new gradebook needs it
            from alembic.script import ScriptDirectory

            Base.metadata.create_all(connection)
            MigrationContext.configure(connection).stamp(ScriptDirectory(ALEMBIC_DIR), "head")
    engine.dispose()


def open_gradebook(db_url: str, course_id: str) -> Gradebook:
    """nbgrader's gradebook at an address; its tables are made when they are not there."""
    url = make_url(working_address(db_url))
    if url.get_backend_name() == "sqlite" and "timeout" not in url.query:
        url = url.update_query_dict({"timeout": WAIT})
    try:
        make_tables(url)
        return Gradebook(url.render_as_string(hide_password=False), course_id)
    except OperationalError as error:
        raise CourseError(
            f"The gradebook at {url.render_as_string()} cannot be opened "
            f"({str(error.orig).strip().splitlines()[0]}). Start its database, or correct the address, "
            "c.CourseDirectory.db_url in nbgrader_config.py."
        ) from None
