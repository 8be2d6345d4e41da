"""Sphinx extension: notebooks are executed side by side, and only those whose sources changed.

Just before Sphinx reads the pages, every notebook among them that Jupyter's cache does not have is executed, as many at
a time as there are cores, and put into that cache, where myst-nb finds it. A notebook's key is a digest of what its
output can depend on beside its own code: the modules of the library that it imports, directly or through others, its
chapter's modules and records, and the versions of what draws and computes. The keys are kept
beside the cache; another key voids the entry. A cache that cannot be read is begun anew. A notebook that fails is not
cached: myst-nb runs it again, says which cell failed, and shows it on the page.
"""

import hashlib
import json
import os
import platform
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path
from shutil import rmtree
from typing import Any

import nbformat
import nbformat.reader
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from jupyter_cache.cache.main import JupyterCacheBase
from jupyter_cache.executors.utils import ExecutionResult, single_nb_execution
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.errors import ExtensionError
from sphinx.util import logging
from sqlalchemy.exc import DatabaseError

from hal import chapters, results
from hal.remember import REMEMBER
from hal.sources import file_of, follow, imported_modules
from lib.errors import shortened

#: Other versions of these may draw or compute something else.
PACKAGES = ("numpy", "scipy", "matplotlib", "torch")
#: Read by what a notebook imports, but nothing that it shows depends on it.
REGISTRY = Path(chapters.__file__)
#: Records of what was measured; no notebook shows them.
OF_THE_SITE = ("benchmarks", "budgets")
#: Seconds that a kernel may take to start, on a machine with much else to do.
TO_START = 300
logger = logging.getLogger(__name__)


def sources(notebook: Path, records: Path = results.FOLDER) -> list[Path]:
    """The files that a notebook's output depends on, beside its own code.

    Args:
        notebook: the file; the name of a chapter's notebook is its slug.
        records: the folder of all records; those of the slug count, but for what only the site shows.
    """
    cells = [cell.source for cell in read(notebook).cells if cell.cell_type == "code"]
    lines = [line for cell in cells for line in cell.splitlines() if not line.lstrip().startswith(("%", "!", "?"))]
    code = "\n".join(lines)
    names = [name for name in imported_modules(code) if file_of(name)]
    claims = REGISTRY.parent / notebook.stem / "claims"  # found by the slug, not by an import
    names += [f"hal.chapters.{notebook.stem}.claims.{path.stem}" for path in claims.glob("[!_]*.py")]
    shown = [path for path in records.joinpath(notebook.stem).glob("*.json") if path.stem not in OF_THE_SITE]
    return [path for path in follow(names).values() if path != REGISTRY] + sorted(shown)


def read(notebook: Path) -> nbformat.NotebookNode:
    """The notebook of a file.

    Raises:
        ExtensionError: if the file holds none; the build ends with this line.
    """
    try:
        found: nbformat.NotebookNode = nbformat.read(notebook, as_version=4)
        nbformat.validate(found)
    except (nbformat.reader.NotJSONError, nbformat.ValidationError, KeyError, AttributeError, TypeError) as error:
        raise ExtensionError(f"{notebook}: expected a notebook, got {shortened(str(error))}") from None
    return found


