"""Pages that Sphinx alone builds, warnings being errors."""

import subprocess
import sys


def build(folder, files, page):
    """Build a folder of these files, by their paths: exit status, what was said, one of the pages."""
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-n", "-q", str(folder), str(folder / "out")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr, (folder / "out" / page).read_text()
