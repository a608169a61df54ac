"""The stages stand in solutions/, beside the packages; in a wheel they go along as data, for `course init`."""

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class WithStages(build_py):
    """Builds the packages, and copies the stages into `autograder`."""

    def run(self):
        """As ever; what is installed in place finds the stages where they stand."""
        super().run()
        if not self.editable_mode and Path("solutions").is_dir():
            target = Path(self.build_lib) / "autograder" / "solutions"
            target.mkdir(parents=True, exist_ok=True)
            for stage in sorted(Path("solutions").glob("*.py")):
                self.copy_file(str(stage), str(target / stage.name))


setup(cmdclass={"build_py": WithStages})
