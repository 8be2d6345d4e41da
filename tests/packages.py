"""The two packages of the repository, and every module in them."""

from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
LIB, HAL = SOURCE / "lib", SOURCE / "hal"
PACKAGES = (LIB, HAL)


def script(name: str) -> ModuleType:
    """A program of `.ci` as a module."""
    loader = SourceFileLoader(name, str(ROOT / ".ci" / name))
    spec = spec_from_loader(name, loader)
    assert spec
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


def modules() -> list[Path]:
    """The files of all modules of both packages."""
    return [path for package in PACKAGES for path in sorted(package.rglob("*.py"))]


def name_of(path: Path) -> str:
    """The dotted name of a module's file."""
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")
