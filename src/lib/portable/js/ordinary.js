// What students write besides: comprehensions and loops over arrays, powers, sums, rounding, text to print. Expressions
// have these methods too; each gives [JavaScript, kind], or refuses.

import { NUMBERS, RecordKind, fits, words } from "./kinds.js";
import { asciiText } from "./refusing.js";
import { ELEMENT } from "./rules.js";
import { last, own } from "./tree.js";

export const MADE = { float: ["Float64Array", "Vector"], int: ["Int32Array", "Wholes"], bool: ["Int32Array", "Wholes"], Vector: ["Array", "Matrix"], Wholes: ["Array", "Table"] };
const LOOP = "write for x in values, or for i in range(len(values))";
export const FRACTIONS = ["float", "Vector", "Matrix"];
const FORMAT = /^(?:\.(\d+))?([feg])$/;

// The kind of both, where one of them may be a whole number; null where they do not meet.
export const joined = (a, b) => (fits(a, b) ? a : NUMBERS.includes(a) && NUMBERS.includes(b) ? "float" : null);

// Functions of a list, and what they are in JavaScript.
export const OF_LISTS = { sum: "$sum", min: "$least", max: "$most", any: "$any", all: "$all" };

export class Ordinary {
  // Whether Python's own function of this name is meant.
  isBuiltin(node, name) {
    const { primitives, values, kinds } = this.module;
    const { id } = node.type === "Call" ? node.func : {};
    return id === name && !this.locals.has(id) && !this.stored.has(id) && !values.has(id) && !kinds.has(id) && !primitives.has(id);
  }

  // The only argument, or a refusal.
  only(node, name) {
    if (node.args.length !== 1 || node.keywords.length) this.refuse(node, `${name} takes one value here, it gets ${node.args.length + node.keywords.length}`, `write ${name}(x)`);
    return node.args[0];
  }

  // What a loop runs over: {held: ["$v1 = ...", ...] of what is looked up once, count: JavaScript, entry(i)}; an entry is
  // [JavaScript, kind], or several of them.
  sequence(node) {
    const hold = (code) => {
      this.temporaries += 1;
      return [`$v${this.temporaries}`, `$v${this.temporaries} = ${code}`];
    };
    if (this.isBuiltin(node, "enumerate")) {
      const inner = this.sequence(this.only(node, "enumerate"));
      return { ...inner, entry: (i) => ({ parts: [[i, "int"], inner.entry(i)] }) };
    }
    if (this.isBuiltin(node, "reversed")) {
      const inner = this.sequence(this.only(node, "reversed"));
      if (inner.entry("0").parts) this.refuse(node, "only a range or a list can be reversed", LOOP);
      return { ...inner, entry: (i) => inner.entry(`(${inner.count} - 1 - ${i})`) };
    }
    if (this.isBuiltin(node, "zip") && node.args.length > 1 && !node.keywords.length) {
      const all = node.args.map((part) => this.sequence(part));
      const count = `Math.min(${all.map((one) => one.count).join(", ")})`;
      return { held: all.flatMap((one) => one.held), count, entry: (i) => ({ parts: all.map((one) => one.entry(i)) }) };
    }
    if (this.isBuiltin(node, "range")) {
      if (node.keywords.length || node.args.length < 1 || node.args.length > 3) this.refuse(node, "range takes one to three numbers", "write range(start, stop, step)");
      if (node.args[2] && this.knownWhole(node.args[2]) === 0n) this.refuse(node, "the step of a range cannot be 0", "write another step, or leave it out");
      const bounds = node.args.map((part) => this.wanted(part, "int", "a bound"));
      const [start, stop, step] = bounds.length > 1 ? [bounds[0], bounds[1], bounds[2] ?? "1"] : ["0", bounds[0], "1"];
      const [[from, begun], [by, stepped]] = [hold(start), hold(this.checked && bounds.length > 2 ? `$nonzero(${step}, ${this.module.place.said(node)})` : step)];
      const [count, counted] = hold(`Math.max(0, Math.ceil((${stop} - ${from}) / ${by}))`);
      return { held: [begun, stepped, counted], count, entry: (i) => [`(${from} + ${i} * ${by})`, "int"] };
    }
    const [code, kind] = this.expression(node);
    const element = typeof kind === "string" ? own(ELEMENT, kind) : undefined;
    if (!element) this.refuse(node, `a loop runs over a list, and this is ${words(kind)}`, LOOP);
    const [name, held] = hold(code);
    return { held: [held], count: `${name}.length`, entry: (i) => [`${name}[${i}]`, element] };
  }

