"""What goes wrong in the tables of positions of `TranslationModel`."""

from autograder.catalogue.edits import mistake

SOURCE, TARGET = (f"self.{side}_positions = LearnedPositions(max_len" for side in ("src", "tgt"))
ROWS = "How many rows does a table of positions have if max_len is 9?"

OF_THE_POSITIONS = tuple(
    mistake(f"{rows} for {whose}", {table: f"{table} {step}" for table in tables}).because(
        f"Your table of positions for {whose} has {rows} than max_len; create max_len rows.", ROWS
    )
    for rows, step in (("one row more", "+ 1"), ("one row fewer", "- 1"))
    for whose, tables in (("source and target", (SOURCE, TARGET)), ("the source", (SOURCE,)), ("the target", (TARGET,)))
)
