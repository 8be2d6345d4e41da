// Expressions: every one becomes [JavaScript, kind], or is refused. A whole number never is the page's -0: products,
// quotients and whole parts that could be it get + 0, and -n is written 0 - n. Only in an index and on the sides of a
// comparison, where -0 is as good as 0, it may be.

import { ARRAYS, NUMBERS, RecordKind, Signature, fits, meets, sameKind, words } from "./kinds.js";
import { FRACTIONS, MADE, OF_LISTS, Ordinary, joined } from "./ordinary.js";
import { BUILTINS, CALLS, ELEMENT, GROWS, PRIMITIVES, SYNTAX } from "./rules.js";
import { anyPart, own } from "./tree.js";

export const SIGNS = { Add: "+", Sub: "-", Mult: "*", Div: "/" };
const COMPARED = { Lt: "<", LtE: "<=", Gt: ">", GtE: ">=", Eq: "===", NotEq: "!==" };
const WHOLE = {
  Add: (a, b) => a + b,
  Sub: (a, b) => a - b,
  Mult: (a, b) => a * b,
  FloorDiv: (a, b) => a / b - (a % b !== 0n && a < 0n !== b < 0n ? 1n : 0n),
};
const PLAIN_NAME = /^[\p{XIDS}_][\p{XIDC}]*$/u;

export class Expressions extends Ordinary {
  constructor(module, checked) {
    super();
    Object.assign(this, { module, checked, locals: new Map(), assigned: new Set(), temporaries: 0 });
    this.stored = new Map(); // every name that the function assigns somewhere -> how often
    this.fixed = new Map(); // of these, whole numbers that the text tells
    this.loopNames = new Set(); // of all loops, over or not
    this.anyZero = false; // whether -0 will do for 0
  }

  refuse(node, reason, remedy) {
    this.module.place.refuse(node, reason, remedy);
  }

  expression(node) {
    const method = this[`on${node.type}`];
    return method && !node.statement ? method.call(this, node) : this.module.place.unknown(node.type, node);
  }

  // JavaScript of an expression that has to be of this kind; `what` names it in the refusal. What `key` says to be whole
  // may turn out not to be; then the module is translated anew.
  wanted(node, kind, what, key = "") {
    return this.given(node, this.expression(node), kind, what, key);
  }

  given(node, [code, got], kind, what, key = "") {
    if (key && FRACTIONS.includes(kind) && this.mayBeWhole(node, got)) this.module.mix(key);
    if (fits(kind, got)) return code;
    if (NUMBERS.includes(kind) && got === "bool") return `Number(${code})`;
    if (meets(kind, got)) return code;
    if (kind === "Vector" && got === "Wholes" && isNew(node)) return `Float64Array.from(${code})`;
    if (kind === "int" && got === "float" && key) this.module.widen(key);
    let remedy = "give it that, or change its type hint";
    if (kind === "int" && got === "float") remedy = "write int(x), round(x) or floor(x), or divide by //";
    if (NUMBERS.includes(kind) && ARRAYS.includes(got)) remedy = ONE_BY_ONE;
    if (Array.isArray(got) !== Array.isArray(kind)) remedy = "take a tuple apart: a, b = f(x)";
    return this.refuse(node, `${what} must be ${words(kind)}, and this is ${words(got)}`, remedy);
  }

  // What is translated meanwhile is used where -0 will do for 0, or where it will not.
  zeros(anyZero, work) {
    const before = this.anyZero;
    this.anyZero = anyZero;
    const made = work();
    this.anyZero = before;
    return made;
  }

