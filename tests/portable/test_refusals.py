"""What is not portable is refused when a module is translated: with file, line, reason and remedy."""

from pathlib import Path

import pytest

import hal
from hal.chapters.scan_snap.runs import published
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
    "default of another kind": (
        "class Row(NamedTuple):\n    x: float = 1\ndef f() -> Row:\n    return Row()  # <",
        r"the field x is a number \(float\), its default is a whole number",
    ),
    "one name for two values": (
        "def g() -> tuple[float, float]:\n    return 1.0, 2.0\ndef f() -> float:\n    a, a = g()  # <\n    return a",
        "the same name twice",
    ),
    "wrong rule": (
        "def g(rule: Rule[P], p: P) -> float:\n    return rule(1.0, p)\n"
        "def f(w: Walk) -> float:\n    return g(bump, w)  # <",
        "argument 1 of g is a function",
    ),
    "a constant that calls what calls what is below": (
        "def early(x: float) -> float:\n    return later(x)\n"
        "LATE = early(1.0)  # <\ndef later(x: float) -> float:\n    return x",
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
    "recorded in a function": (
        RECORDED + 'def f() -> Vector:\n    return recorded(Vector, "lib/a.json", "a")  # <',
        "recorded is for constants of a module alone",
    ),
}
# The same of code that is short: what it is | the code | why.
CODES = r"""
no default below | class Row(NamedTuple):\n    x: float = 1.0\n    y: float  # < | stands below a field that has one
missing field | def f() -> Walk:\n    return Walk(Point(), done=False)  # < | Walk lacks steps, count; give every field
lacking | def g(a: int, b: int, c: int) -> int:\n    return a\ndef f() -> int:\n    return g(b=1)  # < | g lacks a, c
reads what is below | def early() -> float:\n    return LATER\nLATE = early()  # <\nLATER = 1.0 | LATER is defined below
used afterwards | def f() -> int:\n    for i in range(3):\n        pass\n    return i  # < | i is used outside its loop
inner loop | def f() -> None:\n    for i in range(3):\n        for i in range(2):  # <\n            pass | another mean
negative index, by an own name | def f(a: Vector) -> float:\n    last = -1\n    return a[last]  # < | negative index
variable changes kind | def f(n: int) -> None:\n    x = n\n    x = 0.5  # < | x is a whole number .* becomes a number
constant that calls what is below | LATE = later()  # <\ndef later() -> float:\n    return 1.0 | later is defined below
value of a loop | def f(n: int) -> int:\n    for i in range(n):\n        x = i\n    return x  # < | may not have a value
own name too late | def f() -> float:\n    x = HALF  # <\n    HALF = 2.0\n    return x | HALF may not have a value yet
recorded, no kind | from lib.portable.primitives import recorded\nA = recorded("lib/a.json", "a")  # < | something else
call indexed | def g() -> Vector:\n    return zeros(2)\ndef f() -> float:\n    return g()[0]  # < | in front of an index
continue outside a loop | def f(n: int) -> None:\n    if n > 0:\n        continue  # < | continue stands outside
a parameter twice | def f(a: int, a: int) -> int:  # <\n    return a | the parameter a stands twice
no such primitive | from lib.portable.primitives import sine  # < | has no portable sine
no such check | from lib.errors import InputError  # < | lib.errors has no portable InputError
no such module | from lib.portable.nowhere import exp  # < | no module lib.portable.nowhere is at hand
f-string kept | def f(x: float) -> float:\n    y = f'{x:.3g}'  # <\n    return x | text made of numbers
loop variable reassigned | def f() -> None:\n    for i in range(3):\n        i = 5  # < | variable of a loop
loop variable changed | def f() -> None:\n    for i in range(3):\n        i += 1  # < | variable of a loop
truth of a list | def f(a: Vector) -> None:\n    if a:  # <\n        pass | the truth of a Vector
truth of a number | def f(n: int) -> None:\n    while n:  # <\n        pass | the truth of a whole number
range of or | def f(n: int) -> None:\n    for i in range(n or 5):  # <\n        pass | the truth of
range with a variable step | def f(s: int) -> None:\n    for i in range(5, 0, s):  # <\n        pass | step of a range
range with step 0 | def f() -> None:\n    for i in range(0, 5, 0):  # <\n        pass | step of a range
range of a fraction | def f(x: float) -> None:\n    for i in range(x):  # <\n        pass | use floor
loop over an array | def f(a: Vector) -> None:\n    for x in a:  # <\n        pass | something else than range
enumerate | def f(a: Vector) -> None:\n    for i, x in enumerate(a):  # <\n        pass | else than range
default of what is below | class Row(NamedTuple):  # <\n    x: float = LATER\nLATER = 1.0 | LATER is defined below
default argument | def f(x: float = 1.0) -> float:  # <\n    return x | defaults and starred
words of JavaScript | def f(new: int) -> int:  # <\n    return new | a word of JavaScript
names of JavaScript | def f() -> int:\n    Math = 3  # <\n    return Math | a word of JavaScript
while else | def f(n: int) -> None:\n    while n > 0:\n        n -= 1\n    else:\n        n = 0  # < | else after a loop
for else | def f() -> None:\n    for i in range(3):\n        pass\n    else:\n        pass  # < | else after a loop
whole number becomes a fraction | def f(n: int) -> int:\n    n += 0.5  # <\n    return n | begin with a decimal
no value yet | def f(n: int) -> int:\n    if n > 0:\n        x = 1\n    return x  # < | x may not have a value yet
no result at the end | def f(n: int) -> int:  # <\n    if n > 0:\n        return 1 | may end without a result
never reached | def f() -> int:\n    return 1\n    return 2  # < | never reached
result of nothing | def g() -> None:\n    pass\ndef f() -> None:\n    x = g()  # < | no result
closure | def f() -> None:\n    def g() -> None:  # <\n        pass | function inside a function
try | def f() -> None:\n    try:  # <\n        pass\n    except ValueError:\n        pass | exceptions
with | def f() -> None:\n    with HALF:  # <\n        pass | with is not portable
match | def f(n: int) -> None:\n    match n:  # <\n        case 1:\n            pass | match is not portable
no kind | def f(x) -> float:  # <\n    return x | parameter x needs a kind
no kind of the result | def f(x: float):  # <\n    return x | the result needs a kind
unknown kind | def f(x: list[str]) -> None:  # <\n    pass | here it has list\[str\]
decorator | @staticmethod  # <\ndef f() -> None:\n    pass | decorators
class | class Thing:  # <\n    pass | classes are not portable
method | @dataclass\nclass Thing:\n    x: float\n    def twice(self) -> float:  # <\n        return 2.0 | fields alone
defined twice | def twice(x: float) -> float:  # <\n    return x | twice is defined twice
import of a module | import math  # < | whole modules are not portable
import of what is not portable | from numpy import exp  # < | numpy is not portable
primitive under another name | from lib.portable.primitives import sqrt as s  # < | under another name
relative import | from . import numbers  # < | a relative import
unknown import | from lib.portable.numbers import sinh  # < | has no portable sinh
a constant of what is below | LATE = LATER  # <\nLATER = 1.0 | LATER is defined below
a constant of a record below | LATE = Later(1.0)  # <\nclass Later(NamedTuple):\n    x: float | Later is defined below
a constant of what is imported below | LATE = exp(1.0)  # <\nfrom lib.portable.numbers import exp | exp is defined below
code that runs by itself | for i in range(3):  # <\n    pass | For is not portable
"""
for title, code, why in (row.split(" | ") for row in CODES.strip().split("\n")):
    REFUSED[title] = (code.replace("\\n", "\n"), why)
