"""What the commits of the repository said: none of their statements may be missing in the record, or be told as less.

The record of statements (`hal.claims.errata`) only grows. A digest that was overwritten, or never noted, is found here,
as git still has the words: in the sources of claims, the records and the errata of all commits since errata are kept,
and in the files as they lie there now.
"""

import ast
import json
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from hal.claims.errata import Change, Words, digest
from hal.claims.ledger import result_of
from hal.claims.parts import Part

#: Sources of claims, their records and errata, wherever a commit has them.
_FILES = re.compile(r"(?:.*/)?(claims/\w+\.py|claims\.py|claims\.json|errata\.json)")
_PATHS = (":(glob)**/claims.json", ":(glob)**/errata.json", ":(glob)**/claims/*.py", ":(glob)**/claims.py")
_FIRST = ":(glob)**/claims/errata.py"  # the commit that brought it began to keep errata
NOW = ""  #: stands for the files as they lie there now, in place of a commit


class Said(NamedTuple):
    """A statement, and the commit that has it first."""

    words: Words
    commit: str


class Past(NamedTuple):
    """What commits stated since errata are kept, the oldest first, each with the commit that has it first.

    The files as they are now come last.
    """

    said: dict[str, dict[str, Said]]  #: by the claim's id and the statement's digest, as sources have it
    noted: dict[tuple[str, str], str]  #: by the claim's id and the digests in a record
    told: dict[tuple[str, str], str]  #: by the claim's id and the digest, or else the date, of an entry


def unreadable(root: Path) -> str:
    """Why the history of a folder cannot be looked at, with the remedy; empty if it can."""
    if shutil.which("git") is None:
        return "git is not installed"
    if subprocess.run(["git", "rev-parse", "-q", "--verify", "HEAD"], cwd=root, capture_output=True).returncode:
        return f"{root} is no clone of the repository, or has no commit"
    if Path(_git(root, "rev-parse", "--show-toplevel").strip()).resolve() != root.resolve():
        return f"{root} is a folder of another repository"
    if _git(root, "rev-parse", "--is-shallow-repository").strip() == "true":
        return "this clone is shallow and cannot look at earlier commits; `git fetch --unshallow` brings them"
    return "" if _git(root, "log", "-1", "--format=%h", "--", _FIRST) else "no commit keeps errata"


def stated(source: str) -> dict[str, Words]:
    """The statements of the claims that a module defines, by id; without those whose words it does not hold itself.

    Args:
        source: of the module. Words may be text, or text with constants that the module defines above them.
    """
    constants: dict[str, Any] = {}
    found: dict[str, Words] = {}
    try:
        module = ast.parse(source)
    except SyntaxError:  # a slip that a commit keeps for ever; it defines no claim
        return {}
    for node in module.body:
        if isinstance(node, ast.Assign):
            constants |= dict(_constants(node))
        for call in [one for one in getattr(node, "decorator_list", ()) if isinstance(one, ast.Call)]:
            if not (isinstance(call.func, ast.Name) and call.func.id == "claim" and call.args):
                continue
            given = {"id": call.args[0], **{one.arg: one.value for one in call.keywords if one.arg}}
            words = {name: _text(given[name], constants) for name in ("id", *Words._fields) if name in given}
            id, says = words.get("id"), words.get("says")
            if id and says and None not in words.values():
                found[id] = Words(says, words.get("verdict") or "holds", words.get("regime") or "")
    return found


