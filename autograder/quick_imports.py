"""Import this before nbformat in a process that grades: nbformat then takes 0.15 s instead of 1.4.

jsonschema, which nbformat imports, would build a grammar of international web addresses where the package for it is
installed, as it is with Jupyter's server. No notebook is checked for such addresses.
"""

import sys
from typing import Any

modules: dict[str, Any] = sys.modules
modules.setdefault("rfc3987_syntax", None)