  // The whole number that an expression of constants is, a BigInt; null where the text does not tell.
  knownWhole(node) {
    if (node.type === "Constant" && node.kind === "int") return node.value;
    if (node.type === "Constant" && node.kind === "bool") return node.value ? 1n : 0n;
    if (node.type === "Name") {
      const local = this.locals.has(node.id) || this.stored.has(node.id);
      return (local ? this.fixed : this.module.wholeNumbers).get(node.id) ?? null;
    }
    if (node.type === "UnaryOp" && node.op === "USub") {
      const known = this.knownWhole(node.operand);
      return known === null ? null : -known;
    }
    if (node.type === "BinOp" && own(WHOLE, node.op)) {
      const [a, b] = [this.knownWhole(node.left), this.knownWhole(node.right)];
      const told = a !== null && b !== null && !(b === 0n && node.op === "FloorDiv");
      return told ? WHOLE[node.op](a, b) : null;
    }
    return null;
  }

  condition(node) {
    if (node.type === "BoolOp") return `(${node.values.map((value) => this.condition(value)).join(node.op === "And" ? " && " : " || ")})`;
    const [code, kind] = this.expression(node);
    if (NUMBERS.includes(kind)) return `(${code} !== 0)`;
    if (ARRAYS.includes(kind)) return `(${code}.length > 0)`;
    if (kind !== "bool") this.refuse(node, `${words(kind)} is no condition`, "compare numbers: x > 0.0");
    return code;
  }

  whole(node, code) {
    return this.checked ? `$whole(${code}, ${this.module.place.said(node)})` : code;
  }

  exactZero(code, never) {
    return never || this.anyZero ? code : `(${code} + 0)`;
  }

  aboveZero(node) {
    return (this.knownWhole(node) ?? 0n) > 0n;
  }

  number(node, [code, kind] = this.expression(node)) {
    if (kind === "bool") return [`Number(${code})`, "int"];
    if (ARRAYS.includes(kind)) this.refuse(node, "this is a whole list, and a number is needed here", ONE_BY_ONE);
    if (!NUMBERS.includes(kind)) this.refuse(node, `this is ${words(kind)}, and a number is needed here`, "use a number");
    return [code, kind];
  }

  onConstant(node) {
    const { kind, value } = node;
    if (kind === "bool") return [String(value), "bool"];
    if (kind === "int") {
      if (value >= 2n ** 53n) this.refuse(node, "whole numbers from 2**53 on are not exact in the page", "write it with a decimal point");
      return [String(value), "int"];
    }
    if (kind === "float") {
      if (value === Infinity) this.refuse(node, "a number too large for a float", "import inf from lib.portable.primitives");
      return [floatText(value), "float"];
    }
    if (kind === "str") this.refuse(node, ...SYNTAX.JoinedStr);
    return this.refuse(node, `${({ NoneType: "None", complex: "a complex number", ellipsis: "..." })[kind]} cannot stand here`, "use a number, such as 0.0 or -1");
  }

  onName(node) {
    const name = node.id;
    if (this.loopNames.has(name) && !this.locals.has(name)) this.free(name);
    if (this.locals.has(name) || this.stored.has(name)) {
      if (!this.assigned.has(name)) this.refuse(node, ...(this.module.values.has(name) ? SYNTAX.global : [`${name} may not have a value yet`, `write ${name} = 0.0 before the branch or loop`]));
      return [name, this.locals.get(name)];
    }
    if (this.module.values.has(name)) return this.module.values.get(name);
    return this.refuse(node, ...(own(CALLS, name) ?? this.unheard(node)));
  }

  // The variable of a loop is set or used elsewhere too: it becomes a variable like others.
  free(name) {
    this.module.widen(`${this.node.name}.${name} is free`);
  }

  // What is said of a name that nobody has given: perhaps it was renamed in another place, or is one of the library.
  unheard(node) {
    const name = node.id;
    const [other, line] = this.module.renamed(name, this.node);
    if (other) return [`${name} has no value here. Was it renamed to ${other}, in line ${line}?`, `write ${other} in this line, or ${name} in line ${line}`];
    const home = own(PRIMITIVES, name) ? "lib.portable.primitives" : own(HOMES, name);
    if (home) return [`${name} is not imported`, `write ${home.startsWith("import") ? home : `from ${home} import ${name}`} at the top`];
    if (node.called) return [`there is no function ${name} here`, `write it, def ${name}(x):, or mend its name`];
    return [`${name} has no value here`, `write ${name} = 0.0 above, or mend its name`];
  }

