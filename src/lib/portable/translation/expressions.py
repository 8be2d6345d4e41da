"""Expressions: every one becomes its JavaScript and its kind, or is refused.

A whole number never is the page's -0: products, quotients and whole parts that could be it get + 0, and -n is written
0 - n. Only in an index and on the sides of a comparison, where -0 is as good as 0, it may be.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from operator import add, floordiv, mul, sub

from lib.portable.translation.kinds import ELEMENT, NUMBERS, Kind, Record, Signature, fits, words
from lib.portable.translation.refusal import CALLS
from lib.portable.translation.vocabulary import BUILTINS, Names, Primitive

_WHOLE = {ast.Add: add, ast.Sub: sub, ast.Mult: mul, ast.FloorDiv: floordiv}
SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
_COMPARED = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "===", ast.NotEq: "!=="}
Code = tuple[str, Kind]


class Expressions:
    """Translates expressions of one module or function.

    Args:
        module: what is known by name.
        checked: throw where an index is outside, a whole number is none, or a divisor is zero.
    """

    def __init__(self, module: Names, checked: bool) -> None:
        self.module, self.checked = module, checked
        self.refuse = module.place.refuse
        self.locals: dict[str, Kind] = {}
        self.assigned: set[str] = set()
        self.stored: Counter[str] = Counter()  # every name that the function assigns somewhere, and how often
        self.fixed: dict[str, int] = {}  # of these, whole numbers that the text tells
        self.loop_names: set[str] = set()  # of all loops, over or not
        self.any_zero = False  # whether -0 will do for 0

    def expression(self, node: ast.AST) -> Code:
        """JavaScript and kind of any expression."""
        method = getattr(self, f"_{type(node).__name__}", None)
        return method(node) if method else self.module.place.unknown(node)

    def wanted(self, node: ast.AST, kind: Kind, what: str) -> str:
        """JavaScript of an expression that has to be of this kind; `what` names it in the refusal."""
        code, got = self.expression(node)
        if not fits(kind, got):
            remedy = "write float(...) or a decimal point" if (kind, got) == ("float", "int") else "give it that"
            if (kind, got) == ("int", "float"):
                remedy = "use floor(x)"
            self.refuse(node, f"{what} is {words(kind)}, here it is {words(got)}", remedy)
        return code

    @contextmanager
    def zeros(self, any_zero: bool) -> Iterator[None]:
        """What is translated meanwhile is used where -0 will do for 0, or where it will not."""
        before, self.any_zero = self.any_zero, any_zero
        yield
        self.any_zero = before

    def known_whole(self, node: ast.expr) -> int | None:
        """The whole number that an expression of constants is; None where the text does not tell."""
        match node:
            case ast.Constant(value=int() as value):
                return value
            case ast.Name(id=name):
                own = name in self.locals or name in self.stored
                return (self.fixed if own else self.module.whole_numbers).get(name)
            case ast.UnaryOp(op=ast.USub(), operand=part):
                known = self.known_whole(part)
                return None if known is None else -known
            case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _WHOLE:
                a, b = self.known_whole(left), self.known_whole(right)
                told = a is not None and b is not None and not (b == 0 and isinstance(sign, ast.FloorDiv))
                return _WHOLE[type(sign)](a, b) if told else None
        return None

    def condition(self, node: ast.expr) -> str:
        """JavaScript of a condition: a comparison, not the truth of a value."""
        code, kind = self.expression(node)
        if kind != "bool":
            self.refuse(node, f"the truth of {words(kind)} differs in the page", "compare: n > 0, len(a) > 0")
        return code

    def whole(self, node: ast.AST, code: str) -> str:
        """A whole result: in the checked form it is looked at."""
        return f"$whole({code}, {self.module.place.said(node)})" if self.checked else code

    def exact_zero(self, code: str, never: bool) -> str:
        """A whole number that could be the page's -0, made 0 where that matters; `never` if it is told not to be."""
        return code if never or self.any_zero else f"({code} + 0)"

    def above_zero(self, node: ast.expr) -> bool:
        """Whether the text tells that a whole number is above 0."""
        return (self.known_whole(node) or 0) > 0

    def _number(self, node: ast.expr) -> Code:
        code, kind = self.expression(node)
        if kind not in NUMBERS:
            self.refuse(node, f"{words(kind)} where a number is needed", "take its entries one by one")
        return code, kind

    def _Constant(self, node: ast.Constant) -> Code:
        value = node.value
        if isinstance(value, bool):
            return str(value).lower(), "bool"
        if isinstance(value, int):
            if value >= 2**53:
                self.refuse(node, "whole numbers from 2**53 on are not exact in the page", "write it with a point")
            return str(value), "int"
        if isinstance(value, float):
            if value == float("inf"):
                self.refuse(node, "a number too large for a float", "import inf from lib.portable.primitives")
            return repr(value), "float"
        return self.refuse(node, f"{type(value).__name__} values are not portable", "use numbers")

    def _Name(self, node: ast.Name) -> Code:
        name = self.module.place.name(node, node.id)
        if name in self.loop_names and name not in self.locals:
            self.refuse(node, f"{name} is used outside its loop", "keep what you need in a variable of its own")
        if name in self.locals or name in self.stored:
            if name not in self.assigned:
                self.refuse(node, f"{name} may not have a value yet", "give it one before the branch or loop")
            return name, self.locals[name]
        if name in self.module.values:
            return self.module.values[name]
        reason, remedy = CALLS.get(name, (f"{name} is not known in the page", "import it from a portable module"))
        return self.refuse(node, reason, remedy)

    def _UnaryOp(self, node: ast.UnaryOp) -> Code:
        if isinstance(node.op, ast.Not):
            return f"!({self.condition(node.operand)})", "bool"
        if not isinstance(node.op, ast.USub):
            self.module.place.unknown(node.op, node)
        code, kind = self._number(node.operand)
        return (f"(0 - {code})", kind) if kind == "int" else (f"(-{code})", kind)

    def _BinOp(self, node: ast.BinOp) -> Code:
        if not isinstance(node.op, (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv)):
            self.module.place.unknown(node.op, node)
        return self.arithmetic(node, node.left, node.op, node.right)

    def arithmetic(self, node: ast.AST, left: ast.expr, operator: ast.operator, right: ast.expr) -> Code:
        """left operator right, for numbers."""
        (a, kind_a), (b, kind_b) = self._number(left), self._number(right)
        kind = "int" if (kind_a, kind_b) == ("int", "int") else "float"
        divides = isinstance(operator, (ast.Div, ast.FloorDiv))
        if divides and self.checked:
            b = f"$nonzero({b}, {self.module.place.said(node)})"
        if isinstance(operator, ast.FloorDiv):
            if kind != "int":
                self.refuse(node, "// of fractions differs in the page", "use floor(x / y)")
            return self.whole(node, self.exact_zero(f"Math.floor({a} / {b})", self.above_zero(right))), "int"
        if isinstance(operator, ast.Div):
            return f"({a} / {b})", "float"
        sign = SIGNS.get(type(operator)) or self.module.place.unknown(operator, node)
        if kind == "float":
            return f"({a} {sign} {b})", kind
        never = sign != "*" or self.above_zero(left) or self.above_zero(right)
        return self.whole(node, self.exact_zero(f"({a} {sign} {b})", never)), kind

    def _Compare(self, node: ast.Compare) -> Code:
        values = [node.left, *node.comparators]
        for between in values[1:-1]:
            if not isinstance(between, (ast.Name, ast.Constant)):
                self.refuse(between, "the middle of a chain is computed twice in the page", "give it a name first")
        for operator in node.ops:
            if type(operator) not in _COMPARED:
                self.module.place.unknown(operator, node)
        numbers = [self._compared(value) for value in values]
        pairs = zip(numbers, node.ops, numbers[1:], strict=False)
        return "(" + " && ".join(f"{a} {_COMPARED[type(operator)]} {b}" for a, operator, b in pairs) + ")", "bool"

    def _compared(self, node: ast.expr) -> str:
        with self.zeros(True):
            code, kind = self.expression(node)
        if kind not in NUMBERS:
            self.refuse(node, f"comparing {words(kind)} differs in the page", "compare numbers, one by one")
        return code

    def _BoolOp(self, node: ast.BoolOp) -> Code:
        sign = " && " if isinstance(node.op, ast.And) else " || "
        return "(" + sign.join(self.condition(value) for value in node.values) + ")", "bool"

    def _IfExp(self, node: ast.IfExp) -> Code:
        test, (yes, kind) = self.condition(node.test), self.expression(node.body)
        return f"({test} ? {yes} : {self.wanted(node.orelse, kind, 'the other value')})", kind

    def _Tuple(self, node: ast.Tuple) -> Code:
        parts = [self.expression(part) for part in node.elts]
        return "[" + ", ".join(code for code, _ in parts) + "]", tuple(kind for _, kind in parts)

    def _List(self, node: ast.List) -> Code:
        if not node.elts:
            self.refuse(node, "lists grow in Python alone", "use zeros(n)")
        kind = self.expression(node.elts[0])[1]
        for array, element in (("Float64Array", "float"), ("Int32Array", "int")):
            if kind == element:
                parts = [self.wanted(part, element, "an entry of this list") for part in node.elts]
                return f"{array}.of({', '.join(parts)})", "Vector" if kind == "float" else "Wholes"
        for rows, element in (("Matrix", "Vector"), ("Table", "Wholes")):
            if kind == element:
                return f"[{', '.join(self.wanted(part, element, 'a row of this list') for part in node.elts)}]", rows
        return self.refuse(node, f"a list of {words(kind)} is not portable", "use zero_matrix or a record")

    def _Dict(self, node: ast.Dict) -> Code:
        parts = []
        for key, value in zip(node.keys, node.values, strict=True):
            if not (isinstance(key, ast.Constant) and isinstance(key.value, str) and key.value.isidentifier()):
                self.refuse(node, "keys of readings are plain names", 'write {"loss": values}')
            self.module.place.name(key, key.value)
            parts.append(f"{key.value}: {self.wanted(value, 'Vector', f'the reading {key.value}')}")
        return "({" + ", ".join(parts) + "})", "Readings"

    def _Attribute(self, node: ast.Attribute) -> Code:
        code, kind = self.expression(node.value)
        if not isinstance(kind, Record):
            self.refuse(node, f"{words(kind)} has no fields in the page", "import names, keep fields in a dataclass")
        if node.attr not in kind.fields:
            self.refuse(node, f"{kind.name} has no field {node.attr}", f"it has {', '.join(kind.fields)}")
        return f"{code}.{node.attr}", kind.fields[node.attr]

    def _Subscript(self, node: ast.Subscript) -> Code:
        code, kind = self.expression(node.value)
        if not isinstance(kind, str) or kind not in ELEMENT:
            self.refuse(node, f"{words(kind)} has no entries", "unpack a tuple: a, b = f(x)")
        if isinstance(node.slice, ast.UnaryOp) or (self.known_whole(node.slice) or 0) < 0:
            self.refuse(node, "a negative index counts from the end in Python alone", "use len(a) - 1")
        with self.zeros(True):
            index = self.wanted(node.slice, "int", "an index")
        if calls(node.value):
            self.refuse(node, "a call in front of an index is not portable", "give the array a name first")
        if self.checked:
            index = f"$index({code}, {index}, {self.module.place.said(node)})"
        return f"{code}[{index}]", ELEMENT[kind]

    def _Call(self, node: ast.Call) -> Code:
        if not isinstance(node.func, ast.Name):
            self.refuse(node, "methods are not portable", "call a function: copy(a) for a.copy()")
        name = node.func.id
        if name not in self.locals and name not in self.stored:
            record = self.module.kinds.get(name)
            if isinstance(record, Record):
                return self._construct(node, record)
            primitive = self.module.primitives.get(name, BUILTINS.get(name))
            if primitive and name not in self.module.values:
                return self._primitive(node, name, primitive)
            if name in CALLS and name not in self.module.values:
                self.refuse(node, *CALLS[name])
        code, kind = self._Name(node.func)
        if not isinstance(kind, Signature):
            self.refuse(node, f"{name} is {words(kind)}, not a function", "call a function of a portable module")
        given = self._arguments(node, name, kind.parameters)
        if name in self.module.watched:
            given.append(f"$place.at = {self.module.place.said(node)}")  # after the others, and nobody takes it
        return f"{code}({', '.join(given)})", kind.result

    def _arguments(self, node: ast.Call, name: str, kinds: tuple[Kind, ...]) -> list[str]:
        if node.keywords:
            self.refuse(node, "keyword arguments are not portable", "write the arguments in their order")
        if len(node.args) != len(kinds):
            self.refuse(node, f"{name} takes {len(kinds)} arguments, here it has {len(node.args)}", "give every one")
        with self.zeros(False):
            return [
                self.wanted(arg, kind, f"argument {i} of {name}")
                for i, (arg, kind) in enumerate(zip(node.args, kinds, strict=True), 1)
            ]

    def _primitive(self, node: ast.Call, name: str, primitive: Primitive) -> Code:
        if node.keywords:
            self.refuse(node, "keyword arguments are not portable", "write the arguments in their order")
        with self.zeros(False):
            given = [self.expression(arg) for arg in node.args]
        for kinds, result in primitive.ways:
            if kinds == tuple(kind for _, kind in given):
                template = (self.checked and primitive.checked) or primitive.code
                code = template.format(*(code for code, _ in given), at=self.module.place.said(node))
                never = not primitive.minus_zero or never_minus_zero(node.args[0])
                return self.exact_zero(code, never), result
        asked = " or ".join(", ".join(map(words, kinds)) for kinds, _ in primitive.ways)
        got = ", ".join(words(kind) for _, kind in given) or "nothing"
        return self.refuse(node, f"{name} asks for {asked}, here it has {got}", "give it that")

    def _construct(self, node: ast.Call, record: Record) -> Code:
        names = list(record.fields)[: len(node.args)] + [keyword.arg or "**" for keyword in node.keywords]
        if sorted(names) != sorted(record.fields) or len(node.args) > len(record.fields):
            self.refuse(node, f"{record.name} has the fields {', '.join(record.fields)}", "give every one, once")
        values = [*node.args, *(keyword.value for keyword in node.keywords)]
        parts = [
            f"{name}: {self.wanted(value, record.fields[name], f'the field {name}')}"
            for name, value in zip(names, values, strict=True)
        ]
        return "({" + ", ".join(parts) + "})", record


def calls(node: ast.AST) -> bool:
    """Whether something is called within the expression."""
    return any(isinstance(part, ast.Call) for part in ast.walk(node))


def never_minus_zero(node: ast.expr) -> bool:
    """Whether an expression tells that it is not -0: a sum or difference with a number that is not 0."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, (ast.Add, ast.Sub)):
        return False
    return any(isinstance(part, ast.Constant) and part.value != 0 for part in (node.left, node.right))
