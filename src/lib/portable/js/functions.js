// Functions: statement by statement into JavaScript, with what has a value where, or refused;
// beside the text the Python line of every line is kept, for errors of a run.

import { Expressions, SIGNS } from "./expressions.js";
import { NUMBERS, RecordKind, Signature, fits, meets, words } from "./kinds.js";
import { FRACTIONS, joined } from "./ordinary.js";
import { asciiText } from "./refusing.js";
import { anyPart, isText, namesIn, own } from "./tree.js";

const IN_A_PLACE = ["Subscript", "Attribute"];

export class FunctionTranslator extends Expressions {
  constructor(module, node, signature, checked) {
    super(module, checked);
    Object.assign(this, { node, signature, result: signature.result, openLoops: [], loops: 0, lines: [], origins: [] });
    this.now = node.line; // the Python line that is translated
    this.parameters = signature.names;
    this.parameters.forEach((name, i) => {
      this.locals.set(name, signature.parameters[i]);
      this.assigned.add(name);
    });
    for (const name of [...this.parameters, ...namesIn(node.body, "Store")]) this.stored.set(name, (this.stored.get(name) ?? 0) + 1);
  }

  // {text, origins}: the JavaScript of the whole function, and the Python line of each of its lines.
  translate() {
    const ends = !this.block(this.node.body, 1);
    if (!ends && this.result !== "None" && this.result !== undefined) this.refuse(this.node, `${this.node.name} may end without a result`, "return one after the if as well");
    this.signature.result = this.result ?? "None";
    const names = [...this.locals.keys()].filter((name) => !this.parameters.includes(name));
    const given = this.parameters.map((name) => (this.signature.defaults.has(name) ? `${name} = ${this.signature.defaults.get(name)}` : name));
    const head = [`function ${this.node.name}(${given.join(", ")}) {`, ...(names.length ? [`  let ${names.join(", ")};`] : [])];
    const origins = [...head.map(() => this.node.line), ...this.origins, this.node.line];
    return { text: [...head, ...this.lines, "}"].join("\n"), origins };
  }

  // Translate statements; false if nothing after them can be reached.
  block(statements, depth) {
    let goesOn = true;
    for (const statement of statements) {
      if (!goesOn) break; // never reached, in Python neither
      const method = this[`do${statement.type}`];
      if (!method) this.module.place.unknown(statement.type, statement);
      this.now = statement.line;
      goesOn = method.call(this, statement, depth) !== false;
    }
    return goesOn;
  }

  say(depth, line) {
    this.lines.push("  ".repeat(depth) + line);
    this.origins.push(this.now);
  }

  doPass() {}

  doExpr(node, depth) {
    const { value } = node;
    if (isText(node)) return;
    if (value.type !== "Call") this.refuse(node, "this line does nothing", "leave it out, or write x = ...");
    if (this.isBuiltin(value, "print")) this.say(depth, this.print(value));
    else if (value.func.type === "Name" && value.func.id === "require" && this.module.primitives.has("require")) {
      this.say(depth, this.requirement(value));
    } else this.say(depth, `${this.expression(value)[0]};`);
  }

  requirement(node) {
    const [condition, argument, expected, got] = node.args;
    const text = (part) => part.type === "Constant" && part.kind === "str";
    if (node.args.length !== 4 || !text(argument) || !text(expected)) {
      this.refuse(node, "require with something else", "write require(condition, 'name', 'expected', number)");
    }
    const said = `${asciiText(argument.value)}, ${asciiText(expected.value)}`;
    return `$require(${this.condition(condition)}, ${said}, ${this.number(got)[0]});`;
  }

  doReturn(node, depth) {
    const given = node.value ? this.expression(node.value) : ["", "None"];
    if (this.result === undefined) this.result = this.module.wide(`the result of ${this.node.name}`, given[1]);
    if (!node.value && this.result !== "None") this.refuse(node, `the result must be ${words(this.result)}, and this returns nothing`, "return it");
    else if (!node.value) this.say(depth, "return;");
    else this.say(depth, `return ${this.given(node.value, given, this.result, "the result", `the result of ${this.node.name}`)};`);
    return false;
  }

  doContinue = this.doBreak;

  doBreak(node, depth) {
    const word = node.type.toLowerCase();
    if (!this.loops) this.refuse(node, `${word} stands outside a loop`, "leave it out");
    this.say(depth, `${word};`);
    return false;
  }