  // [[name, JavaScript, kind], ...] of what stands after `for`.
  bound(target, entry) {
    if (target.type === "Name" && Array.isArray(entry)) return [[target.id, ...entry]];
    const parts = target.type === "Tuple" ? target.elts : [];
    if (!entry.parts || parts.length !== entry.parts.length) this.refuse(target, `this loop gives ${entry.parts?.length ?? 1} values at a time`, LOOP);
    return parts.flatMap((part, i) => this.bound(part, entry.parts[i]));
  }

  // The head of a loop in JavaScript, and what its names get.
  looped(target, iter) {
    const { held, count, entry } = this.sequence(iter);
    this.temporaries += 1;
    const i = `$i${this.temporaries}`;
    return [`for (let ${[...held, `${i} = 0`, `$n${this.temporaries} = ${count}`].join(", ")}; ${i} < $n${this.temporaries}; ${i} += 1) {`, this.bound(target, entry(i))];
  }

  // A list that is made in a loop; its names are its own.
  onListComp(node, inside = false) {
    const before = [this.locals, this.assigned, this.loopNames];
    [this.locals, this.assigned, this.loopNames] = before.map((one) => new one.constructor(one));
    const heads = node.generators.map(({ target, iter, ifs }) => {
      const [head, names] = this.looped(target, iter);
      for (const [name, , kind] of names) {
        this.locals.set(name, kind);
        this.assigned.add(name);
        this.loopNames.delete(name);
      }
      return [head, ...names.map(([name, code]) => `const ${name} = ${code};`), ...ifs.map((test) => `if (!(${this.condition(test)})) continue;`)].join(" ");
    });
    const [code, kind] = this.expression(node.elt);
    [this.locals, this.assigned, this.loopNames] = before;
    const [type, made] = own(MADE, kind) ?? this.refuse(node, `a list of ${words(kind)} is not available here`, "make lists of numbers, or of such lists");
    if (kind === "bool" && !inside) this.refuse(node, "a list of conditions is not available here", "write 1 if ... else 0, or count them with sum(...)");
    return [`(($out) => { ${heads.join(" ")} $out.push(${code}); ${"}".repeat(heads.length)} return ${type}.from($out); })([])`, made];
  }

  // sum(...), min(...) and the like of one list.
  listGiven(node, name) {
    const part = this.only(node, name);
    const [code, kind] = ["GeneratorExp", "ListComp"].includes(part.type) ? this.onListComp(part, true) : this.expression(part);
    if (!["Vector", "Wholes"].includes(kind)) this.refuse(node, `${name} of ${words(kind)} is not available here`, `give it a list of numbers${name === "min" || name === "max" ? ", or two numbers" : ""}`);
    return [code, ELEMENT[kind]];
  }

  ofList(node, name) {
    const [code, element] = this.listGiven(node, name);
    const made = `${this.helper(OF_LISTS[name])}(${code})`;
    if (["any", "all"].includes(name)) return [made, "bool"];
    return [element === "int" ? this.whole(node, made) : made, element];
  }

  sorted(node) {
    const [code, element] = this.listGiven(node, "sorted");
    return [`${code}.slice().sort((a, b) => (a > b) - (a < b))`, element === "int" ? "Wholes" : "Vector"];
  }

  // x in values
  contained(node, left, right) {
    const [code, [list, kind]] = [this.compared(left), this.expression(right)];
    const numbers = Array.isArray(kind) ? kind : [own(ELEMENT, kind)];
    if (!numbers.every((one) => NUMBERS.includes(one))) this.refuse(node, "`in` asks whether a number is in a list of numbers", "write x in (0, 1, 2), or x in values");
    return `${this.helper("$in")}(${code}, ${list})`;
  }

  extreme(node, name) {
    if (node.args.length < 2) return this.ofList(node, name);
    const given = node.args.map((part) => this.zeros(false, () => this.number(part)));
    return given.reduce(([a, kindA], [b, kindB]) => [`$${name}(${a}, ${b})`, joined(kindA, kindB)]);
  }

  truncated(node) {
    const [code] = this.number(this.only(node, "int"));
    return [this.whole(node, this.exactZero(`Math.trunc(${code})`, false)), "int"];
  }

  rounded(node) {
    const [first, digits] = node.args;
    const [code] = this.number(first ?? this.only(node, "round"));
    if (!digits) return [this.whole(node, this.exactZero(`${this.helper("$round")}(${code})`, false)), "int"];
    const known = this.knownWhole(digits);
    if (node.args.length > 2 || known === null || known < 0n || known > 30n) this.refuse(node, "round takes a number, and how many digits stay", "write round(x) or round(x, 2)");
    return [`Number(${this.helper("$fixed")}(${code}, ${known}))`, "float"];
  }

