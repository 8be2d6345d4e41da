// Functions: statement by statement into JavaScript, with what has a value where, or refused;
// beside the text the Python line of every line is kept, for errors of a run.

import { Expressions, SIGNS } from "./expressions.js";
import { NUMBERS, RecordKind, Signature, fits, words } from "./kinds.js";
import { asciiText } from "./refusing.js";
import { anyPart, calls, isText, namesIn, own } from "./tree.js";

const IN_A_PLACE = ["Subscript", "Attribute"];

export class FunctionTranslator extends Expressions {
  constructor(module, node, signature, checked) {
    super(module, checked);
    Object.assign(this, { node, result: signature.result, openLoops: [], loops: 0, lines: [], origins: [], temporaries: 0 });
    this.now = node.line; // the Python line that is translated
    this.parameters = node.args.args.map((arg) => module.place.name(arg, arg.arg));
    this.parameters.forEach((name, i) => {
      this.locals.set(name, signature.parameters[i]);
      this.assigned.add(name);
    });
    for (const name of [...this.parameters, ...namesIn(node.body, "Store")]) this.stored.set(name, (this.stored.get(name) ?? 0) + 1);
  }

  // {text, origins}: the JavaScript of the whole function, and the Python line of each of its lines.
  translate() {
    const ends = !this.block(this.node.body, 1);
    if (!ends && this.result !== "None") this.refuse(this.node, `${this.node.name} may end without a result`, "return one on every way");
    const names = [...this.locals.keys()].filter((name) => !this.parameters.includes(name));
    const head = [`function ${this.node.name}(${this.parameters.join(", ")}) {`, ...(names.length ? [`  let ${names.join(", ")};`] : [])];
    const origins = [...head.map(() => this.node.line), ...this.origins, this.node.line];
    return { text: [...head, ...this.lines, "}"].join("\n"), origins };
  }