  doAssign(node, depth) {
    const [target, ...others] = node.targets;
    const [value, found] = this.expression(node.value);
    let [code, kind] = [value, found];
    if (others.length && !(NUMBERS.includes(kind) && node.targets.every((one) => one.type === "Name"))) this.refuse(node, "several names for one list", "write a line for each");
    if (target.type === "Tuple") {
      const parts = target.elts.filter((part) => part.type !== "Starred");
      if (!Array.isArray(kind) || parts.length !== target.elts.length || parts.length !== kind.length) {
        this.refuse(node, `${words(kind)} cannot be taken apart into ${target.elts.length} names`, "write as many names as there are values; of a list a = values[0], b = values[1]");
      }
      this.unpack(target, node.value, code, kind, depth);
      return;
    }
    if (kind === "Wholes" && target.type === "Name" && this.module.widened.has(`${this.node.name}.${target.id} has fractions`)) [code, kind] = [`Float64Array.from(${code})`, "Vector"];
    if ((this.runs(node.value) || this.runs(target)) && target.type !== "Name") {
      // Python computes the value before it looks for the place, JavaScript after
      this.temporaries += 1;
      this.say(depth, `const $value${this.temporaries} = ${code};`);
      code = `$value${this.temporaries}`;
    }
    this.say(depth, `${this.target(target, kind)} = ${this.kept(target, code)};`);
    if (this.mayBeWhole(node.value, found)) this.mixes(target);
    const known = this.knownWhole(node.value);
    if (target.type === "Name" && this.stored.get(target.id) === 1 && known !== null) this.fixed.set(target.id, known);
    for (const other of others) this.say(depth, `${this.target(other, kind)} = ${target.id};`);
  }

  // Several places get the parts of a tuple; names one by one where no part needs what a name was before.
  unpack(target, value, code, kinds, depth) {
    const names = target.elts.filter((part) => part.type === "Name").map((part) => part.id);
    if (new Set(names).size < names.length) this.refuse(target, "the same name twice", "give each its own");
    if (names.length < target.elts.length) {
      this.temporaries += 1;
      const held = `$value${this.temporaries}`;
      this.say(depth, `const ${held} = ${code};`);
      target.elts.forEach((part, i) => this.say(depth, `${this.target(part, kinds[i])} = ${this.kept(part, `${held}[${i}]`)};`));
      return;
    }
    names.forEach((name, i) => this.nameGets(target, name, kinds[i]));
    const used = namesIn(value);
    if (value.type === "Tuple" && used.some((name) => names.includes(name))) {
      this.say(depth, `[${names.join(", ")}] = ${code};`);
      return;
    }
    let parts;
    if (value.type === "Tuple") parts = value.elts.map((part) => this.expression(part)[0]);
    else {
      this.temporaries += 1;
      this.say(depth, `const $value${this.temporaries} = ${code};`);
      parts = names.map((_, i) => `$value${this.temporaries}[${i}]`);
    }
    names.forEach((name, i) => this.say(depth, `${name} = ${parts[i]};`));
  }

  doAnnAssign(node, depth) {
    if (node.target.type !== "Name" || node.value === null) this.refuse(node, "a type hint without a value", "give it one: x: float = 0.0");
    this.doAssign({ type: "Assign", line: node.line, targets: [node.target], value: node.value }, depth);
  }

  doAugAssign(node, depth) {
    if (node.target.type !== "Name" && this.runs(node.target)) this.refuse(node, "the place that changes needs a function call", "give its result a name on the line before");
    const [result, kind] = this.arithmetic(node, node.target, node.op, node.value);
    const [target, sign] = [this.target(node.target, kind), own(SIGNS, node.op)];
    if (this.checked || !sign || !(kind === "float" || sign === "+" || sign === "-")) {
      this.say(depth, `${target} = ${this.kept(node.target, result)};`);
    } else this.say(depth, `${target} ${sign}= ${this.expression(node.value)[0]};`); // the place is looked up once
  }

  kept(target, code) {
    if (!this.checked || target.type !== "Subscript") return code;
    return `$fit(${this.expression(target.value)[0]}, ${code}, ${this.module.place.said(target)})`;
  }

  // A name, a field or a list gets what may be a whole number; if it is for fractions, it now holds both.
  mixes(node) {
    if (node.type === "Subscript") this.mixes(node.value);
    else if (FRACTIONS.includes(node.type === "Name" ? this.locals.get(node.id) : this.expression(node)[1])) this.module.mix(this.keyOf(node));
  }

  // JavaScript of what is assigned to, after its kind has been compared.
  target(node, kind) {
    if (node.type === "Name") return this.nameGets(node, node.id, kind);
    if (!IN_A_PLACE.includes(node.type)) this.module.place.unknown(node.type, node);
    if (node.type === "Subscript" && node.slice.type === "Slice") this.refuse(node, "a part of a list cannot be set at once here", "set its entries in a loop");
    const [code, holds] = this.expression(node);
    if (!fits(holds, kind) && !meets(holds, kind)) {
      if (holds === "int" && kind === "float") this.holdsFractions(node);
      const list = node.type === "Subscript" && holds === "int";
      this.refuse(node, `this ${list ? "list" : "place"} holds ${list ? "whole numbers" : words(holds)}, and this is ${words(kind)}`, list ? "begin it with 0.0, as in [0.0] * n or zeros(n)" : "give it that");
    }
    let root = node;
    while (IN_A_PLACE.includes(root.type)) root = root.value;
    if (root.type === "Name" && !this.locals.has(root.id)) this.refuse(node, `${root.id} belongs to the whole module`, "keep what changes in a field of State");
    if (node.type === "Attribute") {
      const [, holder] = this.expression(node.value);
      if (holder instanceof RecordKind && holder.frozen) this.refuse(node, `${holder.name} stays as it was made, since it is a NamedTuple`, "keep what changes in a @dataclass, such as State");
    }
    return code;
  }