# Functions of one line: what it is | parameters and result | the line | why.
LINES = r"""
break outside a loop |  -> None | break | break stands outside a loop
f-string | x: float -> None | f'{x:.3g}' | a line that does nothing
equal lists | a: Vector -> bool | return a == a | comparing a Vector
equal tuples | a: int -> bool | return (a, 1) == (a, 1) | comparing a tuple
not of a number | n: int -> bool | return not n | the truth of a whole number
round | x: float -> int | return round(x) | round sends halves elsewhere
remainder sign | n: int -> int | return n % 3 | % of a negative number
square | x: float -> float | return x**2 | \*\* rounds differently
whole quotient of fractions | x: float -> float | return x // 0.1 | // of fractions differs
sorted | a: Vector -> None | sorted(a) | sorting is not portable
sort | a: Vector -> None | a.sort() | methods are not portable
zip | a: Vector -> None | zip(a, a) | zip is not portable
comprehension | a: Vector -> Vector | return [x for x in a] | comprehensions
negative index | a: Vector -> float | return a[-1] | negative index
negative index, computed by much | a: Vector -> None | a[3 * 2 + -13 // 2] = 1.0 | negative index
negative index, by name | a: Vector -> float | return a[BELOW + 1] | negative index
fraction as index | a: Vector, x: float -> float | return a[x] | use floor
slice | a: Vector -> Vector | return a[1:] | slices are not portable
missing argument |  -> float | return twice() | takes 1 arguments, here it has 0
too many arguments |  -> float | return twice(1.0, 2.0) | takes 1 arguments, here it has 2
unknown argument |  -> float | return twice(y=1.0) | twice has no y; it has x
argument twice |  -> float | return twice(1.0, x=2.0) | twice gets x twice; give it once
wrong kind of a named argument |  -> float | return twice(x=1) | the argument x of twice is a
names for a primitive |  -> Vector | return zeros(count=2) | arguments of zeros have no names
names for a function that is handed over | rule: Rule[P], p: P -> float | return rule(1.0, p=p) | rule was handed over
two stars | a: Readings -> float | return twice(**a) | starred argument
starred argument | a: Vector -> float | return twice(*a) | starred argument
too many fields |  -> Point | return Point(1.0, 2, 3) | Point has the fields x, n; give every
field twice |  -> Point | return Point(1.0, x=2.0) | Point gets x twice
no such field |  -> Point | return Point(y=2.0) | Point has no y; it has x, n
unknown field | p: Point -> float | return p.y | Point has no field y
capitalised parameter called | Rate: float -> float | return Rate(1.0) | not a function
own pow that is none | x: float -> float | return pow(x, 2.0) | pow rounds differently
float of text |  -> float | return float('inf') | str values
list times number | n: int -> Vector | return [0.0] * n | where a number is needed
list plus list | a: Vector -> Vector | return a + a | where a number is needed
list of tables | m: Matrix -> None | x = [m, m] | a list of a Matrix is not portable
rows of two kinds | a: Vector, t: Wholes -> Matrix | return [a, t] | a row of this list
sum | a: Vector -> float | return sum(a) | sum adds differently
int cuts | x: float -> int | return int(x) | use floor
whole number for a fraction |  -> float | return 1 | write float
fraction into whole numbers | a: Wholes -> None | a[0] = 0.5 | this place holds a whole number
large whole number |  -> int | return 9007199254740992 | not exact in the page
too large a number |  -> float | return 1e400 | too large for a float
bits | n: int -> int | return n ^ 3 | 32 bits
shift | n: int -> int | return n << 3 | 32 bits
unknown name |  -> float | return missing(1.0) | not known in the page
lambda |  -> None | g = lambda: 1 | without a name
global |  -> None | global HALF | cannot be set by a function
entry of a constant |  -> None | TABLE[0] = 1.0 | TABLE belongs to the module
field of a NamedTuple | p: Point -> None | p.x = 1.0 | stays as it was made
raise |  -> None | raise ValueError | use require
assert | n: int -> None | assert n > 0 | use require
dictionary | n: int -> None | d = {n: 1.0} | keys of readings
set | n: int -> None | d = {n} | sets are not portable
walrus | n: int -> bool | return (m := n) > 0 | assignment inside an expression
is | n: int -> bool | return n is n | is is not portable
in | n: int, a: Wholes -> bool | return n in a | in is not portable
yield |  -> None | x = yield | yield is not portable
two targets |  -> None | a = b = 1 | two targets
call in a place that changes | w: Walk -> None | w.steps[bump(w)] += 1.0 | a call in the place that changes
call in the middle of a chain | x: float -> bool | return 0.0 < twice(x) < 1.0 | computed twice
sum in the middle of a chain | x: float -> bool | return 0.0 < x + 1.0 < 2.0 | computed twice
entry in the middle of a longer chain | a: Vector -> bool | return 0.0 < HALF < a[0] < 1.0 | computed twice
wrong kind of argument | a: Vector -> float | return twice(a) | argument 1 of twice
wrong readings | x: float -> Readings | return {'loss': x} | the reading loss is a Vector
"""
for title, head, line, why in (row.split(" | ") for row in LINES.strip().split("\n")):
    parameters, result = head.split(" -> ")
    REFUSED[title] = (f"def f({parameters}) -> {result}:\n    {line}  # <", why)


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name):
    code, reason = REFUSED[name]
    source = f"{HEAD}\n{code}\n"
    line = next(i for i, text in enumerate(source.split("\n"), 1) if text.endswith("# <"))
    if name in ("decorator", "class"):  # the line of the thing below its decorator
        line = {"decorator": line + 1, "class": line}[name]
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


def test_a_negative_index_by_an_imported_name_is_refused(tmp_path, monkeypatch):
    (tmp_path / "written_below.py").write_text("LEFT = -1\n")
    monkeypatch.setattr(hal, "__path__", [*hal.__path__, str(tmp_path)])
    code = "from hal.written_below import LEFT as L\ndef f(a: Vector) -> float:\n    return a[L]\n"
    with pytest.raises(OutsideSubset, match="a negative index"):
        Module("written.here", HEAD + code, "here.py", {})


def test_a_portable_module_is_taken_in_and_another_one_refused_at_its_own_line():
    known = {}
    Module("written.here", "from hal.chapters.scan_snap.runs.rounds import COMMON\n", "here.py", known)
    assert "hal.chapters.scan_snap.runs.rounds" in known
    line = Path(published.__file__).read_text().split("from importlib")[0].count("\n") + 1
    with pytest.raises(OutsideSubset, match=rf"hal/chapters/scan_snap/runs/published\.py:{line}: .* not portable"):
        Module("written.here", "from hal.chapters.scan_snap.runs.published import QUERIES\n", "here.py", {})