  // Translate statements; false if nothing after them can be reached.
  block(statements, depth) {
    let goesOn = true;
    for (const statement of statements) {
      if (!goesOn) this.refuse(statement, "this line is never reached", "leave it out");
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
    if (value.type !== "Call") this.refuse(node, "a line that does nothing", "leave it out");
    if (value.func.type === "Name" && value.func.id === "require" && this.module.primitives.has("require")) {
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
    if (node.value === null) {
      if (this.result !== "None") this.refuse(node, `the result is ${words(this.result)}, here it is nothing`, "return it");
      this.say(depth, "return;");
    } else this.say(depth, `return ${this.wanted(node.value, this.result, "the result")};`);
    return false;
  }

  doBreak(node, depth) {
    return this.leave(node, depth, "break");
  }

  doContinue(node, depth) {
    return this.leave(node, depth, "continue");
  }

  leave(node, depth, word) {
    if (!this.loops) this.refuse(node, `${word} stands outside a loop`, "leave it out");
    this.say(depth, `${word};`);
    return false;
  }

  doAssign(node, depth) {
    if (node.targets.length > 1) this.refuse(node, "two targets in one assignment", "write one line for each");
    const [target] = node.targets;
    const [value, kind] = this.expression(node.value);
    let code = value;
    if (target.type === "Tuple") {
      const names = target.elts.filter((part) => part.type === "Name").map((part) => part.id);
      if (!Array.isArray(kind) || names.length !== target.elts.length || names.length !== kind.length) {
        this.refuse(node, `unpacking ${words(kind)} into something else`, "unpack a tuple into as many names");
      }
      if (new Set(names).size < names.length) this.refuse(node, "the same name twice", "give each its own");
      names.forEach((name, i) => this.nameGets(target, name, kind[i]));
      this.unpack(names, node.value, code, depth);
      return;
    }
    if ((calls(node.value) || calls(target)) && target.type !== "Name") {
      // Python computes the value before it looks for the place, JavaScript after
      this.temporaries += 1;
      this.say(depth, `const $value${this.temporaries} = ${code};`);
      code = `$value${this.temporaries}`;
    }
    this.say(depth, `${this.target(target, kind)} = ${this.kept(target, code)};`);
    const known = this.knownWhole(node.value);
    if (target.type === "Name" && this.stored.get(target.id) === 1 && known !== null) this.fixed.set(target.id, known);
  }

  // Several names get the parts of a tuple; one by one where no part needs what a name was before.
  unpack(names, value, code, depth) {
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
    if (node.target.type !== "Name" || node.value === null) this.refuse(node, "an annotation without a value", "give it one");
    this.doAssign({ type: "Assign", line: node.line, targets: [node.target], value: node.value }, depth);
  }

  doAugAssign(node, depth) {
    if (node.target.type !== "Name" && calls(node.target)) {
      this.refuse(node, "a call in the place that changes", "give the index or array a name first");
    }
    const [, old] = this.expression(node.target);
    const [result, kind] = this.arithmetic(node, node.target, node.op, node.value);
    if (!fits(old, kind)) this.refuse(node, `${words(old)} becomes ${words(kind)}`, "begin with a decimal point: 0.0");
    const [target, sign] = [this.target(node.target, kind), own(SIGNS, node.op)];
    if (this.checked || !(kind === "float" || sign === "+" || sign === "-")) {
      this.say(depth, `${target} = ${this.kept(node.target, result)};`);
    } else this.say(depth, `${target} ${sign}= ${this.expression(node.value)[0]};`); // the place is looked up once
  }

  kept(target, code) {
    if (!this.checked || target.type !== "Subscript") return code;
    return `$fit(${this.expression(target.value)[0]}, ${code}, ${this.module.place.said(target)})`;
  }

  // JavaScript of what is assigned to, after its kind has been compared.
  target(node, kind) {
    if (node.type === "Name") return this.nameGets(node, node.id, kind);
    if (!IN_A_PLACE.includes(node.type)) this.module.place.unknown(node.type, node);
    const [code, holds] = this.expression(node);
    if (!fits(holds, kind)) this.refuse(node, `this place holds ${words(holds)}, here it gets ${words(kind)}`, "give it that");
    let root = node;
    while (IN_A_PLACE.includes(root.type)) root = root.value;
    if (root.type === "Name" && !this.locals.has(root.id)) this.refuse(node, `${root.id} belongs to the module`, "keep what changes in a record");
    if (node.type === "Attribute") {
      const [, holder] = this.expression(node.value);
      if (holder instanceof RecordKind && holder.frozen) this.refuse(node, `${holder.name} stays as it was made`, "use a dataclass for what changes");
    }
    return code;
  }

  nameGets(node, name, kind) {
    this.module.place.name(node, name);
    if (this.loopNames.has(name)) this.refuse(node, `${name} is the variable of a loop`, "choose another name");
    if (kind === "None") this.refuse(node, "this call has no result", "write it on a line of its own");
    if (kind instanceof Signature) this.refuse(node, "a function cannot be assigned", "hand it over as an argument");
    if (!this.locals.has(name)) this.locals.set(name, kind);
    const known = this.locals.get(name);
    if (!fits(known, kind)) {
      const mixed = NUMBERS.includes(known) && NUMBERS.includes(kind);
      this.refuse(node, `${name} is ${words(known)}, here it becomes ${words(kind)}`, mixed ? "write a decimal point" : "choose another name");
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
    if (node.orelse.length) this.refuse(node.orelse[0], "else after a loop is not portable", "keep in a variable how the loop ended");
  }

  doFor(node, depth) {
    this.refuseElse(node);
    const call = node.iter;
    if (call.type !== "Call" || call.func.type !== "Name" || call.func.id !== "range") {
      this.refuse(node, "a loop over something else than range", "write for i in range(len(values))");
    }
    if (node.target.type !== "Name") this.refuse(node, "a loop with two variables", "write for i in range(n)");
    const name = this.module.place.name(node, node.target.id);
    if (this.openLoops.includes(name) || (this.locals.has(name) && !this.loopNames.has(name))) {
      this.refuse(node, `${name} has another meaning around this loop`, "choose another name");
    }
    const { args } = call;
    if (call.keywords.length || args.length < 1 || args.length > 3) {
      this.refuse(node, "range with something else", "write range(stop), range(start, stop) or with a step");
    }
    const stop = this.wanted(args[args.length < 2 ? 0 : 1], "int", "a bound");
    const start = args.length > 1 ? this.wanted(args[0], "int", "a bound") : "0";
    const step = args.length > 2 ? writtenStep(args[2]) : 1n;
    if (step === 0n) this.refuse(node, "the step of a range must be written out", "write a whole number, not 0");
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

  body(body, depth) {
    const before = new Set(this.assigned);
    this.loops += 1;
    this.block(body, depth + 1);
    this.loops -= 1;
    this.assigned = before; // perhaps the loop never ran
    this.say(depth, "}");
  }
}

// The step of a range, where it is written out as a whole number with or without a sign; else 0.
function writtenStep(node) {
  const signed = node.type === "UnaryOp" && ["USub", "UAdd"].includes(node.op);
  const literal = signed ? node.operand : node;
  if (literal.type !== "Constant" || literal.kind !== "int") return 0n;
  return signed && node.op === "USub" ? -literal.value : literal.value;
}
