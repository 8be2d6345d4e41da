"""What is refused, why, and what to write instead: Python that the page would run differently, or not at all."""

import ast
import json
import re
from typing import NoReturn

from lib.errors import InputError


class OutsideSubset(InputError):
    """Code that is not portable.

    Attributes:
        file: the file, as the translator was given it.
        line: the line, from 1.
        reason: what is wrong with it.
        remedy: what to write instead.
    """

    def __init__(self, file: str, line: int, reason: str, remedy: str) -> None:
        super().__init__(f"{file}:{line}: {reason}; {remedy}")
        self.file, self.line, self.reason, self.remedy = file, line, reason, remedy


#: Kinds of syntax that are refused by name: reason, remedy. Whatever is neither here nor known is refused too.
SYNTAX: dict[str, tuple[str, str]] = {
    "JoinedStr": ("text made of numbers comes out differently in the page", "format it in the explorer"),
    "Pow": ("** rounds differently in the page", "multiply, or use exp and log"),
    "Mod": ("% of a negative number differs in the page", "use remainder(a, b), or x - b * floor(x / b)"),
    "Slice": ("slices are not portable", "use first(values, n), copy(values) or a loop"),
    "Lambda": ("functions without a name are not portable", "define a function of the module"),
    "ListComp": ("comprehensions are not portable", "fill an array in a loop"),
    "SetComp": ("comprehensions are not portable", "fill an array in a loop"),
    "DictComp": ("comprehensions are not portable", "fill an array in a loop"),
    "GeneratorExp": ("comprehensions are not portable", "fill an array in a loop"),
    "NamedExpr": ("an assignment inside an expression is not portable", "assign on a line of its own"),
    "FunctionDef": ("a function inside a function is not portable", "define it in the module, hand over what it needs"),
    "Global": ("a name of the module cannot be set by a function", "keep it in a record"),
    "Nonlocal": ("a function inside a function is not portable", "keep what it needs in a record"),
    "Try": ("exceptions are not portable", "test the condition first"),
    "Raise": ("exceptions are not portable", "use require(condition, argument, expected, got)"),
    "Assert": ("exceptions are not portable", "use require(condition, argument, expected, got)"),
    "With": ("with is not portable", "call what it does"),
    "Delete": ("del is not portable", "let the name go out of use"),
    "Starred": ("a starred argument is not portable", "write the arguments one by one"),
    "Await": ("await is not portable", "the page calls `step` in slices instead"),
    "Yield": ("yield is not portable", "the page calls `step` in slices instead"),
    "Set": ("sets are not portable", "use an array"),
    "Match": ("match is not portable", "use if and elif"),
    "Import": ("whole modules are not portable", "import the names: from lib.portable.numbers import exp"),
    "In": ("in is not portable", "look for the number in a loop"),
    "NotIn": ("in is not portable", "look for the number in a loop"),
    "Is": ("is is not portable", "compare numbers with =="),
    "IsNot": ("is is not portable", "compare numbers with !="),
    "BitXor": ("bitwise operators have 32 bits in the page", "use whole-number arithmetic"),
    "BitAnd": ("bitwise operators have 32 bits in the page", "use remainder and //"),
    "BitOr": ("bitwise operators have 32 bits in the page", "use whole-number arithmetic"),
    "LShift": ("bitwise operators have 32 bits in the page", "multiply by a power of two"),
    "RShift": ("bitwise operators have 32 bits in the page", "use //"),
    "MatMult": ("@ is not portable", "write the loops"),
}

#: Functions of Python that are refused by name: reason, remedy.
CALLS: dict[str, tuple[str, str]] = {
    "sum": ("sum adds differently in the page and in newer versions of Python", "add in a loop"),
    "round": ("round sends halves elsewhere in the page", "use floor(x + 0.5)"),
    "int": ("int cuts towards zero", "use floor(x)"),
    "pow": ("pow rounds differently in the page", "multiply, or use exp and log"),
    "sorted": ("sorting is not portable", "write the sort that you need"),
    "print": ("portable code does not print", "return what is to be shown"),
    "enumerate": ("enumerate is not portable", "use range(len(values))"),
    "zip": ("zip is not portable", "use range(len(values))"),
    "range": ("range belongs into a for loop", "write for i in range(...)"),
    "bool": ("the truth of numbers is not portable", "compare with 0"),
    "str": ("text is not portable", "format it in the explorer"),
    "list": ("lists grow in Python alone", "use zeros(n)"),
}

#: Words that mean something else in JavaScript and cannot be names in portable code.
RESERVED = frozenset(
    re.findall(
        r"\S+",
        """
        Array Error Float64Array Function Infinity Int32Array Math NaN Number Object String arguments await case catch
        const debugger default delete do enum eval export extends function implements instanceof interface let new
        null __proto__ package private protected public static super switch this throw typeof undefined var void
        portable
        """,
    )
)


class Place:
    """A file, to refuse its lines with.

    Args:
        file: how messages call it.
    """

    def __init__(self, file: str) -> None:
        self.file = file

    def said(self, node: ast.AST) -> str:
        """The line of the node in words, as JavaScript text."""
        return json.dumps(f"line {getattr(node, 'lineno', 1)} of {self.file}")

    def refuse(self, node: ast.AST, reason: str, remedy: str) -> NoReturn:
        """Raise `OutsideSubset` with the line of the node."""
        raise OutsideSubset(self.file, getattr(node, "lineno", 1), reason, remedy)

    def unknown(self, node: ast.AST, at: ast.AST | None = None) -> NoReturn:
        """Refuse syntax that the translator has no rule for; `at` gives the line where the node has none."""
        name = type(node).__name__
        reason, remedy = SYNTAX.get(name, (f"{name} is not portable", "see lib.portable for what is"))
        self.refuse(at or node, reason, remedy)

    def name(self, node: ast.AST, name: str) -> str:
        """The name, refused if it means something else in JavaScript."""
        if name in RESERVED:
            self.refuse(node, f"{name} is a word of JavaScript", "choose another name")
        return name
