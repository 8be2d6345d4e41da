"""The two packages of the repository, and every module in them."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
LIB, HAL = SOURCE / "lib", SOURCE / "hal"
PACKAGES = (LIB, HAL)


def modules() -> list[Path]:
    """The files of all modules of both packages."""
    return [path for package in PACKAGES for path in sorted(package.rglob("*.py"))]


def name_of(path: Path) -> str:
    """The dotted name of a module's file."""
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")
