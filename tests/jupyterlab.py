"""A JupyterLab of a test's own: its folder, its settings, and none of the user's."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from hal.figure.page import STATIC

TOKEN = "explorer-test"


@contextlib.contextmanager
def jupyterlab(folder: Path) -> Iterator[str]:
    """Address of a JupyterLab that shows a folder, ending in a slash; kernels in it see a live explorer."""
    own = {f"JUPYTER_{name}": str(folder / ".jupyter" / name) for name in ("CONFIG_DIR", "DATA_DIR", "RUNTIME_DIR")}
    own |= {f"JUPYTERLAB_{name}_DIR": str(folder / ".jupyter" / name) for name in ("SETTINGS", "WORKSPACES")}
    env = {name: value for name, value in {**os.environ, **own}.items() if name != STATIC}
    options = ["--no-browser", "--port=0", "--allow-root", "--ip=127.0.0.1", f"--IdentityProvider.token={TOKEN}"]
    options += ["--LabApp.news_url=None", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
    log = folder / "lab.log"
    with log.open("w") as out:
        command = [sys.executable, "-m", "jupyterlab", *options, str(folder)]
        server = subprocess.Popen(command, env=env, stdout=out, stderr=subprocess.STDOUT, cwd=folder)
    try:
        yield _address(log, server)
    finally:
        server.terminate()
        try:
            server.wait(timeout=60)
        except subprocess.TimeoutExpired:  # a busy machine: its kernels have gone, nothing of it is needed
            server.kill()
            server.wait()


def _address(log: Path, server: subprocess.Popen) -> str:
    for _ in range(120):
        found = re.search(r"http://127\.0\.0\.1:(\d+)/lab", log.read_text())
        if found:
            home = f"http://127.0.0.1:{found[1]}/"
            try:
                urllib.request.urlopen(f"{home}api?token={TOKEN}", timeout=2)
                return home
            except OSError:
                pass
        assert server.poll() is None, log.read_text()
        time.sleep(0.25)
    raise AssertionError(log.read_text())