def key(notebook: Path) -> str:
    """Digest of what a notebook's output depends on, beside its own code.

    Args:
        notebook: the file.
    """
    digest = hashlib.sha256(f"{platform.python_version()} {[version(name) for name in PACKAGES]}".encode())
    for path in sources(notebook):
        digest.update(f"{path.name}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def keys(app: Sphinx, env: BuildEnvironment) -> dict[str, str]:
    """Page -> key, for every notebook of the book whose outputs are cached."""
    if app.config["nb_execution_mode"] != "cache":
        return {}
    files = {name: Path(str(env.doc2path(name))) for name in env.found_docs}
    return {name: key(path) for name, path in sorted(files.items()) if path.suffix == ".ipynb"}


def outdated(app: Sphinx, env: BuildEnvironment, added: Any, changed: Any, removed: Any) -> list[str]:
    """The notebooks that must be read again, because their key is not the one they were read with."""
    before = getattr(env, "notebook_keys", {})
    return [name for name, now in keys(app, env).items() if before.get(name) != now]


def execute(app: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
    """Bring the cache up to date for the notebooks that are about to be read, and note with which keys."""
    now = keys(app, env)
    folder = Path(app.config["nb_execution_cache_path"] or Path(app.outdir).parent / ".jupyter_cache")
    cache, stamp, stamped = opened(folder)
    waiting = {}
    for name in sorted(set(docnames) & set(now)):
        path = Path(str(env.doc2path(name)))
        if stamped.get(name) != now[name]:
            forget(cache, path)
            stamped[name] = now[name]
        if not cached(cache, path):
            waiting[name] = path
    stamp.write_text(json.dumps(stamped))
    # inherited by the kernels: a slow run is computed once for its sources, here or by the tests of the book
    os.environ.setdefault(REMEMBER, str(Path(app.srcdir).resolve() / ".cache" / "remembered"))
    failed = _side_by_side(waiting, cache, app.config["nb_execution_timeout"], app.config["nb_execution_allow_errors"])
    # A page with a failed notebook is read again by the next build, changed or not.
    env.notebook_keys = {name: value for name, value in now.items() if name not in failed}  # type: ignore[attr-defined]  # Sphinx keeps what an extension hangs on it


def opened(folder: Path) -> tuple[JupyterCacheBase, Path, dict[str, str]]:
    """The cache of a folder, the file of its keys, and the keys; an empty one where what is there cannot be read.

    An interrupted build or a full disk may leave half a file. All that it costs is that notebooks are executed again.
    """
    folder.mkdir(parents=True, exist_ok=True)
    stamp = folder / "keys.json"
    try:
        cache = get_cache(folder)
        for record in cache.list_cache_records():
            cache.get_cache_bundle(record.pk)
        keys = json.loads(stamp.read_text(encoding="utf-8")) if stamp.is_file() else {}
        if not isinstance(keys, dict):
            raise ValueError(f"keys.json: expected an object, got {type(keys).__name__}")
    except (DatabaseError, RuntimeError, OSError, KeyError, ValueError, nbformat.ValidationError) as error:
        logger.info("the cache of notebooks cannot be read (%s) and is begun anew", shortened(str(error)))
        rmtree(folder)
        folder.mkdir()
        cache, keys = get_cache(folder), {}
    return cache, stamp, keys


def _side_by_side(waiting: dict[str, Path], cache: JupyterCacheBase, timeout: int, allow_errors: bool) -> list[str]:
    """Execute notebooks, as many at a time as there are cores, and cache them; the names of those that failed."""
    failed: list[str] = []
    if not waiting:
        return failed
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # inherited by the kernels: one core for each
    logger.info("executing %s", ", ".join(waiting))
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    with ProcessPoolExecutor(min(cores, len(waiting)), mp_context=get_context("spawn")) as pool:
        jobs = {name: pool.submit(run, path, timeout, allow_errors) for name, path in waiting.items()}
        for name, job in jobs.items():
            text, seconds, error = job.result()
            if error:
                failed.append(name)
                logger.info("%s failed: %s", name, error)
                continue
            bundle = CacheBundleIn(nbformat.reads(text, 4), str(waiting[name]), data={"execution_seconds": seconds})
            cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)
            logger.info("executed %s in %.0f s", name, seconds)
    return failed


def run(notebook: Path, timeout: int, allow_errors: bool) -> tuple[str, float, str]:
    """Execute one notebook in its folder; the file is not changed, and a cell may take `timeout` seconds.

    A kernel that dies is tried once more: of two that start at the same moment both may be given the same free port.

    Returns:
        The executed notebook as text, the seconds it took, and the name of the error that ended it, if one did.

    Raises:
        RuntimeError: if the second kernel dies as well.
    """

    def attempt() -> ExecutionResult:
        cells = nbformat.read(notebook, as_version=4)
        return single_nb_execution(
            cells, cwd=str(notebook.parent), timeout=timeout, allow_errors=allow_errors, startup_timeout=TO_START
        )

    try:
        done = attempt()
    except RuntimeError as died:
        logger.info("the kernel of %s died (%s) and is started once more", notebook.stem, died)
        done = attempt()
    return nbformat.writes(done.nb), done.time, type(done.err).__name__ if done.err else ""


def cached(cache: JupyterCacheBase, notebook: Path) -> bool:
    """Whether the cache has the outputs of a notebook with this code."""
    try:
        cache.match_cache_notebook(read(notebook))
    except KeyError:
        return False
    return True


def forget(cache: JupyterCacheBase, notebook: Path) -> None:
    """Remove the outputs of a notebook with this code from the cache, if it has them."""
    if cached(cache, notebook):
        cache.remove_cache(cache.match_cache_notebook(read(notebook)).pk)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension; called by Sphinx."""
    app.connect("env-get-outdated", outdated)
    app.connect("env-before-read-docs", execute)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
