"""What is not portable is refused when a module is translated: with file, line, reason and remedy."""

import pytest

from lib.portable import OutsideSubset
from lib.portable.translation import Module
from tests.portable.cases import HEAD

RECORDED = "from lib.portable.primitives import recorded\n"
# code of which the line marked # < is refused, and why. First what Python itself would say, then what other translators
# got wrong in silence.
REFUSED = {
    "default that is an array": (
        "class Row(NamedTuple):\n    v: Vector = TABLE\ndef f() -> Row:\n    return Row()  # <",
        "the default of v of Row is no plain number; give v",
    ),
    "default that is computed": (
        "class Row(NamedTuple):\n    x: float = 2.0 * HALF\ndef f() -> Row:\n    return Row()  # <",
        "the default of x of Row is no plain number",
    ),
    "no default below one": (
        "class Row(NamedTuple):\n    x: float = 1.0\n    y: float  # <",
        "y has no default and stands below a field that has one",
    ),
    "no value after a loop": (
        "def f(n: int) -> int:\n    for i in range(n):\n        x = i\n    return x  # <",
        "x may not have a value yet",
    ),
    "one name for two values": (
        "def g() -> tuple[float, float]:\n    return 1.0, 2.0\ndef f() -> float:\n    a, a = g()  # <\n    return a",
        "the same name twice",
    ),
    "wrong rule": (
        "def g(rule: Rule[P], p: P) -> float:\n    return rule(1.0, p)\n"
        "def f(w: Walk) -> float:\n    return g(bump, w)  # <",
        "argument 1 of g must be a function of",
    ),
    "a constant that calls what is below": (
        "LATE = later()  # <\ndef later() -> float:\n    return 1.0",
        "later is defined below",
    ),
    "recorded numbers that are not there": (
        RECORDED + 'A = recorded(Vector, "lib/nowhere.json", "a.b")  # <',
        "lib/nowhere.json has no a.b, or is not at hand; record it",
    ),
    "recorded numbers of another kind": (
        RECORDED + 'A = recorded(Vector, "hal/results/scb/claims.json", "claims")  # <',
        "claims of hal/results/scb/claims.json is no Vector",
    ),
    "recorded without a kind": (RECORDED + 'A = recorded("lib/a.json", "a")  # <', "recorded with something else"),
    "recorded in a function": (
        RECORDED + 'def f() -> Vector:\n    return recorded(Vector, "lib/a.json", "a")  # <',
        "recorded is for constants of a module alone",
    ),
}
# The same of code that is short: what it is | the code | why.
CODES = r"""
missing field | def f() -> Walk:\n    return Walk(Point(), done=False)  # < | Walk needs a value for steps, count
continue outside a loop | def f(n: int) -> None:\n    if n > 0:\n        continue  # < | continue stands outside
a parameter twice | def f(a: int, a: int) -> int:  # <\n    return a | the parameter a stands twice
no such primitive | from lib.portable.primitives import sine  # < | lib\.portable\.primitives has no sine
no such check | from lib.errors import InputError  # < | lib\.errors has no InputError
no such module | from lib.portable.nowhere import exp  # < | there is no module lib\.portable\.nowhere here
default of what is below | class Row(NamedTuple):  # <\n    x: float = LATER\nLATER = 1.0 | LATER is defined below
while else | def f(n: int) -> None:\n    while n > 0:\n        n -= 1\n    else:\n        n = 0  # < | else after a loop
for else | def f() -> None:\n    for i in range(3):\n        pass\n    else:\n        pass  # < | else after a loop
no value yet | def f(n: int) -> int:\n    if n > 0:\n        x = 1\n    return x  # < | x may not have a value yet
no result at the end | def f(n: int) -> int:  # <\n    if n > 0:\n        return 1 | may end without a result
result of nothing | def g() -> None:\n    pass\ndef f() -> None:\n    x = g()  # < | no result
defined twice | def twice(x: float) -> float:  # <\n    return x | twice is defined twice
primitive under another name | from lib.portable.primitives import sqrt as s  # < | sqrt cannot have another name here
relative import | from . import numbers  # < | an import needs the whole name here
unknown import | from lib.portable.numbers import sinh  # < | lib\.portable\.numbers has no sinh
a constant of what is below | LATE = LATER  # <\nLATER = 1.0 | LATER is defined below
a constant of a record below | LATE = Later(1.0)  # <\nclass Later(NamedTuple):\n    x: float | Later is defined below
a constant of what is imported below | LATE = exp(1.0)  # <\nfrom lib.portable.numbers import exp | exp is defined below
code that runs by itself | for i in range(3):  # <\n    pass | this line stands outside all functions
"""
for title, code, why in (row.split(" | ") for row in CODES.strip().split("\n")):
    REFUSED[title] = (code.replace("\\n", "\n"), why)