  onUnaryOp(node) {
    if (node.op === "Not") return [`!(${this.condition(node.operand)})`, "bool"];
    if (node.op === "Invert") this.module.place.unknown("BitAnd", node);
    const [code, kind] = this.number(node.operand);
    if (node.op === "UAdd") return [code, kind];
    return kind === "int" ? [`(0 - ${code})`, kind] : [`(-${code})`, kind];
  }

  onBinOp(node) {
    for (const [part, count] of [[node.left, node.right], [node.right, node.left]]) {
      if (node.op === "Mult" && part.type === "List" && part.elts.length === 1) return this.repeated(node, part.elts[0], count);
    }
    return this.arithmetic(node, node.left, node.op, node.right);
  }

  // [x] * n
  repeated(node, entry, count) {
    const [[x, kind], n] = [this.number(entry), this.wanted(count, "int", "the length of a list")];
    const length = this.checked ? `$size(Math.max(0, ${n}), ${this.module.place.said(node)})` : `Math.max(0, ${n})`;
    return [`new ${kind === "int" ? "Int32Array" : "Float64Array"}(${length}).fill(${x})`, kind === "int" ? "Wholes" : "Vector"];
  }

  arithmetic(node, left, operator, right) {
    if (!SIGNS[operator] && !["FloorDiv", "Mod", "Pow"].includes(operator)) this.module.place.unknown(operator, node);
    const given = [this.expression(left), this.expression(right)];
    const [[a, kindA], [divisor, kindB]] = [this.number(left, given[0]), this.number(right, given[1])];
    if (operator === "Pow") return this.power(node, left, right, [a, kindA], [divisor, kindB]);
    const kind = kindA === "int" && kindB === "int" ? "int" : "float";
    const divides = ["Div", "FloorDiv", "Mod"].includes(operator);
    const b = divides && this.checked ? `$nonzero(${divisor}, ${this.module.place.said(node)})` : divisor;
    if (operator === "FloorDiv") {
      if (kind !== "int") return [`${this.helper("$quotient")}(${a}, ${b})`, "float"];
      return [this.whole(node, this.exactZero(`Math.floor(${a} / ${b})`, this.aboveZero(right))), "int"];
    }
    if (operator === "Div") return [`(${a} / ${b})`, "float"];
    if (operator === "Mod") return [kind === "int" ? this.exactZero(`${this.helper("$mod")}(${a}, ${b})`, false) : `${this.helper("$mod")}(${a}, ${b})`, kind];
    const sign = SIGNS[operator];
    if (kind === "float") return [`(${a} ${sign} ${b})`, kind];
    const never = sign !== "*" || this.aboveZero(left) || this.aboveZero(right);
    return [this.whole(node, this.exactZero(`(${a} ${sign} ${b})`, never)), kind];
  }

  onCompare(node) {
    const values = [node.left, ...node.comparators];
    if (["In", "NotIn"].includes(node.ops.join())) return [`${node.ops[0] === "In" ? "" : "!"}${this.contained(node, ...values)}`, "bool"];
    const between = values.slice(1, -1).find((value) => this.runs(value));
    if (between) this.refuse(between, "a function call in the middle of a chain of comparisons", "give its result a name on the line before");
    for (const operator of node.ops) if (!own(COMPARED, operator)) this.module.place.unknown(operator, node);
    const numbers = values.map((value) => this.compared(value));
    return [`(${node.ops.map((op, i) => `${numbers[i]} ${COMPARED[op]} ${numbers[i + 1]}`).join(" && ")})`, "bool"];
  }

