"""Functions: statement by statement into JavaScript, with what has a value where, or refused."""

import ast
import json
from collections import Counter

from lib.portable.translation.expressions import SIGNS, Expressions, calls
from lib.portable.translation.kinds import Kind, Record, Signature, fits, words
from lib.portable.translation.vocabulary import Names


class FunctionTranslator(Expressions):
    """Translates one function of a module to JavaScript; `checked` is that of `Expressions`."""

    def __init__(self, module: Names, node: ast.FunctionDef, signature: Signature, checked: bool) -> None:
        super().__init__(module, checked)
        self.node, self.result = node, signature.result
        self.parameters = [module.place.name(arg, arg.arg) for arg in node.args.args]
        self.locals.update(zip(self.parameters, signature.parameters, strict=True))
        self.assigned.update(self.parameters)
        names = (part for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store))
        self.stored = Counter([*self.parameters, *(part.id for part in names)])
        self.open_loops: list[str] = []
        self.loops = 0  # around the statement, those without a variable too
        self.lines: list[str] = []
        self.temporaries = 0

    def translate(self) -> str:
        """The JavaScript of the whole function."""
        ends = not self._block(self.node.body, 1)
        if not ends and self.result != "None":
            self.refuse(self.node, f"{self.node.name} may end without a result", "return one on every way")
        own = [name for name in self.locals if name not in self.parameters]
        declared = [f"  let {', '.join(own)};"] if own else []
        head = f"function {self.node.name}({', '.join(self.parameters)}) {{"
        return "\n".join([head, *declared, *self.lines, "}"])

    def _block(self, statements: list[ast.stmt], depth: int) -> bool:
        """Translate statements; False if nothing after them can be reached."""
        goes_on = True
        for statement in statements:
            if not goes_on:
                self.refuse(statement, "this line is never reached", "leave it out")
            method = getattr(self, f"_{type(statement).__name__}", None)
            if method is None or isinstance(statement, ast.expr):
                self.module.place.unknown(statement)
            goes_on = method(statement, depth) is not False
        return goes_on

    def _say(self, depth: int, line: str) -> None:
        self.lines.append("  " * depth + line)

    def _Pass(self, node: ast.Pass, depth: int) -> None:
        del node, depth

    def _Expr(self, node: ast.Expr, depth: int) -> None:
        value = node.value
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            return
        if not isinstance(value, ast.Call):
            self.refuse(node, "a line that does nothing", "leave it out")
        if isinstance(value.func, ast.Name) and value.func.id == "require" and "require" in self.module.primitives:
            self._say(depth, self._requirement(value))
        else:
            self._say(depth, f"{self.expression(value)[0]};")

    def _requirement(self, node: ast.Call) -> str:
        match node.args:
            case [condition, ast.Constant(value=str() as argument), ast.Constant(value=str() as expected), got]:
                said = f"{json.dumps(argument)}, {json.dumps(expected)}"
                return f"$require({self.condition(condition)}, {said}, {self._number(got)[0]});"
        return self.refuse(node, "require with something else", "write require(condition, 'name', 'expected', number)")

    def _Return(self, node: ast.Return, depth: int) -> bool:
        if node.value is None:
            if self.result != "None":
                self.refuse(node, f"the result is {words(self.result)}, here it is nothing", "return it")
            self._say(depth, "return;")
        else:
            self._say(depth, f"return {self.wanted(node.value, self.result, 'the result')};")
        return False

    def _Break(self, node: ast.Break, depth: int) -> bool:
        return self._leave(node, depth, "break")

    def _Continue(self, node: ast.Continue, depth: int) -> bool:
        return self._leave(node, depth, "continue")

    def _leave(self, node: ast.stmt, depth: int, word: str) -> bool:
        if not self.loops:  # Python says so when it compiles, the page never does
            self.refuse(node, f"{word} stands outside a loop", "leave it out")
        self._say(depth, f"{word};")
        return False

    def _Assign(self, node: ast.Assign, depth: int) -> None:
        if len(node.targets) > 1:
            self.refuse(node, "two targets in one assignment", "write one line for each")
        target = node.targets[0]
        code, kind = self.expression(node.value)
        if isinstance(target, ast.Tuple):
            names = [part.id for part in target.elts if isinstance(part, ast.Name)]
            if not isinstance(kind, tuple) or len(names) != len(target.elts) or len(names) != len(kind):
                self.refuse(node, f"unpacking {words(kind)} into something else", "unpack a tuple into as many names")
            if len(set(names)) < len(names):
                self.refuse(node, "the same name twice", "give each its own")
            for name, part in zip(names, kind, strict=True):
                self._name_gets(target, name, part)
            self._unpack(names, node.value, code, depth)
        else:
            if (calls(node.value) or calls(target)) and not isinstance(target, ast.Name):
                # Python computes the value before it looks for the place, JavaScript after
                self.temporaries += 1
                self._say(depth, f"const $value{self.temporaries} = {code};")
                code = f"$value{self.temporaries}"
            self._say(depth, f"{self._target(target, kind)} = {self._kept(target, code)};")
            known = self.known_whole(node.value)
            if isinstance(target, ast.Name) and self.stored[target.id] == 1 and known is not None:
                self.fixed[target.id] = known

    def _unpack(self, names: list[str], value: ast.expr, code: str, depth: int) -> None:
        """Several names get the parts of a tuple; one by one where no part needs what a name was before."""
        used = {part.id for part in ast.walk(value) if isinstance(part, ast.Name)}
        if isinstance(value, ast.Tuple) and used & set(names):
            self._say(depth, f"[{', '.join(names)}] = {code};")
            return
        if isinstance(value, ast.Tuple):
            parts = [self.expression(part)[0] for part in value.elts]
        else:
            self.temporaries += 1
            self._say(depth, f"const $value{self.temporaries} = {code};")
            parts = [f"$value{self.temporaries}[{i}]" for i in range(len(names))]
        for name, part in zip(names, parts, strict=True):
            self._say(depth, f"{name} = {part};")

    def _AnnAssign(self, node: ast.AnnAssign, depth: int) -> None:
        if not isinstance(node.target, ast.Name) or node.value is None:
            self.refuse(node, "an annotation without a value", "give it one")
        self._Assign(ast.copy_location(ast.Assign([node.target], node.value), node), depth)

    def _AugAssign(self, node: ast.AugAssign, depth: int) -> None:
        if not isinstance(node.target, ast.Name) and calls(node.target):
            self.refuse(node, "a call in the place that changes", "give the index or array a name first")
        old = self.expression(node.target)[1]
        result, kind = self.arithmetic(node, node.target, node.op, node.value)
        if not fits(old, kind):
            self.refuse(node, f"{words(old)} becomes {words(kind)}", "begin with a decimal point: 0.0")
        target, sign = self._target(node.target, kind), SIGNS.get(type(node.op))
        if self.checked or not (kind == "float" or sign in ("+", "-")):
            self._say(depth, f"{target} = {self._kept(node.target, result)};")
        else:  # the place is looked up once
            self._say(depth, f"{target} {sign}= {self.expression(node.value)[0]};")

    def _kept(self, target: ast.expr, code: str) -> str:
        if self.checked and isinstance(target, ast.Subscript):
            return f"$fit({self.expression(target.value)[0]}, {code}, {self.module.place.said(target)})"
        return code

    def _target(self, node: ast.expr, kind: Kind) -> str:
        """JavaScript of what is assigned to, after its kind has been compared."""
        if isinstance(node, ast.Name):
            return self._name_gets(node, node.id, kind)
        if not isinstance(node, (ast.Subscript, ast.Attribute)):
            self.module.place.unknown(node)
        code, own = self.expression(node)
        if not fits(own, kind):
            self.refuse(node, f"this place holds {words(own)}, here it gets {words(kind)}", "give it that")
        root: ast.expr = node
        while isinstance(root, (ast.Subscript, ast.Attribute)):
            root = root.value
        if isinstance(root, ast.Name) and root.id not in self.locals:
            self.refuse(node, f"{root.id} belongs to the module", "keep what changes in a record")
        if isinstance(node, ast.Attribute):
            holder = self.expression(node.value)[1]
            if isinstance(holder, Record) and holder.frozen:
                self.refuse(node, f"{holder.name} stays as it was made", "use a dataclass for what changes")
        return code

    def _name_gets(self, node: ast.AST, name: str, kind: Kind) -> str:
        self.module.place.name(node, name)
        if name in self.loop_names:
            self.refuse(node, f"{name} is the variable of a loop", "choose another name")
        if kind == "None":
            self.refuse(node, "this call has no result", "write it on a line of its own")
        if isinstance(kind, Signature):
            self.refuse(node, "a function cannot be assigned", "hand it over as an argument")
        known = self.locals.setdefault(name, kind)
        if not fits(known, kind):
            remedy = "write a decimal point" if {known, kind} == {"int", "float"} else "choose another name"
            self.refuse(node, f"{name} is {words(known)}, here it becomes {words(kind)}", remedy)
        self.assigned.add(name)
        return name

    def _If(self, node: ast.If, depth: int) -> bool:
        self._say(depth, f"if ({self.condition(node.test)}) {{")
        before = set(self.assigned)
        yes = self._block(node.body, depth + 1)
        after_yes, self.assigned = self.assigned, before
        no = True
        if node.orelse:
            self._say(depth, "} else {")
            self.assigned = set(before)
            no = self._block(node.orelse, depth + 1)
        self._say(depth, "}")
        ways = [names for names, open_ in ((after_yes, yes), (self.assigned, no)) if open_]
        self.assigned = set.intersection(*ways) if ways else before
        return yes or no

    def _While(self, node: ast.While, depth: int) -> bool:
        if node.orelse:
            self.refuse(node.orelse[0], "else after a loop is not portable", "keep in a variable how the loop ended")
        self._say(depth, f"while ({self.condition(node.test)}) {{")
        self._body(node.body, depth)
        endless = isinstance(node.test, ast.Constant) and node.test.value is True
        return not endless or any(isinstance(part, ast.Break) for line in node.body for part in ast.walk(line))

    def _For(self, node: ast.For, depth: int) -> None:
        if node.orelse:
            self.refuse(node.orelse[0], "else after a loop is not portable", "keep in a variable how the loop ended")
        call = node.iter
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range"):
            self.refuse(node, "a loop over something else than range", "write for i in range(len(values))")
        if not isinstance(node.target, ast.Name):
            self.refuse(node, "a loop with two variables", "write for i in range(n)")
        name = self.module.place.name(node, node.target.id)
        if name in self.open_loops or (name in self.locals and name not in self.loop_names):
            self.refuse(node, f"{name} has another meaning around this loop", "choose another name")
        if call.keywords or not 1 <= len(call.args) <= 3:
            self.refuse(node, "range with something else", "write range(stop), range(start, stop) or with a step")
        start, stop, step = "0", self.wanted(call.args[-1 if len(call.args) < 2 else 1], "int", "a bound"), 1
        if len(call.args) > 1:
            start = self.wanted(call.args[0], "int", "a bound")
        if len(call.args) > 2:
            try:
                step = ast.literal_eval(call.args[2])
            except ValueError:
                step = 0
            if type(step) is not int or step == 0:
                self.refuse(node, "the step of a range must be written out", "write a whole number, not 0")
        self.temporaries += 1
        end, moves = f"$end{self.temporaries}", f"{name} += {step}" if step > 0 else f"{name} -= {-step}"
        head = f"let {name} = {start}, {end} = {stop}; {name} {'<' if step > 0 else '>'} {end}; {moves}"
        self._say(depth, f"for ({head}) {{")
        self.loop_names.add(name)
        self.open_loops.append(name)
        self.locals[name] = "int"
        self.assigned.add(name)
        self._body(node.body, depth)
        self.open_loops.pop()
        del self.locals[name]
        self.assigned.discard(name)

    def _body(self, body: list[ast.stmt], depth: int) -> None:
        before = set(self.assigned)
        self.loops += 1
        self._block(body, depth + 1)
        self.loops -= 1
        self.assigned = before  # perhaps the loop never ran
        self._say(depth, "}")