def past(root: Path) -> Past:
    """What was stated in the commits that led to the present one, and is now.

    Args:
        root: folder of a repository whose history can be read; see `unreadable`.
    """
    log = ("log", "--topo-order", "--reverse", "--no-renames")
    start = _git(root, *log, "--diff-filter=A", "--format=%H", "--", _FIRST).split()[0]
    tree = [line.split(maxsplit=3) for line in _git(root, "ls-tree", "-r", start).splitlines()]
    versions = [(start, path, blob) for _, _, blob, path in tree if _FILES.fullmatch(path)]
    commit, form = start, ("-m", "--raw", "--no-abbrev", "--format=@%H")
    for line in _git(root, *log, *form, f"{start}..HEAD", "--", *_PATHS).splitlines():
        if line.startswith("@"):
            commit = line[1:]
        elif line.startswith(":"):
            blob, path = line.split(maxsplit=5)[3::2]
            versions += [(commit, path, blob)] if set(blob) != {"0"} else []
    texts = _texts(root, {blob for _, _, blob in versions})
    found = Past({}, {}, {})
    read = {blob: stated(texts[blob]) for _, path, blob in versions if path.endswith(".py")}
    for commit, path, blob in versions:
        if path.endswith(".py"):
            _add(found, read[blob], commit)
        elif path.endswith("claims.json"):
            for noted in json.loads(texts[blob]).get("statements", {}).items():
                found.noted.setdefault(noted, commit)
        else:
            for told in _keys(Change(**entry) for entry in json.loads(texts[blob])):
                found.told.setdefault(told, commit)
    for file in _present(root, *_PATHS[2:]):
        _add(found, stated(file.read_text(encoding="utf-8")), NOW)
    return found


def lost(found: Past, statements: Mapping[str, str], changes: Iterable[Change]) -> list[str]:
    """What commits stated, noted or told and what is gone, in words; empty if record and errata only grew.

    Args:
        found: what was stated.
        statements: the digests in the present records of all chapters, by id, oldest first.
        changes: the present entries of all chapters.
    """
    missing = []
    for id, all_said in found.said.items():
        known = statements.get(id, "no such claim")
        missing += [
            f"{id}: {_name(said.commit)} states {said.words.says!r}, {one}, which the record does not have ({known}); "
            "put it there in its order and tell it in errata.json"
            for one, said in all_said.items()
            if one not in known.split()
        ]
    for (id, digests), commit in found.noted.items():
        rest = iter(statements.get(id, "").split())
        if not all(one in rest for one in digests.split()):
            now = statements.get(id, "has no such claim")
            missing.append(f"{id}: {_name(commit)} has noted {digests}, the record now {now}: put back what is gone")
    present = set(_keys(changes))
    missing += [
        f"{id}: {_name(commit)} has an entry of {one} in errata.json, which is gone: put it back"
        for (id, one), commit in found.told.items()
        if (id, one) not in present
    ]
    return missing


def more_than_words(root: Path, found: Past, statements: Mapping[str, str], changes: Iterable[Change]) -> list[str]:
    """What entries of kind wording hide: numbers, bounds, a verdict or a regime that changed as well; in words.

    Args:
        root: folder of the repository.
        found: what was stated.
        statements: the digests in the present records, by id.
        changes: the entries of all chapters.
    """
    hidden = []
    for change in [one for one in changes if one.kind == "wording"]:
        said, known = found.said.get(change.claim, {}), statements.get(change.claim, "").split()
        for old, new in pairwise(known):
            if new not in change.statement.split():
                continue
            unread = [one for one in (old, new) if one not in said]
            what = [f"the words of {one} are in no commit" for one in unread] or [
                *_differences(said[old].words, said[new].words),
                *_moved(root, change.claim, said[new].commit),
            ]
            hidden += [f"{change.claim}: {new} is told as wording, but {one}" for one in what]
    return hidden


def _differences(old: Words, new: Words) -> list[str]:
    """Verdict, regime and numbers of two statements, where they differ."""
    pairs = {
        "its verdict": (old.verdict, new.verdict),
        "its regime": (old.regime, new.regime),
        "its numbers": tuple(" ".join(sorted(numbers(one.says))) or "none" for one in (old, new)),
    }
    return [f"{name} changed from {a!r} to {b!r}" for name, (a, b) in pairs.items() if a != b]


def numbers(says: str) -> list[str]:
    """The numbers in words and formulas, as they are written: `10\\,000` is one."""
    return re.findall(r"\d+(?:\.\d+)?", says.replace(r"\,", ""))