  compared(node) {
    const [code, kind] = this.zeros(true, () => this.expression(node));
    if (kind === "bool") return `Number(${code})`;
    if (!NUMBERS.includes(kind)) this.refuse(node, `${words(kind)} cannot be compared here`, "compare numbers, one by one: a[i] < b[i]");
    return code;
  }

  onBoolOp(node) {
    const other = node.values.find((value) => this.expression(value)[1] !== "bool");
    if (other) this.refuse(other, `${words(this.expression(other)[1])} between and, or`, "compare it, x > 0.0, or write a if condition else b");
    return [this.condition(node), "bool"];
  }

  onIfExp(node) {
    const test = this.condition(node.test);
    const [[yes, kind], no] = [this.expression(node.body), this.expression(node.orelse)];
    const both = joined(kind, no[1]) ?? kind;
    return [`(${test} ? ${yes} : ${this.given(node.orelse, no, both, "the other value")})`, both];
  }

  onTuple(node) {
    const parts = node.elts.map((part) => this.expression(part));
    return [`[${parts.map(([code]) => code).join(", ")}]`, parts.map(([, kind]) => kind)];
  }

  onList(node) {
    if (!node.elts.length) this.refuse(node, "a list cannot grow here", GROWS);
    const parts = node.elts.map((part) => this.expression(part));
    const kind = parts.map(([, made]) => made).reduce((a, b) => joined(a, b) ?? a);
    const [type, made] = (kind !== "bool" && own(MADE, kind)) || this.refuse(node, `a list of ${words(kind)} is not available here`, "make lists of numbers, or of such lists");
    const all = node.elts.map((part, i) => this.given(part, parts[i], kind, `${NUMBERS.includes(kind) ? "an entry" : "a row"} of this list`)).join(", ");
    return [type === "Array" ? `[${all}]` : `${type}.of(${all})`, made];
  }

  onDict(node) {
    const parts = node.keys.map((key, i) => {
      if (key?.type !== "Constant" || key.kind !== "str" || !PLAIN_NAME.test(key.value.normalize("NFKC"))) {
        this.refuse(node, "a dictionary here holds what a run records, by plain names", 'write {"loss": values}');
      }
      this.module.place.word(key, key.value);
      return `${key.value}: ${this.wanted(node.values[i], "Vector", `the entry ${key.value} of this dictionary`)}`;
    });
    return [`({${parts.join(", ")}})`, "Readings"];
  }

  onAttribute(node) {
    if (this.isSpace(node.value)) return this.onName({ ...node.value, id: this.module.ordinary(node, node.attr) });
    const [code, kind] = this.expression(node.value);
    if (!(kind instanceof RecordKind)) this.refuse(node, `${words(kind)} has no .${node.attr}`, "give it a name of its own");
    if (!kind.fields.has(node.attr)) this.refuse(node, `${kind.name} has no field ${node.attr}`, `its fields are ${kind.names().join(", ")}; a new one needs a line in the class ${kind.name}`);
    return [`${code}.${node.attr}`, kind.fields.get(node.attr)];
  }

  onSubscript(node) {
    if (node.slice.type === "Slice") return this.slice(node);
    const [code, kind] = this.expression(node.value);
    const known = this.knownWhole(node.slice);
    if (Array.isArray(kind) && known !== null) {
      const place = Number(known < 0n ? BigInt(kind.length) + known : known);
      if (kind[place]) return [`${code}[${place}]`, kind[place]];
    }
    const element = typeof kind === "string" ? own(ELEMENT, kind) : undefined;
    if (!element) this.refuse(node, `${words(kind)} has no entries`, "take a tuple apart: a, b = f(x)");
    const index = known !== null && known < 0n ? `${code}.length - ${-known}` : this.zeros(true, () => this.wanted(node.slice, "int", "an index"));
    if (this.runs(node.value)) this.refuse(node, "an index directly behind a function call", "give its result a name on the line before");
    return [this.checked ? `${code}[$index(${code}, ${index}, ${this.module.place.said(node)})]` : `${code}[${index}]`, element];
  }