  // A place that was said to hold whole numbers gets another: what can be, is translated anew.
  holdsFractions({ type, value, attr }) {
    if (type === "Attribute") {
      const [, holder] = this.expression(value);
      this.module.widen(`${holder.name}.${attr}`);
    } else if (value.type === "Name" && this.locals.has(value.id) && !this.parameters.includes(value.id)) {
      this.module.widen(`${this.node.name}.${value.id} has fractions`);
    }
  }

  nameGets(node, name, kind) {
    const key = `${this.node.name}.${name}`;
    if (this.loopNames.has(name)) this.free(name);
    if (kind === "None") this.refuse(node, "this call has no result", "let the function return something");
    if (kind instanceof Signature) this.refuse(node, "a function cannot be assigned", "hand it over as an argument");
    if (!this.locals.has(name)) this.locals.set(name, this.module.wide(key, kind));
    const known = this.locals.get(name);
    if (!fits(known, kind) && !meets(known, kind)) {
      if (joined(known, kind)) this.module.widen(key);
      this.refuse(node, `${name} is ${words(known)}, here it becomes ${words(kind)}`, "choose another name");
    }
    this.assigned.add(name);
    return name;
  }

  doIf(node, depth) {
    this.say(depth, `if (${this.condition(node.test)}) {`);
    const before = new Set(this.assigned);
    const yes = this.block(node.body, depth + 1);
    const afterYes = this.assigned;
    this.assigned = before;
    let no = true;
    if (node.orelse.length) {
      this.say(depth, "} else {");
      this.assigned = new Set(before);
      no = this.block(node.orelse, depth + 1);
    }
    this.say(depth, "}");
    if (yes && no) this.assigned = new Set([...afterYes].filter((name) => this.assigned.has(name)));
    else if (yes) this.assigned = afterYes;
    else if (!no) this.assigned = before;
    return yes || no;
  }

  doWhile(node, depth) {
    this.refuseElse(node);
    this.say(depth, `while (${this.condition(node.test)}) {`);
    this.body(node.body, depth);
    const endless = node.test.type === "Constant" && node.test.value === true;
    return !endless || anyPart(node.body, (part) => part.type === "Break");
  }

  refuseElse(node) {
    if (node.orelse.length) this.refuse(node.orelse[0], "else after a loop is not available here", "keep in a variable how it ended");
  }

  doFor(node, depth) {
    this.refuseElse(node);
    const call = node.iter;
    const name = node.target.id;
    const { args } = call;
    const free = this.module.widened.has(`${this.node.name}.${name} is free`);
    const step = args?.[2] ? this.knownWhole(args[2]) : 1n;
    if (free || !step || !name || !this.isBuiltin(call, "range") || call.keywords.length || args.length < 1) return this.doForEach(node, depth);
    if (this.openLoops.includes(name) || (this.locals.has(name) && !this.loopNames.has(name))) this.free(name);
    const stop = this.wanted(args[args.length < 2 ? 0 : 1], "int", "a bound");
    const start = args.length > 1 ? this.wanted(args[0], "int", "a bound") : "0";
    this.temporaries += 1;
    const end = `$end${this.temporaries}`;
    const moves = step > 0n ? `${name} += ${step}` : `${name} -= ${-step}`;
    this.say(depth, `for (let ${name} = ${start}, ${end} = ${stop}; ${name} ${step > 0n ? "<" : ">"} ${end}; ${moves}) {`);
    this.loopNames.add(name);
    this.openLoops.push(name);
    this.locals.set(name, "int");
    this.assigned.add(name);
    this.body(node.body, depth);
    this.openLoops.pop();
    this.locals.delete(name);
    this.assigned.delete(name);
  }

  // A loop over a list or several, or one whose variables are set elsewhere too.
  doForEach(node, depth) {
    const [head, names] = this.looped(node.target, node.iter);
    this.say(depth, head);
    const before = new Set(this.assigned);
    for (const [name, code, kind] of names) this.say(depth + 1, `${this.nameGets(node.target, name, kind)} = ${code};`);
    this.body(node.body, depth);
    this.assigned = before;
  }

  body(body, depth) {
    const before = new Set(this.assigned);
    this.loops += 1;
    this.block(body, depth + 1);
    this.loops -= 1;
    this.assigned = before; // perhaps the loop never ran
    this.say(depth, "}");
  }
}
