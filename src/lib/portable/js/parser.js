// Python text to a tree with the names of Python's `ast`. Words that portable code has no use for are refused at once; what
// Python does not say, fails as it does there.

import { Refused } from "./refusing.js";
import { SYNTAX } from "./rules.js";
import { tokensOf } from "./tokens.js";
import { own } from "./tree.js";

const BINARY = {
  "|": [1, "BitOr"], "^": [2, "BitXor"], "&": [3, "BitAnd"], "<<": [4, "LShift"], ">>": [4, "RShift"], "+": [5, "Add"],
  "-": [5, "Sub"], "*": [6, "Mult"], "/": [6, "Div"], "//": [6, "FloorDiv"], "%": [6, "Mod"], "@": [6, "MatMult"],
};
const COMPARISONS = { "<": "Lt", "<=": "LtE", ">": "Gt", ">=": "GtE", "==": "Eq", "!=": "NotEq", in: "In", "not in": "NotIn" };
const UNARY = { "-": "USub", "+": "UAdd", "~": "Invert" };
const PLACES = ["Name", "Subscript", "Attribute"];
const TOO_DEEP = 400; // rules within rules, before the stack of the page ends

export function parse(source, file, begins = 1) {
  const fail = (line, reason) => {
    throw new Refused("NotPython", file, line, reason);
  };
  const all = tokensOf(source.replace(/^\ufeff/, ""), fail, begins);
  const refuse = ({ line }, word) => {
    throw new Refused("OutsideSubset", file, line, ...SYNTAX[word]);
  };
  for (const token of all) if (token.type === "sign" && own(SYNTAX, token.text)) refuse(token, token.text);
  let at = 0;
  let depth = 0;

  const now = () => all[at];
  const is = (...signs) => now().type === "sign" && signs.includes(now().text);
  const take = (text) => (is(text) ? all[at++] : undefined);
  const finds = (token) => ({ newline: "the end of the line", end: "the end", indent: "a deeper line", dedent: "the end of the block" })[token.type] ?? (token.text || "a text");
  const need = (text) => take(text) ?? fail(now().line, `Python expects ${text} here, and finds ${finds(now())}`);
  const name = () => (now().type === "name" ? all[at++].text : fail(now().line, `Python expects a name here, and finds ${finds(now())}`));
  const make = (type, start, fields = {}) => ({ type, line: start.line, from: start.from, to: all[at - 1].to, ...fields });
  const textOf = (node) => source.slice(node.from, node.to);

  function deeper(rule) {
    depth += 1;
    if (depth > TOO_DEEP) fail(now().line, "this is too deep: shorten it");
    const node = rule();
    depth -= 1;
    return node;
  }

  // Expressions, from the loosest to the tightest.

  const expression = () => deeper(conditional);

  function conditional() {
    const start = now();
    const body = disjunction();
    if (!take("if")) return body;
    const test = disjunction();
    need("else");
    const orelse = expression();
    return make("IfExp", start, { test, body, orelse });
  }

  function chain(sign, op, part) {
    const start = now();
    const values = [part()];
    while (take(sign)) values.push(part());
    return values.length > 1 ? make("BoolOp", start, { op, values }) : values[0];
  }

  const disjunction = () => chain("or", "Or", conjunction);
  const conjunction = () => chain("and", "And", inversion);

  function inversion() {
    const start = now();
    if (!take("not")) return comparison();
    const operand = deeper(inversion);
    return make("UnaryOp", start, { op: "Not", operand });
  }

  function comparison() {
    const start = now();
    const left = arithmetic(1);
    const [ops, comparators] = [[], []];
    for (;;) {
      const op = comparisonSign();
      if (!op) return ops.length ? make("Compare", start, { left, ops, comparators }) : left;
      ops.push(op);
      comparators.push(arithmetic(1));
    }
  }

  function comparisonSign() {
    const not = is("not") && all[at + 1].text === "in";
    const op = now().type === "sign" ? own(COMPARISONS, not ? "not in" : now().text) : undefined;
    if (op) at += not ? 2 : 1;
    return op;
  }

  function arithmetic(least) {
    const start = now();
    let left = unary();
    for (;;) {
      const [level, op] = (now().type === "sign" && own(BINARY, now().text)) || [0, ""];
      if (level < least) return left;
      at += 1;
      const right = arithmetic(level + 1);
      left = make("BinOp", start, { op, left, right });
    }
  }

  function unary() {
    const start = now();
    const op = start.type === "sign" ? own(UNARY, start.text) : undefined;
    if (op) {
      at += 1;
      const operand = deeper(unary);
      return make("UnaryOp", start, { op, operand });
    }
    const base = primary();
    if (!take("**")) return base;
    const right = deeper(unary);
    return make("BinOp", start, { op: "Pow", left: base, right });
  }

  function primary() {
    const start = now();
    let node = atom();
    for (;;) {
      if (take(".")) {
        const attr = name();
        node = make("Attribute", start, { value: node, attr });
      } else if (take("(")) {
        const given = callArguments();
        need(")");
        node = make("Call", start, { func: node, ...given });
      } else if (take("[")) {
        if (is("]")) fail(now().line, "Python expects an index here");
        const slice = items(now(), "]", "Tuple", subscript, "index");
        node = make("Subscript", start, { value: node, slice });
      } else return node;
    }
  }

  function callArguments() {
    const [args, keywords] = [[], []];
    while (!is(")")) {
      const start = now();
      if (start.type === "name" && all[at + 1].type === "sign" && all[at + 1].text === "=") {
        at += 2;
        if (keywords.some(({ arg }) => arg === start.text)) fail(start.line, `${start.text} is given twice`);
        keywords.push(make("keyword", start, { arg: start.text, value: expression() }));
      } else {
        const value = expression();
        if (keywords.length) fail(start.line, "a value without a name after one with a name");
        const many = is("for");
        args.push(many ? comprehension("GeneratorExp", start, value) : value);
        if (many && (args.length > 1 || !is(")"))) fail(start.line, "this comprehension needs brackets");
      }
      if (!is(")")) need(",");
    }
    return { args, keywords };
  }

  // What stands between commas, up to a bracket, perhaps made in a loop; alone: one without a comma is itself.
  function items(start, close, type, rule, alone) {
    const elts = [];
    let commas = 0;
    while (!is(close)) {
      elts.push(rule());
      if (is("for") && elts.length === 1 && alone !== "index") {
        const node = comprehension(type === "List" ? "ListComp" : "GeneratorExp", start, elts[0]);
        need(close);
        return node;
      }
      if (!is(close)) commas += Number(Boolean(need(",")));
    }
    need(close);
    if (alone && elts.length === 1 && !commas) return alone === "index" ? elts[0] : { ...elts[0], bracketed: true };
    return make(type, start, { elts, ctx: "Load" });
  }

  function subscript() {
    const start = now();
    const node = is(":") ? null : expression();
    if (!is(":")) return node;
    const bounds = [node];
    while (bounds.length < 3 && take(":")) bounds.push(is(":", "]", ",") ? null : expression());
    return make("Slice", start, { bounds });
  }

  function comprehension(type, start, elt) {
    const generators = [];
    while (take("for")) {
      const target = targets();
      need("in");
      const [iter, ifs] = [disjunction(), []];
      while (take("if")) ifs.push(disjunction());
      generators.push({ type: "comprehension", target, iter, ifs });
    }
    return make(type, start, { elt, generators });
  }

  // One thing, or a tuple without brackets, up to one of `ends` or the end of the line.
  function list(rule, ends) {
    const start = now();
    const first = rule();
    if (!is(",")) return first;
    const elts = [first];
    while (take(",")) {
      if (now().type === "newline" || is(...ends)) break;
      elts.push(rule());
    }
    return make("Tuple", start, { elts, ctx: "Load" });
  }

  const expressions = () => list(expression, ["=", ")", ":", ";"]);
  const targets = () => stored(list(() => arithmetic(1), ["in"]));

  function atom() {
    const start = all[at++];
    const constant = (kind, value) => make("Constant", start, { kind, value });
    if (start.type === "name") return make("Name", start, { id: start.text, ctx: "Load" });
    if (start.type === "number") return constant(start.kind, start.value);
    if (start.type === "text") return texts(start);
    if (start.type === "sign") {
      if (start.text === "True" || start.text === "False") return constant("bool", start.text === "True");
      if (start.text === "None") return constant("NoneType", null);
      if (start.text === "...") return constant("ellipsis", null);
      if (start.text === "(") return items(start, ")", "Tuple", expression, "alone");
      if (start.text === "[") return items(start, "]", "List", expression);
      if (start.text === "{") return braces(start);
      if (start.text === "*" || start.text === "**") refuse(start, "Starred");
    }
    at -= 1;
    if (start.text === "else" || start.text === "elif") fail(start.line, `this ${start.text} has no if: write one above it, as far to the right`);
    if (start.type === "newline" && ["++", "--"].includes(source.slice(start.from - 2, start.from))) fail(start.line, "Python has no ++ or --: write += 1");
    return fail(start.line, `Python expects a value here, and finds ${finds(start)}`);
  }

  // Texts that follow each other are one.
  function texts(start) {
    let value = "";
    const [kinds, values] = [new Set(), []];
    for (at -= 1; now().type === "text"; at += 1) {
      kinds.add(now().kind);
      value += now().value;
      values.push(...(now().kind === "f" ? fieldsOf(now().value, now().line) : [now().value]));
    }
    return kinds.has("f") ? make("JoinedStr", start, { values }) : make("Constant", start, { kind: start.kind, value });
  }

  // The parts of an f-string: texts, and {value, format} of what stands in brackets.
  function fieldsOf(text, line) {
    return text.split(/(\{\{|\}\}|\{[^{}]*\})/).filter(Boolean).map((part) => {
      if (part === "{{" || part === "}}") return part[0];
      const [, code, format] = /^\{([^]*?)(?::([^:]*))?\}$/.exec(part) ?? [];
      if (code === undefined) return /[{}]/.test(part) ? fail(line, "a bracket of this f-string is alone") : part;
      const inside = parse(`(${code})`, file, line);
      if (inside.length !== 1 || !inside[0].value?.type) fail(line, "an f-string has values in its brackets");
      return { type: "field", value: inside[0].value, format: format ?? "" };
    });
  }

  function braces(start) {
    const [keys, values] = [[], []];
    while (!is("}")) {
      keys.push(expression());
      if (!take(":")) refuse(start, "Set");
      values.push(expression());
      if (is("for")) refuse(start, "Set");
      if (!is("}")) need(",");
    }
    need("}");
    return make("Dict", start, { keys, values });
  }

  // What stands here is set.
  function stored(node) {
    if (PLACES.includes(node.type)) node.ctx = "Store";
    else if (node.type === "Tuple" || node.type === "List") node.elts.forEach(stored);
    else fail(node.line, "only a name, a field or an entry of a list can stand left of =");
    return node;
  }

  // Statements.

  function annotation() {
    const node = expression();
    return { ...node, text: textOf(node) };
  }

  function block() {
    need(":");
    if (now().type !== "newline") return simpleLine();
    at += 1;
    if (now().type !== "indent") fail(now().line, "Python expects a deeper line here");
    at += 1;
    const body = [];
    while (now().type !== "dedent") body.push(...statement());
    at += 1;
    return body;
  }

  function simpleLine() {
    const body = [simple()];
    while (take(";")) if (now().type !== "newline") body.push(simple());
    if (now().type !== "newline") fail(now().line, all[at - 1].text === "print" ? "print needs brackets: print(...)" : `${finds(now())} is not expected here`);
    at += 1;
    return body;
  }

  const statement = () => deeper(statements);

  function statements() {
    const start = now();
    if (is("@", "def", "class")) return [definition()];
    if (take("if")) return [branch(start)];
    if (take("while")) {
      const test = expression();
      const body = block();
      const orelse = take("else") ? block() : [];
      return [make("While", start, { test, body, orelse })];
    }
    if (take("for")) {
      const target = targets();
      need("in");
      const iter = expressions();
      const body = block();
      const orelse = take("else") ? block() : [];
      return [make("For", start, { target, iter, body, orelse })];
    }
    if (["indent", "dedent"].includes(start.type)) fail(start.line, "this line is deeper than the one before");
    return simpleLine();
  }

  function branch(start) {
    const test = expression();
    const body = block();
    const next = now();
    const orelse = take("elif") ? [branch(next)] : take("else") ? block() : [];
    return make("If", start, { test, body, orelse });
  }

  function definition() {
    const decorators = [];
    while (take("@")) {
      const mark = expression();
      decorators.push({ ...mark, text: textOf(mark) });
      if (now().type !== "newline") fail(now().line, "a decorator has a line of its own");
      at += 1;
    }
    const start = now();
    if (take("class")) return classDefinition(start, decorators);
    if (!is("def")) fail(start.line, "a decorator belongs to a function or a class");
    need("def");
    const called = name();
    need("(");
    const args = parameters();
    need(")");
    const returns = take("->") ? annotation() : null;
    const body = block();
    return make("FunctionDef", start, { name: called, decorators, args, returns, body });
  }

  function classDefinition(start, decorators) {
    const called = name();
    let given = { args: [], keywords: [] };
    if (take("(")) {
      given = callArguments();
      need(")");
    }
    const bases = given.args.map((part) => ({ ...part, text: textOf(part) }));
    const body = block();
    return make("ClassDef", start, { name: called, decorators, bases, keywords: given.keywords, body });
  }

  function parameters() {
    const args = [];
    while (!is(")")) {
      const start = now();
      if (is("*", "**", "/")) refuse(start, "Starred");
      const arg = name();
      const kind = take(":") ? annotation() : null;
      const standard = take("=") ? expression() : null;
      if (!standard && args.some((other) => other.standard)) fail(start.line, "a parameter without a default after one with a default");
      args.push({ type: "arg", line: start.line, arg, annotation: kind, standard });
      if (!is(")")) need(",");
    }
    return { type: "arguments", args };
  }

  function simple() {
    const start = now();
    const ends = () => now().type === "newline" || is(";");
    for (const [word, type] of [["pass", "Pass"], ["break", "Break"], ["continue", "Continue"]]) if (take(word)) return make(type, start);
    if (take("return")) {
      const value = ends() ? null : expressions();
      return make("Return", start, { value });
    }
    if (take("import")) return make("Import", start, { names: imported(() => dotted([name()])) });
    if (take("from")) return importFrom(start);
    const first = expressions();
    if (now().type === "sign" && /^(\*\*|\/\/|>>|<<|[-+*/%@&|^])=$/.test(now().text)) {
      const sign = all[at++].text.slice(0, -1);
      if (!PLACES.includes(first.type)) fail(start.line, "this cannot be changed in place");
      const value = expressions();
      return make("AugAssign", start, { target: stored(first), op: sign === "**" ? "Pow" : BINARY[sign][1], value });
    }
    if (take(":")) {
      if (!PLACES.includes(first.type)) fail(start.line, "this cannot have a kind");
      const kind = annotation();
      const value = take("=") ? expressions() : null;
      return make("AnnAssign", start, { target: stored(first), annotation: kind, value });
    }
    if (!is("=")) return make("Expr", start, { value: first });
    const values = [first];
    while (take("=")) values.push(expressions());
    const value = values.pop();
    return make("Assign", start, { targets: values.map(stored), value });
  }

  function dotted(path) {
    while (take(".")) path.push(name());
    return path.join(".").replace(/\$/g, "");
  }

  // [{name, asname}, ...]
  function imported(rule, bracket) {
    const names = [];
    do {
      if (bracket && names.length && is(")")) break;
      names.push({ name: rule(), asname: take("as") ? name() : undefined });
    } while (take(","));
    return names;
  }

  function importFrom(start) {
    if (is(".", "...")) refuse(start, "relative");
    const module = dotted([name()]);
    need("import");
    if (take("*")) return make("ImportFrom", start, { module, names: [{ name: "*" }] });
    const bracket = take("(");
    const names = imported(name, bracket);
    if (bracket) need(")");
    return make("ImportFrom", start, { module, names });
  }

  const tree = [];
  while (now().type !== "end") tree.push(...statement());
  return tree;
}