  onCall(node) {
    if (node.func.type === "Attribute") return this.attributeCalled(node);
    if (node.func.type !== "Name") this.refuse(node, "only a function with a name can be called here", "write * for a product, or def f(x): for a function");
    const name = node.func.id;
    const { kinds, values, primitives } = this.module;
    if (!this.locals.has(name) && !this.stored.has(name)) {
      const record = kinds.get(name);
      if (record instanceof RecordKind) return this.construct(node, record);
      const primitive = primitives.get(name) ?? own(BUILTINS, name);
      if (primitive && !values.has(name)) return this.primitive(node, name, primitive);
      if (this.isBuiltin(node, name) && own(CALLED, name)) return this[CALLED[name]](node, name);
      if (this.isBuiltin(node, name) && own(OF_LISTS, name)) return this.ofList(node, name);
      if (name === "print" && this.isBuiltin(node, name)) this.refuse(node, "print stands on a line of its own", "write print(x)");
      if (own(CALLS, name) && !values.has(name)) this.refuse(node, ...CALLS[name]);
    }
    const [code, kind] = this.onName({ ...node.func, called: true });
    if (!(kind instanceof Signature)) this.refuse(node, `${name} is ${words(kind)}, not a function`, "for a product write *");
    const made = this.called(node, name, code, kind);
    if (kind.result === undefined) this.module.complete(node, kind);
    return [made, kind.result];
  }

  // math.exp(x), values.copy()
  attributeCalled(node) {
    const { value, attr } = node.func;
    if (this.isSpace(value)) {
      const id = ["abs", "max", "min", "round"].includes(attr) ? attr : this.module.ordinary(node, attr);
      return this.onCall({ ...node, func: { ...value, id } });
    }
    const given = [this.locals, this.stored, this.module.values].some((names) => names.has(value.id));
    if (value.type === "Name" && !given && !["np", "numpy", "math"].includes(value.id)) this.module.refuseImport(node, value.id);
    const [, kind] = this.expression(value);
    if (attr === "copy" && ["Vector", "Wholes"].includes(kind)) return this.primitive({ ...node, args: [value] }, "copy", PRIMITIVES.copy);
    return this.refuse(node, `${words(kind)} has no .${attr}() here`, attr === "append" ? GROWS : ["sum", "mean", "max", "min"].includes(attr) ? `write ${attr}(values)${attr === "mean" ? ", with from numpy import mean" : ""}` : "write a function that takes it");
  }

  // Whether math or numpy is meant.
  isSpace({ type, id }) {
    return type === "Name" && !this.locals.has(id) && !this.stored.has(id) && this.module.spaces.has(id);
  }

  called(node, name, code, { parameters, names, defaults }) {
    if (!names && node.keywords.length) this.refuse(node, `${name} was handed over, so its arguments have no names`, "write them in their order");
    const last = this.module.watched.has(name) ? [`$place.at = ${this.module.place.said(node)}`] : []; // nobody takes it
    const places = names ?? parameters.map((_, i) => `argument ${i + 1}`);
    return this.filled(node, name, places, (place, arg) => {
      const at = places.indexOf(place);
      parameters[at] ??= this.module.wide(`${name}.${place}`, this.expression(arg)[1]);
      return this.wanted(arg, parameters[at], `argument ${at + 1} of ${name}`, `${name}.${place}`);
    }, (place) => (defaults?.has(place) ? undefined : null), (given) => `${code}(${[...places.map((place) => given.get(place)), ...last].join(", ")})`);
  }