  powered(node) {
    if (node.args.length !== 2) this.refuse(node, "pow takes two numbers", "write x ** 2");
    return this.arithmetic(node, node.args[0], "Pow", node.args[1]);
  }

  // Squares are products; of whole numbers and of all else the functions of `lib.portable.ordinary`.
  power(node, left, right, [a, kindA], [b, kindB]) {
    const whole = kindA === "int" && kindB === "int" && !(this.knownWhole(right) < 0n) && right.op !== "USub";
    const two = right.type === "Constant" && Number(right.value) === 2;
    if (two && left.type === "Name") return whole ? [this.whole(node, this.exactZero(`(${a} * ${a})`, true)), kindA] : [`(${a} * ${a})`, "float"];
    return [`${this.module.values.get(this.module.ordinary(node, whole ? "whole_power" : "pow"))[0]}(${a}, ${b})`, whole ? "int" : "float"];
  }

  // values[a:b], in a list of its own.
  slice(node) {
    const [code, kind] = this.expression(node.value);
    const [low, high, step] = node.slice.bounds;
    if (!own(ELEMENT, kind)) this.refuse(node, `${words(kind)} has no parts`, "take the part of a list");
    if (step && !low && !high && this.knownWhole(step) === -1n) return [`${code}.slice().reverse()`, kind];
    const [from, to] = [low, high].map((part) => (part ? this.wanted(part, "int", "a bound of the part") : ""));
    if (step) this.refuse(node, "steps in a slice are not available here", "write [values[i] for i in range(start, stop, step)]");
    return [`${code}.slice(${from || "0"}${to ? `, ${to}` : ""})`, kind];
  }

  // What `mix` calls a name or field.
  keyOf({ type, id, value, attr }) {
    return type === "Name" ? `${this.node.name}.${id}` : `${this.expression(value)[1].name}.${attr}`;
  }

  // Whether Python may hold a whole number, 0, where the page holds 0.0: known of names, fields and results that got one.
  mayBeWhole(node, kind) {
    const either = (...parts) => parts.some((part) => this.mayBeWhole(part, this.expression(part)[1]));
    if (!FRACTIONS.includes(kind)) return ["int", "Wholes"].includes(kind);
    if (!this.module.prints || (node.type === "Attribute" && this.isSpace(node.value))) return false;
    if (node.type === "Name" || node.type === "Attribute") return this.module.mixed.has(this.keyOf(node));
    if (node.type === "Subscript" && node.slice.type !== "Slice") return either(node.value);
    if (node.type === "UnaryOp") return either(node.operand);
    if (node.type === "IfExp") return either(node.body, node.orelse);
    if (node.type === "BinOp") return !["Div", "Pow"].includes(node.op) && [node.left, node.right].every((part) => either(part));
    if (["min", "max", "abs"].some((name) => this.isBuiltin(node, name))) return either(...node.args.filter((part) => part.type !== "GeneratorExp"));
    return node.type === "Call" && this.module.mixed.has(`the result of ${node.func.id}`);
  }

  // Text to print, as Python writes it.
  text(node) {
    if (node.type === "Constant" && node.kind === "str") return asciiText(node.value);
    if (node.type === "JoinedStr") return `[${node.values.map((part) => (typeof part === "string" ? asciiText(part) : this.formatted(part))).join(", ")}].join("")`;
    const [code, kind] = this.expression(node);
    if (FRACTIONS.includes(kind) && this.mayBeWhole(node, kind)) this.refuse(node, "this may hold a whole number such as 0, which Python prints without .0", "begin with 0.0 instead of 0, or write print(float(x))");
    if (kind === "float") return `${this.helper("$text")}(${code})`;
    if (kind === "int") return `String(${code})`;
    if (kind === "bool") return `(${code} ? "True" : "False")`;
    if (Array.isArray(kind) || kind instanceof RecordKind || !["Vector", "Wholes"].includes(kind)) this.refuse(node, `${words(kind)} cannot be printed here`, "print numbers or lists of them");
    return `${this.helper("$list")}(${code})`;
  }

  formatted({ value, format }) {
    if (!format) return this.text(value);
    const [all, digits, letter] = FORMAT.exec(format) ?? [];
    if (!all) this.refuse(value, `the format ${format} is not available here`, "write {x:.3f}, {x:.3g} or {x:.2e}");
    return `${this.helper("$format")}(${this.number(value)[0]}, ${digits ?? 6}, "${letter}")`;
  }

  print(node) {
    if (node.keywords.length) this.refuse(node, `print with ${last(node.keywords).arg}= is not available here`, "write print(a, b)");
    return `${this.helper("$print")}(${node.args.map((part) => this.text(part)).join(", ")});`;
  }

  helper(name) {
    this.module.helpers.add(name);
    return name;
  }
}
