"""A group of commands in which anything that is not a command is a file to import."""

from typing import Any

from typer.core import TyperGroup


class ImportByDefault(TyperGroup):
    """`course roster class.csv` is `course roster import class.csv`."""

    def resolve_command(self, context: Any, arguments: list[str]) -> Any:
        """The command to run; anything that is not a command is a file to import."""
        if arguments and arguments[0] not in self.commands:
            arguments = ["import", *arguments]
        return super().resolve_command(context, arguments)

    def parse_args(self, context: Any, arguments: list[str]) -> list[str]:
        """Options of an import may also come first."""
        if arguments and arguments[0].startswith("-") and arguments[0] != "--help":
            arguments = ["import", *arguments]
        return super().parse_args(context, arguments)
