"""JupyterHub for one or more courses: a group of students, a group of graders and a formgrader for each.

On TLJH it belongs in /opt/tljh/config/jupyterhub_config.d/; a hub of your own loads it from its jupyterhub_config.py.
"""

import os
import tomllib
from pathlib import Path

c = get_config()  # noqa: F821 (given by the loader)
COURSES = tomllib.loads(Path(os.environ.get("HUB_COURSES", "/srv/courses/courses.toml")).read_text("utf-8"))

# What a user may do, the user's own server may do: nbgrader asks the hub which courses that user is in.
roles = [{"name": "server", "scopes": ["inherit"]}]
c.JupyterHub.load_groups = {}
for name, course in COURSES.items():
    c.JupyterHub.load_groups |= {
        f"nbgrader-{name}": {"users": course["students"]},
        f"formgrade-{name}": {"users": course["graders"]},
    }
    roles += [
        {
            "name": f"formgrader-{name}",
            "groups": [f"formgrade-{name}"],
            "scopes": [f"access:services!service={name}", "list:services", f"read:services!service={name}"],
        },
    ]
    c.JupyterHub.services.append(
        {
            "name": name,
            "url": f"http://{course.get('host', '127.0.0.1')}:{course['port']}",
            "command": ["jupyterhub-singleuser", *course.get("options", [])],
            "cwd": course["directory"],
            "environment": {"JUPYTERHUB_DEFAULT_URL": "/formgrader", "COURSE_OF_SERVICE": name},
            "oauth_no_confirm": True,
            "display": True,
            **({"user": course["owner"]} if "owner" in course else {}),  # the account that the directory belongs to
        }
    )
c.JupyterHub.load_roles = roles