  // JavaScript of what a function or record gets: `codeOf(name, node)` of each that is given, `standard(name)` of each that is
  // not, null where there is none; `put` makes the whole of a Map name -> code.
  filled(node, called, names, codeOf, standard, put) {
    const given = node.args.length + node.keywords.length;
    if (node.args.length > names.length) this.refuse(node, `${called} takes ${names.length || "no"} value${names.length === 1 ? "" : "s"}, and here it gets ${given}`, `write ${called}(${names.join(", ")})`);
    const pairs = this.paired(node, called, names);
    const left = names.filter((name) => !pairs.some(([other]) => other === name)).map((name) => [name, standard(name)]);
    const lacking = left.filter(([, code]) => code === null).map(([name]) => name);
    if (lacking.length) this.refuse(node, `${called} needs a value for ${lacking.join(", ")}`, `write ${called}(${names.join(", ")})`);
    const codes = this.zeros(false, () => pairs.map(([name, value]) => codeOf(name, value)));
    return this.inWrittenOrder(pairs, codes, names, (codeBy) => put(new Map([...codeBy, ...left])));
  }

  // What a call gives to which of its names, [[name, node], ...] as it is written.
  paired(node, called, names) {
    const pairs = node.args.map((arg, i) => [names[i], arg]);
    for (const { arg, value } of node.keywords) {
      if (!names.includes(arg)) this.refuse(node, `${called} has no ${arg}`, `it has ${names.join(", ")}`);
      if (pairs.some(([other]) => other === arg)) this.refuse(node, `${called} gets ${arg} twice`, "give it once");
      pairs.push([arg, value]);
    }
    return pairs;
  }

  // JavaScript of a call: `put` makes it of a Map name -> code. As in Python the values are computed in the order in which
  // they are written; where that is not the order of the names and can be seen, a function takes them as they come.
  inWrittenOrder(pairs, codes, names, put) {
    const order = pairs.map(([name]) => names.indexOf(name));
    const given = new Map(pairs.map(([name], i) => [name, codes[i]]));
    if (order.every((place, i) => !i || place > order[i - 1]) || pairs.every(([, node]) => this.mayMove(node))) return put(given);
    const held = order.map((place) => `$given${place}`);
    return `((${held.join(", ")}) => ${put(new Map(pairs.map(([name], i) => [name, held[i]])))})(${codes.join(", ")})`;
  }

  // Whether it is all the same when this is computed: it calls no function and throws nothing.
  mayMove(node) {
    if (this.checked) return node.type === "Name" || node.type === "Constant";
    return !this.runs(node);
  }

  // Whether something is called in it that may change what there is.
  runs(node) {
    const { primitives, values } = this.module;
    const atHand = (name) => (primitives.has(name) || own(BUILTINS, name) || SAFE.includes(name)) && !values.has(name) && !this.locals.has(name);
    return anyPart(node, (part) => part.type === "Call" && !(part.func.type === "Name" && atHand(part.func.id)));
  }

  primitive(node, name, primitive) {
    if (!primitive.ways.length) this.refuse(node, `${name} is for constants of a module alone`, "give the numbers a name there");
    if (node.keywords.length) this.refuse(node, `the arguments of ${name} have no names here`, "write them in their order");
    const given = this.zeros(false, () => node.args.map((arg) => this.expression(arg))).map((one) => (one[1] === "bool" ? this.number(node, one) : one));
    const got = given.map(([, kind]) => kind);
    const exact = primitive.ways.filter(([kinds]) => sameKind(kinds, got));
    const near = primitive.ways.filter(([kinds]) => kinds.length === got.length && kinds.every((kind, i) => fits(kind, got[i]) || meets(kind, got[i])));
    for (const [, result] of exact.length ? exact : near) {
      const template = (this.checked && primitive.checked) || primitive.code;
      const said = this.module.place.said(node);
      const code = template.replace(/\{(\d|at)\}/g, (all, i) => (i === "at" ? said : given[i][0]));
      return [this.exactZero(code, !primitive.minusZero || neverMinusZero(node.args[0])), result];
    }
    const asked = primitive.ways.map(([kinds]) => kinds.map(words).join(", ")).join(" or ");
    const remedy = got.includes("float") && asked.includes("whole") ? "write int(x), round(x) or floor(x)" : ARRAYS.includes(got[0]) ? ONE_BY_ONE : "give it that";
    return this.refuse(node, `${name} takes ${asked}, and here it gets ${got.map(words).join(", ") || "nothing"}`, remedy);
  }

