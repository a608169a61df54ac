"""For every user of the hub, in /etc/jupyter: where the exchange is, and who is asking."""

import os

c = get_config()  # noqa: F821 (given by the loader)
c.Exchange.root = os.environ.get("HUB_EXCHANGE", "/srv/nbgrader/exchange")
c.Exchange.path_includes_course = True  # fetched pages lie in COURSE/STAGE
if "COURSE_OF_SERVICE" not in os.environ and "JUPYTERHUB_USER" in os.environ:
    c.Authenticator.plugin_class = "nbgrader.auth.JupyterHubAuthPlugin"  # the hub's groups say who is in which course
    c.CourseDirectory.student_id = os.environ["JUPYTERHUB_USER"]  # and not the account that the server runs under
