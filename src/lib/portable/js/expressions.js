// Expressions: every one becomes [JavaScript, kind], or is refused. A whole number never is the page's -0: products,
// quotients and whole parts that could be it get + 0, and -n is written 0 - n. Only in an index and on the sides of a
// comparison, where -0 is as good as 0, it may be.

import { NUMBERS, RecordKind, Signature, fits, sameKind, words } from "./kinds.js";
import { BUILTINS, CALLS, ELEMENT } from "./rules.js";
import { anyPart, calls, own } from "./tree.js";

export const SIGNS = { Add: "+", Sub: "-", Mult: "*", Div: "/" };
const COMPARED = { Lt: "<", LtE: "<=", Gt: ">", GtE: ">=", Eq: "===", NotEq: "!==" };
const WHOLE = {
  Add: (a, b) => a + b,
  Sub: (a, b) => a - b,
  Mult: (a, b) => a * b,
  FloorDiv: (a, b) => a / b - (a % b !== 0n && a < 0n !== b < 0n ? 1n : 0n),
};
const PLAIN_NAME = /^[\p{XIDS}_][\p{XIDC}]*$/u;

export class Expressions {
  constructor(module, checked) {
    Object.assign(this, { module, checked, locals: new Map(), assigned: new Set() });
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

  // JavaScript of an expression that has to be of this kind; `what` names it in the refusal.
  wanted(node, kind, what) {
    const [code, got] = this.expression(node);
    if (!fits(kind, got)) {
      let remedy = kind === "float" && got === "int" ? "write float(...) or a decimal point" : "give it that";
      if (kind === "int" && got === "float") remedy = "use floor(x)";
      this.refuse(node, `${what} is ${words(kind)}, here it is ${words(got)}`, remedy);
    }
    return code;
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
    const [code, kind] = this.expression(node);
    if (kind !== "bool") this.refuse(node, `the truth of ${words(kind)} differs in the page`, "compare: n > 0, len(a) > 0");
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

  number(node) {
    const [code, kind] = this.expression(node);
    if (!NUMBERS.includes(kind)) this.refuse(node, `${words(kind)} where a number is needed`, "take its entries one by one");
    return [code, kind];
  }

  onConstant(node) {
    const { kind, value } = node;
    if (kind === "bool") return [String(value), "bool"];
    if (kind === "int") {
      if (value >= 2n ** 53n) this.refuse(node, "whole numbers from 2**53 on are not exact in the page", "write it with a point");
      return [String(value), "int"];
    }
    if (kind === "float") {
      if (value === Infinity) this.refuse(node, "a number too large for a float", "import inf from lib.portable.primitives");
      return [floatText(value), "float"];
    }
    return this.refuse(node, `${kind} values are not portable`, "use numbers");
  }

  onName(node) {
    const name = this.module.place.name(node, node.id);
    if (this.loopNames.has(name) && !this.locals.has(name)) {
      this.refuse(node, `${name} is used outside its loop`, "keep what you need in a variable of its own");
    }
    if (this.locals.has(name) || this.stored.has(name)) {
      if (!this.assigned.has(name)) this.refuse(node, `${name} may not have a value yet`, "give it one before the branch or loop");
      return [name, this.locals.get(name)];
    }
    if (this.module.values.has(name)) return this.module.values.get(name);
    return this.refuse(node, ...(own(CALLS, name) ?? [`${name} is not known in the page`, "import it from a portable module"]));
  }

  onUnaryOp(node) {
    if (node.op === "Not") return [`!(${this.condition(node.operand)})`, "bool"];
    if (node.op !== "USub") this.module.place.unknown(node.op, node);
    const [code, kind] = this.number(node.operand);
    return kind === "int" ? [`(0 - ${code})`, kind] : [`(-${code})`, kind];
  }

  onBinOp(node) {
    if (!["Add", "Sub", "Mult", "Div", "FloorDiv"].includes(node.op)) this.module.place.unknown(node.op, node);
    return this.arithmetic(node, node.left, node.op, node.right);
  }

  arithmetic(node, left, operator, right) {
    const [a, kindA] = this.number(left);
    const [divisor, kindB] = this.number(right);
    const kind = kindA === "int" && kindB === "int" ? "int" : "float";
    const divides = operator === "Div" || operator === "FloorDiv";
    const b = divides && this.checked ? `$nonzero(${divisor}, ${this.module.place.said(node)})` : divisor;
    if (operator === "FloorDiv") {
      if (kind !== "int") this.refuse(node, "// of fractions differs in the page", "use floor(x / y)");
      return [this.whole(node, this.exactZero(`Math.floor(${a} / ${b})`, this.aboveZero(right))), "int"];
    }
    if (operator === "Div") return [`(${a} / ${b})`, "float"];
    const sign = own(SIGNS, operator) ?? this.module.place.unknown(operator, node);
    if (kind === "float") return [`(${a} ${sign} ${b})`, kind];
    const never = sign !== "*" || this.aboveZero(left) || this.aboveZero(right);
    return [this.whole(node, this.exactZero(`(${a} ${sign} ${b})`, never)), kind];
  }

  onCompare(node) {
    const values = [node.left, ...node.comparators];
    for (const between of values.slice(1, -1)) {
      if (!["Name", "Constant"].includes(between.type)) {
        this.refuse(between, "the middle of a chain is computed twice in the page", "give it a name first");
      }
    }
    for (const operator of node.ops) if (!own(COMPARED, operator)) this.module.place.unknown(operator, node);
    const numbers = values.map((value) => this.compared(value));
    return [`(${node.ops.map((op, i) => `${numbers[i]} ${COMPARED[op]} ${numbers[i + 1]}`).join(" && ")})`, "bool"];
  }

  compared(node) {
    const [code, kind] = this.zeros(true, () => this.expression(node));
    if (!NUMBERS.includes(kind)) this.refuse(node, `comparing ${words(kind)} differs in the page`, "compare numbers, one by one");
    return code;
  }

  onBoolOp(node) {
    return [`(${node.values.map((value) => this.condition(value)).join(node.op === "And" ? " && " : " || ")})`, "bool"];
  }

  onIfExp(node) {
    const test = this.condition(node.test);
    const [yes, kind] = this.expression(node.body);
    return [`(${test} ? ${yes} : ${this.wanted(node.orelse, kind, "the other value")})`, kind];
  }

  onTuple(node) {
    const parts = node.elts.map((part) => this.expression(part));
    return [`[${parts.map(([code]) => code).join(", ")}]`, parts.map(([, kind]) => kind)];
  }

  onList(node) {
    if (!node.elts.length) this.refuse(node, "lists grow in Python alone", "use zeros(n)");
    const [, kind] = this.expression(node.elts[0]);
    const all = (element, what) => node.elts.map((part) => this.wanted(part, element, what)).join(", ");
    if (kind === "float") return [`Float64Array.of(${all("float", "an entry of this list")})`, "Vector"];
    if (kind === "int") return [`Int32Array.of(${all("int", "an entry of this list")})`, "Wholes"];
    if (kind === "Vector") return [`[${all("Vector", "a row of this list")}]`, "Matrix"];
    if (kind === "Wholes") return [`[${all("Wholes", "a row of this list")}]`, "Table"];
    return this.refuse(node, `a list of ${words(kind)} is not portable`, "use zero_matrix or a record");
  }

  onDict(node) {
    const parts = node.keys.map((key, i) => {
      if (key?.type !== "Constant" || key.kind !== "str" || !PLAIN_NAME.test(key.value.normalize("NFKC"))) {
        this.refuse(node, "keys of readings are plain names", 'write {"loss": values}');
      }
      this.module.place.name(key, key.value);
      return `${key.value}: ${this.wanted(node.values[i], "Vector", `the reading ${key.value}`)}`;
    });
    return [`({${parts.join(", ")}})`, "Readings"];
  }

  onAttribute(node) {
    const [code, kind] = this.expression(node.value);
    if (!(kind instanceof RecordKind)) this.refuse(node, `${words(kind)} has no fields in the page`, "import names, keep fields in a dataclass");
    if (!kind.fields.has(node.attr)) this.refuse(node, `${kind.name} has no field ${node.attr}`, `it has ${kind.names().join(", ")}`);
    return [`${code}.${node.attr}`, kind.fields.get(node.attr)];
  }

  onSubscript(node) {
    const [code, kind] = this.expression(node.value);
    const element = typeof kind === "string" ? own(ELEMENT, kind) : undefined;
    if (!element) this.refuse(node, `${words(kind)} has no entries`, "unpack a tuple: a, b = f(x)");
    if (node.slice.type === "UnaryOp" || (this.knownWhole(node.slice) ?? 0n) < 0n) {
      this.refuse(node, "a negative index counts from the end in Python alone", "use len(a) - 1");
    }
    const index = this.zeros(true, () => this.wanted(node.slice, "int", "an index"));
    if (calls(node.value)) this.refuse(node, "a call in front of an index is not portable", "give the array a name first");
    return [this.checked ? `${code}[$index(${code}, ${index}, ${this.module.place.said(node)})]` : `${code}[${index}]`, element];
  }

  onCall(node) {
    if (node.func.type !== "Name") this.refuse(node, "methods are not portable", "call a function: copy(a) for a.copy()");
    const name = node.func.id;
    const { kinds, values, primitives } = this.module;
    if (!this.locals.has(name) && !this.stored.has(name)) {
      const record = kinds.get(name);
      if (record instanceof RecordKind) return this.construct(node, record);
      const primitive = primitives.get(name) ?? own(BUILTINS, name);
      if (primitive && !values.has(name)) return this.primitive(node, name, primitive);
      if (own(CALLS, name) && !values.has(name)) this.refuse(node, ...CALLS[name]);
    }
    const [code, kind] = this.onName(node.func);
    if (!(kind instanceof Signature)) this.refuse(node, `${name} is ${words(kind)}, not a function`, "call a function of a portable module");
    return [this.called(node, name, code, kind), kind.result];
  }

  called(node, name, code, { parameters, names }) {
    const count = node.args.length + node.keywords.length;
    if (!names && node.keywords.length) this.refuse(node, `${name} was handed over, so its arguments have no names`, "write them in their order");
    if (node.args.length > parameters.length || (!node.keywords.length && count < parameters.length)) {
      this.refuse(node, `${name} takes ${parameters.length} arguments, here it has ${count}`, "give every one");
    }
    const places = names ?? parameters.map((_, i) => `${i}`);
    const pairs = this.paired(node, name, places);
    const lacking = places.filter((place) => !pairs.some(([other]) => other === place));
    if (lacking.length) this.refuse(node, `${name} lacks ${lacking.join(", ")}`, "give every argument");
    const said = (i) => (i < node.args.length ? `argument ${i + 1} of ${name}` : `the argument ${pairs[i][0]} of ${name}`);
    const codes = this.zeros(false, () => pairs.map(([place, arg], i) => this.wanted(arg, parameters[places.indexOf(place)], said(i))));
    const last = this.module.watched.has(name) ? [`$place.at = ${this.module.place.said(node)}`] : []; // nobody takes it
    return this.inWrittenOrder(pairs, codes, places, (given) => `${code}(${[...places.map((place) => given.get(place)), ...last].join(", ")})`);
  }

  // What a call gives to which of its names, [[name, node], ...] as it is written.
  paired(node, called, names) {
    const pairs = node.args.map((arg, i) => [names[i], arg]);
    for (const { arg, value } of node.keywords) {
      if (arg === null) this.module.place.unknown("Starred", node);
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
    const { primitives, values } = this.module;
    const atHand = (name) => (primitives.has(name) || own(BUILTINS, name)) && !values.has(name);
    return !anyPart(node, (part) => part.type === "Call" && !(part.func.type === "Name" && atHand(part.func.id)));
  }

  primitive(node, name, primitive) {
    if (!primitive.ways.length) this.refuse(node, `${name} is for constants of a module alone`, "give the numbers a name there");
    if (node.keywords.length) this.refuse(node, `the arguments of ${name} have no names in the page`, "write them in their order");
    const given = this.zeros(false, () => node.args.map((arg) => this.expression(arg)));
    const got = given.map(([, kind]) => kind);
    for (const [kinds, result] of primitive.ways) {
      if (sameKind(kinds, got)) {
        const template = (this.checked && primitive.checked) || primitive.code;
        const said = this.module.place.said(node);
        const code = template.replace(/\{(\d|at)\}/g, (all, i) => (i === "at" ? said : given[i][0]));
        return [this.exactZero(code, !primitive.minusZero || neverMinusZero(node.args[0])), result];
      }
    }
    const asked = primitive.ways.map(([kinds]) => kinds.map(words).join(", ")).join(" or ");
    return this.refuse(node, `${name} asks for ${asked}, here it has ${got.map(words).join(", ") || "nothing"}`, "give it that");
  }

  construct(node, record) {
    const fields = record.names();
    if (node.args.length > fields.length) this.refuse(node, `${record.name} has the fields ${fields.join(", ")}`, "give every one, once");
    const pairs = this.paired(node, record.name, fields);
    const lacking = fields.filter((name) => !pairs.some(([other]) => other === name));
    const without = lacking.filter((name) => !record.defaults.get(name));
    if (without.length) this.refuse(node, `${record.name} lacks ${without.join(", ")}`, "give every field that has no default");
    const codes = this.zeros(false, () => pairs.map(([name, value]) => this.wanted(value, record.fields.get(name), `the field ${name}`)));
    const left = lacking.map((name) => [name, this.standard(node, record, name)]);
    return [this.inWrittenOrder(pairs, codes, fields, (given) => {
      const all = new Map([...given, ...left]);
      return `({${fields.map((name) => `${name}: ${all.get(name)}`).join(", ")}})`;
    }), record];
  }

  // The default of a field that is left out: a number that stands there or has a name of its module.
  standard(node, record, name) {
    const told = record.module.numberOf(record.defaults.get(name));
    if (!told) this.refuse(node, `the default of ${name} of ${record.name} is no plain number`, `give ${name}`);
    if (!fits(record.fields.get(name), told[1])) {
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
function floatText(x) {
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