# Functions of one line: what it is | parameters and result | the line | why.
LINES = r"""
break outside a loop |  -> None | break | break stands outside a loop
equal tuples | a: int -> bool | return (a, 1) == (a, 1) | a tuple \(a whole number \(int\), a whole numbe
missing argument |  -> float | return twice() | twice needs a value for x
too many arguments |  -> float | return twice(1.0, 2.0) | twice takes 1 value, and here it gets 2
unknown argument |  -> float | return twice(y=1.0) | twice has no y; it has x
argument twice |  -> float | return twice(1.0, x=2.0) | twice gets x twice; give it once
names for a primitive |  -> Vector | return zeros(count=2) | arguments of zeros have no names
names for a function that is handed over | rule: Rule[P], p: P -> float | return rule(1.0, p=p) | rule was handed over
too many fields |  -> Point | return Point(1.0, 2, 3) | Point takes 2 values, and here it gets 3
field twice |  -> Point | return Point(1.0, x=2.0) | Point gets x twice
no such field |  -> Point | return Point(y=2.0) | Point has no y; it has x, n
unknown field | p: Point -> float | return p.y | Point has no field y
capitalised parameter called | Rate: float -> float | return Rate(1.0) | not a function
list of tables | m: Matrix -> None | x = [m, m] | a list of a list of lists \(Matrix\) is not av
rows of two kinds | a: Vector, t: Wholes -> Matrix | return [a, t] | a row of this list
large whole number |  -> int | return 9007199254740992 | not exact in the page
too large a number |  -> float | return 1e400 | too large for a float
yield |  -> None | x = yield | functions here cannot pause
call in the middle of a chain | x: float -> bool | return 0.0 < twice(x) < 1.0 | a function call in the middle
wrong kind of argument | a: Vector -> float | return twice(a) | argument 1 of twice
"""
for title, head, line, why in (row.split(" | ") for row in LINES.strip().split("\n")):
    parameters, result = head.split(" -> ")
    REFUSED[title] = (f"def f({parameters}) -> {result}:\n    {line}  # <", why)


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name):
    code, reason = REFUSED[name]
    source = f"{HEAD}\n{code}\n"
    line = next(i for i, text in enumerate(source.split("\n"), 1) if text.endswith("# <"))
    with pytest.raises(OutsideSubset, match=reason) as caught:
        Module("written.here", source, "here.py", {})
    assert (caught.value.file, caught.value.line) == ("here.py", line)
    assert str(caught.value) == f"here.py:{line}: {caught.value.reason}; {caught.value.remedy}"
    assert len(caught.value.remedy) > 5


@pytest.mark.parametrize("call", ["twice(x=1.0, x=2.0)", "twice(x=1.0, 2.0)", "twice(1.0"])
def test_what_is_no_python_is_said_by_python(call):
    with pytest.raises(SyntaxError) as caught:
        Module("written.here", f"{HEAD}\ndef f() -> float:\n    return {call}\n", "here.py", {})
    assert (caught.value.filename, caught.value.lineno) == ("here.py", HEAD.count("\n") + 3)


def test_an_import_that_is_not_portable_is_refused_at_its_own_line():
    with pytest.raises(OutsideSubset, match=r"lib/models/scb/fast\.py:\d+: .* here"):
        Module("written.here", "from lib.models.scb.fast import Task\n", "here.py", {})


def test_a_portable_module_of_the_book_is_taken_in_and_another_one_refused_at_its_own_line():
    known = {}
    Module("written.here", "from hal.chapters.scan_snap.runs.rounds import COMMON\n", "here.py", known)
    assert "hal.chapters.scan_snap.runs.rounds" in known
    with pytest.raises(OutsideSubset, match=r"hal/chapters/scan_snap/runs/published\.py:\d+: "):
        Module("written.here", "from hal.chapters.scan_snap.runs.published import QUERIES\n", "here.py", {})