  construct(node, record) {
    const fields = record.names();
    const codeOf = (name, value) => this.wanted(value, record.fields.get(name), `the field ${name}`, `${record.name}.${name}`);
    const standard = (name) => (record.defaults.get(name) ? this.standard(node, record, name) : null);
    return [this.filled(node, record.name, fields, codeOf, standard, (given) => `({${fields.map((name) => `${name}: ${given.get(name)}`).join(", ")}})`), record];
  }

  // The default of a field that is left out: a number that stands there or has a name of its module.
  standard(node, record, name) {
    const told = record.module.numberOf(record.defaults.get(name));
    if (!told) this.refuse(node, `the default of ${name} of ${record.name} is no plain number`, `give ${name}`);
    if (record.fields.get(name) === "int" && told[1] === "float") this.module.widen(`${record.name}.${name}`);
    if (!fits(record.fields.get(name), told[1]) && !meets(record.fields.get(name), told[1])) {
      this.refuse(node, `the field ${name} is ${words(record.fields.get(name))}, its default is ${words(told[1])}`, "give it, or mend the default");
    }
    return told[0];
  }
}

// An array of written numbers as it comes out of a list of them; null where they are no array of this kind.
export function arrayOf(values, kind) {
  if (!Array.isArray(values)) return null;
  const element = ELEMENT[kind];
  if (own(ELEMENT, element)) {
    const rows = values.map((row) => arrayOf(row, element));
    return rows.includes(null) ? null : `[${rows.join(", ")}]`;
  }
  const whole = element === "int";
  if (!values.every((x) => Number.isFinite(x) && (!whole || x === (x | 0)))) return null;
  const text = (x) => (whole ? String(x) : floatText(x));
  const signed = values.map((x) => (x < 0 || Object.is(x, -0) ? (whole ? `(0 - ${text(-x)})` : `(-${text(-x)})`) : text(x)));
  return `${whole ? "Int32Array" : "Float64Array"}.of(${signed.join(", ")})`;
}

// A number as Python writes it: 1.0, 1e-05, 1e+16.
export function floatText(x) {
  if (x - x !== 0) return x === x ? (x < 0 ? "-inf" : "inf") : "nan";
  if (Object.is(x, -0)) return "-0.0";
  const [digits, exponent] = x.toExponential().split("e");
  const e = Number(exponent);
  if (x !== 0 && (e < -4 || e >= 16)) return `${digits}e${e < 0 ? "-" : "+"}${String(Math.abs(e)).padStart(2, "0")}`;
  const plain = String(x);
  return plain.includes(".") ? plain : `${plain}.0`;
}

// Whether an expression tells that it is not -0: a sum or difference with a number that is not 0.
function neverMinusZero(node) {
  if (node.type !== "BinOp" || !["Add", "Sub"].includes(node.op)) return false;
  return [node.left, node.right].some((part) => part.type === "Constant" && Number(part.value) !== 0);
}

const ONE_BY_ONE = "compute entry by entry: [2.0 * x for x in values], or for two lists [x + y for x, y in zip(a, b)]";
const SAFE = ["int", "min", "max", "round"];
const CALLED = { min: "extreme", max: "extreme", int: "truncated", round: "rounded", pow: "powered", sorted: "sorted" };
const HOMES = { np: "import numpy as np", numpy: "import numpy", math: "import math", exp: "math", log: "math", pi: "math", tanh: "math", sign: "numpy", clip: "numpy", uniform: "lib.portable.random_numbers", normals: "lib.portable.random_numbers" };

// Whether a list is made here, so that nobody else holds it.
const isNew = (node) => ["List", "ListComp"].includes(node.type) || (node.type === "BinOp" && node.op === "Mult");