def _moved(root: Path, id: str, commit: str) -> list[str]:
    """What a commit changed in the recorded expectations and tolerances of a claim; names of parts are words."""
    before, after = (_recorded(root, one).get(id) for one in ("HEAD" if commit == NOW else f"{commit}^", commit))
    if before is None or after is None:
        return [f"{_name(commit)} or the one before has no record of its parts"]
    if len(before) != len(after):
        return [f"its record has {len(after)} parts in place of {len(before)}"]
    return [f"“{old}” became “{new}”" for old, new in zip(before, after, strict=True) if not new.bounded_as(old)]


@cache
def _recorded(root: Path, commit: str) -> dict[str, tuple[Part, ...]]:
    """The parts of all claims' checks, as the records of a commit have them."""
    if commit == NOW:
        texts = [path.read_text(encoding="utf-8") for path in _present(root, _PATHS[0])]
    else:
        lines = [line.split(maxsplit=3) for line in _git(root, "ls-tree", "-r", commit).splitlines()]
        blobs = {blob for _, _, blob, path in lines if Path(path).name == "claims.json"}
        texts = list(_texts(root, blobs).values())
    books = [json.loads(text)["claims"] for text in texts]
    return {id: result_of(entry["check"]).parts for book in books for id, entry in book.items()}


def _add(found: Past, words_of: Mapping[str, Words], commit: str) -> None:
    for id, words in words_of.items():
        found.said.setdefault(id, {}).setdefault(digest(words), Said(words, commit))


def _keys(changes: Iterable[Change]) -> Iterator[tuple[str, str]]:
    for change in changes:
        yield from ((change.claim, one) for one in change.statement.split() or [change.date])


def _present(root: Path, *paths: str) -> list[Path]:
    """The files of a repository as they lie there now, new ones as well."""
    names = _git(root, "ls-files", "-co", "--exclude-standard", "--", *paths).splitlines()
    return [root / name for name in names if (root / name).is_file()]


def _constants(node: ast.Assign) -> Iterator[tuple[str, Any]]:
    """Names and values of an assignment of constants, one or several."""
    try:
        value = ast.literal_eval(node.value)
    except ValueError:
        return
    for target in node.targets:
        if isinstance(target, ast.Name):
            yield target.id, value
        elif isinstance(target, ast.Tuple) and isinstance(value, tuple):
            names = [name.id if isinstance(name, ast.Name) else "" for name in target.elts]
            yield from zip(names, value, strict=False)


def _text(node: ast.expr, constants: Mapping[str, Any]) -> str | None:
    """The text that an expression stands for: constants and formats of them, nothing that is called; else None."""
    if isinstance(node, ast.JoinedStr):
        parts = [_text(one, constants) for one in node.values]
        return None if None in parts else "".join(map(str, parts))
    if isinstance(node, ast.FormattedValue) and isinstance(node.value, ast.Name) and node.value.id in constants:
        form = _text(node.format_spec, constants) if node.format_spec else ""
        return None if form is None else format(constants[node.value.id], form)
    if isinstance(node, ast.Name):
        return constants.get(node.id)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _name(commit: str) -> str:
    return f"commit {commit[:8]}" if commit else "the working tree"


def _texts(root: Path, blobs: Iterable[str]) -> dict[str, str]:
    """The contents of blobs, by name, read by one process."""
    out, found, at = _run(root, "cat-file", "--batch", given="\n".join(blobs)), {}, 0
    while at < len(out):
        end = out.index(b"\n", at)
        name, _, size = out[at:end].decode().split()
        found[name] = out[end + 1 : end + 1 + int(size)].decode()
        at = end + 2 + int(size)
    return found


def _git(root: Path, *arguments: str) -> str:
    return _run(root, *arguments).decode()


def _run(root: Path, *arguments: str, given: str = "") -> bytes:
    command = ["git", "-c", "core.quotePath=false", *arguments]
    return subprocess.run(command, cwd=root, input=given.encode(), capture_output=True, check=True).stdout
