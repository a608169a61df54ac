"""JupyterLab on loopback, and a browser without a screen that opens it; nothing outside this machine is asked."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

BIN = Path(sys.executable).parent
ROOT = Path(__file__).resolve().parents[2]
SCREENSHOTS = ROOT / "build" / "screenshots"
PATIENCE = 120_000  # ms that anything may take on a loaded machine
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
QUIET += ["--disable-component-update", "--disable-sync"]
NO_NEWS = {"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": True}}
BADGE = '<svg xmlns="http://www.w3.org/2000/svg" width="117" height="20"><rect width="117" height="20"/></svg>'
LAB_BUNDLE = "/static/lab/"  # where JupyterLab serves itself; extensions and pages come from elsewhere
STAND_INS = {"colab-badge.svg": {"content_type": "image/svg+xml", "body": BADGE}}  # of the page's badge


@pytest.fixture(scope="module")
def chromium():
    """The system's chromium, driven by Playwright."""
    playwright = pytest.importorskip("playwright.sync_api")
    executable = shutil.which("chromium") or shutil.which("chromium-browser")
    if executable is None:
        pytest.skip("chromium is not installed")
    with playwright.sync_playwright() as engine:
        browser = engine.chromium.launch(executable_path=executable, args=QUIET)
        yield browser
        browser.close()


class Server:
    """JupyterLab as a user starts it in a directory, with an empty home."""

    def __init__(self, root: Path, home: Path):
        self.home, self.token = home, "for-these-tests-only"
        settings = home / "config" / "labconfig"
        settings.mkdir(parents=True)
        (settings / "page_config.json").write_text(json.dumps(NO_NEWS))
        environment = {name: value for name, value in os.environ.items() if not name.startswith("JUPYTER")}
        environment |= {"PATH": f"{BIN}:/usr/bin:/bin", "HOME": str(home), "OMP_NUM_THREADS": "1"}
        environment |= {f"JUPYTER_{name.upper()}_DIR": str(home / name) for name in ("config", "data", "runtime")}
        self.log = (home / "log.txt").open("w")
        command = [BIN / "jupyter-lab", "--no-browser", "--ip=127.0.0.1", "--port=0", "--allow-root"]
        command += ["--LabApp.expose_app_in_browser=True"]
        self.process = subprocess.Popen(
            [*command, f"--IdentityProvider.token={self.token}"],
            cwd=root,
            env=environment,
            stdout=self.log,
            stderr=subprocess.STDOUT,
        )
        self.address = self._address()

    def _address(self) -> str:
        """Where it listens, from the file that it writes then."""
        until = time.monotonic() + PATIENCE / 1000
        while time.monotonic() < until and self.process.poll() is None:
            for path in (self.home / "runtime").glob("jpserver-*.json"):
                if text := path.read_text():
                    return f"http://127.0.0.1:{json.loads(text)['port']}"
            time.sleep(0.05)
        raise RuntimeError(f"JupyterLab did not start: {(self.home / 'log.txt').read_text()[-2000:]}")

    def close(self) -> None:
        self.process.terminate()
        self.process.wait(30)
        self.log.close()


def is_of_lab_alone(stack: str) -> bool:
    """Whether every frame of an exception's stack lies in JupyterLab's own bundle: no page, widget or extension ran."""
    frames = re.findall(r"\w+://[^\s)]+", stack)
    return bool(frames) and all(LAB_BUNDLE in frame for frame in frames)


class Visit:
    """A page in the browser, and what went wrong on it."""

    patience = PATIENCE

    def __init__(self, browser, server: Server):
        self.server, self.complaints = server, []
        self.context = browser.new_context(viewport={"width": 1280, "height": 900})
        self.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=server.address)
        self.context.route(re.compile(r"^https?://(?!127\.0\.0\.1)"), self._elsewhere)
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.on("pageerror", self._raised)
        self.page.on("console", self._said)
        self.open("/login")

    def _raised(self, error) -> None:
        """Keep an exception that nobody caught, with its stack, unless JupyterLab raised it by itself."""
        if not is_of_lab_alone(error.stack or ""):
            self.complaints.append(f"{error.name}: {error.message}\n{error.stack}")

    def _said(self, said) -> None:
        """Keep what the console calls an error; MathJax asks for an empty font at about:blank, in vain."""
        if said.type == "error" and "about:blank" not in said.text + said.location.get("url", ""):
            self.complaints.append(said.text)

    def _elsewhere(self, route) -> None:
        """Requests to other sites: answered with a stand-in if pages depend on it, else refused."""
        known = [answer for name, answer in STAND_INS.items() if name in route.request.url]
        if known:
            route.fulfill(**known[0])
        else:
            route.abort()

    def open(self, path: str) -> None:
        self.page.goto(f"{self.server.address}{path}?token={self.server.token}")

    def photograph(self, name: str) -> None:
        """Keep what is on the screen, to be looked at."""
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=SCREENSHOTS / f"{name}.png")

    def images_without(self, part: str) -> list[str]:
        """The images in `part` of the page that are broken, or have no words."""
        script = """part => [...document.querySelectorAll(part + ' img, ' + part + ' svg[role=img]')]
            .filter(i => i.tagName === 'IMG' ? !(i.complete && i.naturalWidth && i.alt) : !i.getAttribute('aria-label'))
            .map(i => [...i.attributes].map(a => a.name + '=' + a.value.slice(0, 60)).join(' '))"""
        return self.page.evaluate(script, part)


@pytest.fixture(scope="module")
def visit(chromium, tmp_path_factory):
    """Open JupyterLab in a directory: `visit(root)`; what was started ends with the module."""
    opened = []

    def go(root: Path) -> Visit:
        server = Server(root, tmp_path_factory.mktemp("home"))
        opened.append((server, Visit(chromium, server)))
        return opened[-1][1]

    yield go
    for server, visited in opened:
        visited.context.close()
        server.close()
