// Modules: what each defines and imports, checked and translated as a whole.

import { Expressions, arrayOf } from "./expressions.js";
import { FunctionTranslator } from "./functions.js";
import { RecordKind, Signature, readAnnotation } from "./kinds.js";
import { parse } from "./parser.js";
import { Place, asciiText } from "./refusing.js";
import { CHECKED, CONSTANTS, ELEMENT, NOT_IN_THE_PAGE, PRELUDE, PRIMITIVES, SIMPLE } from "./rules.js";
import { isText, namesIn, own } from "./tree.js";

const AT_HAND = "lib.portable.primitives";
const helpersOf = (text) => [...text.matchAll(/^const (\$\w+)/gm)].map((found) => found[1]).join(", ");
const NAMES = { plain: helpersOf(PRELUDE), checked: helpersOf(PRELUDE + CHECKED) };

export class Module {
  // own: names that it defines or passes on; values: name -> [JavaScript, kind] of constants and functions; watched:
  // functions of other modules, of which a reader is told the line that called them; imports: modules that it takes from;
  // recorded: "file.json#key" -> numbers that it takes from a record;
  // known: Map name -> Module, of what is translated already; load: name -> Module or undefined, adds to known;
  // read: "file.json#key" -> numbers or undefined;
  // exported: of a reader's run, what the page asks it for -> the function that it stands for
  constructor(name, source, file, { known, load, read, checked = false, exported = null, before = "", tree = null }) {
    Object.assign(this, { name, known, load, read, checked, place: new Place(file) });
    Object.assign(this, { kinds: new Map(), values: new Map(), primitives: new Map(), wholeNumbers: new Map(), numbers: new Map() });
    Object.assign(this, { watched: new Set(), own: [], offered: [], imports: new Set(), recorded: {} });
    const body = [...parse(before, file), ...(tree ?? parse(source, file))];
    const [lines, origins] = [[], []];
    const keep = (text, from) => {
      lines.push(text);
      origins.push(...[from].flat());
    };
    const [functions, constants] = [[], []];
    const imports = body.filter((node) => node.type === "ImportFrom");
    for (const node of [...imports, ...body.filter((other) => other.type !== "ImportFrom")]) {
      if (node.type === "ImportFrom") this.import(node).forEach((line) => keep(line, node.line));
      else if (node.type === "ClassDef") this.record(node);
      else if (node.type === "FunctionDef") functions.push(node);
      else if (node.type === "Assign" || node.type === "AnnAssign") {
        if (!this.alias(node)) constants.push(node);
      } else if (!isText(node)) this.place.unknown(node.type, node);
    }
    const signatures = functions.map((node) => this.signature(node));
    refuseEarly(body, [...body.filter((node) => node.type === "ClassDef"), ...constants], this.place);
    for (const node of constants) keep(this.constant(node), node.line);
    if (checked && exported) this.watched = new Set([...this.values.keys()].filter((other) => !this.own.includes(other)));
    functions.forEach((node, i) => {
      const made = new FunctionTranslator(this, node, signatures[i], checked).translate();
      keep(made.text, made.origins);
    });
    this.own.push(...this.offered.filter((other) => this.values.has(other) && !this.own.includes(other)));
    const shown = new Map(this.own.map((other) => [other, other]));
    for (const [as, from] of Object.entries(exported ?? {})) shown.set(as, from);
    if (this.watched.size) {
      lines.unshift("const $place = { at: null };");
      origins.unshift(0);
      for (const [as, from] of Object.entries(exported ?? {})) {
        if (this.own.includes(from)) shown.set(as, `$told(${from}, ${asciiText(file)}, $place)`);
      }
    }
    const given = [...shown].map(([as, from]) => (as === from ? as : `${as}: ${from}`)).join(", ");
    const names = checked ? NAMES.checked : NAMES.plain;
    this.javascript = factory([`const {${names}} = portable.$;`, ...lines, `return {${given}};`]);
    this.origins = [0, 0, 0, ...origins, 0, 0]; // the Python line of each line of `javascript`, 0 for none
  }

  import(node) {
    const source = node.module;
    if (node.level) this.place.refuse(node, "a relative import", "write the whole name: from lib.portable.numbers import exp");
    if (NOT_IN_THE_PAGE.includes(source)) return [];
    const taken = [];
    for (const { name, asname } of node.names) {
      if (asname && [AT_HAND, "lib.errors"].includes(source)) {
        this.place.refuse(node, `${name} under another name is not portable`, "use the name itself");
      }
      if (source === "lib.errors" && name === "require") this.primitives.set("require", { ways: [], code: "" });
      else if (source === AT_HAND && own(PRIMITIVES, name)) this.primitives.set(name, PRIMITIVES[name]);
      else if (source === AT_HAND && own(CONSTANTS, name)) {
        this.values.set(name, CONSTANTS[name]);
        this.numbers.set(name, CONSTANTS[name]);
      }
      else if (source === AT_HAND || source === "lib.errors") this.ignored(node, source, name);
      else taken.push(...this.take(node, source, name, asname ?? name));
    }
    return taken.length ? [`const {${taken.join(", ")}} = portable["${source}"];`] : [];
  }

  ignored(node, source, name) {
    if (source === AT_HAND && SIMPLE.includes(name)) return;
    const has = source === AT_HAND ? Object.keys(PRIMITIVES).join(", ") : "require";
    this.place.refuse(node, `${source} has no portable ${name}`, `it has ${has}`);
  }

  // A name of another portable module, called `here`; what the page has to fetch from there.
  take(node, source, name, here) {
    if (!this.known.has(source)) {
      if (!/^(lib|hal)\./.test(source)) this.place.refuse(node, `${source} is not portable`, "write what you need of it in portable Python");
      if (!this.load(source)) this.place.refuse(node, `no module ${source} is at hand`, "import from lib.portable or from this chapter's own modules");
    }
    this.imports.add(source);
    const other = this.known.get(source);
    if (other.kinds.has(name)) {
      this.kinds.set(this.place.name(node, here), other.kinds.get(name));
      return [];
    }
    if (!other.own.includes(name)) this.place.refuse(node, `${source} has no portable ${name}`, `it has ${other.own.join(", ")}`);
    this.values.set(this.place.name(node, here), [here, other.values.get(name)[1]]);
    if (other.wholeNumbers.has(name)) this.wholeNumbers.set(here, other.wholeNumbers.get(name));
    if (other.numbers.has(name)) this.numbers.set(here, other.numbers.get(name));
    return [name === here ? name : `${name}: ${here}`];
  }

  kind(node, annotation, what) {
    const kind = readAnnotation(annotation, this.kinds);
    if (kind === null) {
      const remedy = "write float, int, bool, Vector, Wholes, Matrix, Table, Readings, a record or None";
      this.place.refuse(node, `${what} needs a kind that the page has, here it has ${annotation ? annotation.text : "nothing"}`, remedy);
    }
    return kind;
  }

  signature(node) {
    if (node.decorators.length) this.place.refuse(node, "decorators are not portable", "leave it out");
    if (node.args.unusual) {
      this.place.refuse(node, "defaults and starred parameters are not portable", "name every parameter, without a default");
    }
    const twice = node.args.args.find((arg, i) => node.args.args.findIndex((other) => other.arg === arg.arg) < i);
    if (twice) this.place.refuse(twice, `the parameter ${twice.arg} stands twice`, "choose another name");
    const kinds = node.args.args.map((arg) => this.kind(arg, arg.annotation, `parameter ${arg.arg}`));
    const names = node.args.args.map(({ arg }) => arg);
    const signature = new Signature(kinds, this.kind(node, node.returns, "the result"), names);
    this.define(node, node.name, signature);
    return signature;
  }

  define(node, name, kind) {
    if (this.values.has(name) || this.kinds.has(name) || this.primitives.has(name)) this.place.refuse(node, `${name} is defined twice`, "choose another name");
    this.values.set(this.place.name(node, name), [name, kind]);
    this.own.push(name);
  }

  record(node) {
    const marks = [...node.decorators, ...node.bases].map((part) => part.text);
    if (marks.length !== 1 || !["dataclass", "NamedTuple"].includes(marks[0]) || node.keywords.length) {
      this.place.refuse(node, "classes are not portable", "use @dataclass or NamedTuple, with fields alone");
    }
    const fields = new Map();
    const defaults = new Map();
    for (const line of node.body) {
      if (line.type === "AnnAssign" && line.target.type === "Name") {
        const name = this.place.name(line, line.target.id);
        if (!line.value && [...defaults.values()].some(Boolean)) {
          this.place.refuse(line, `${name} has no default and stands below a field that has one`, "give it one, or move it up");
        }
        fields.set(name, this.kind(line, line.annotation, `the field ${name}`));
        defaults.set(name, line.value);
      } else if (!isText(line)) this.place.refuse(line, "a record has fields alone", "write a function of the module");
    }
    this.kinds.set(this.place.name(node, node.name), new RecordKind(node.name, fields, marks[0] === "NamedTuple", defaults, this));
  }

  // Take in a type variable or the name of a kind; false if the line is something else.
  alias(node) {
    if (node.type !== "Assign" || node.targets.length !== 1 || node.targets[0].type !== "Name") return false;
    const [target] = node.targets;
    const { value } = node;
    if (target.id === "__all__" && value.type === "List") {
      this.offered = value.elts.filter((name) => name.type === "Constant").map((name) => String(name.value));
      return true;
    }
    if (value.type === "Call" && value.func.type === "Name" && value.func.id === "TypeVar") {
      this.kinds.set(target.id, `~${target.id}`);
      return true;
    }
    const kind = value.type === "Subscript" ? readAnnotation(value, this.kinds) : null;
    if (kind !== null) this.kinds.set(target.id, kind);
    return kind !== null;
  }

  // [JavaScript, kind] of a number that is written out, perhaps with a sign, or a constant that is one; else undefined.
  numberOf(node) {
    if (node.type === "Name") return this.numbers.get(node.id);
    const written = node.type === "UnaryOp" && node.op === "USub" ? node.operand : node;
    const plain = written.type === "Constant" && ["int", "float", "bool"].includes(written.kind);
    return plain ? new Expressions(this, false).expression(node) : undefined;
  }

  // [JavaScript, kind] of recorded(Vector, "file.json", "key"); undefined of all else.
  numbersOf(node) {
    if (node.type !== "Call" || node.func.id !== "recorded" || !this.primitives.has("recorded")) return undefined;
    const [first, ...named] = node.args;
    const kind = named.length === 2 && named.every((part) => part.kind === "str") ? readAnnotation(first, new Map()) : null;
    if (!own(ELEMENT, kind) || node.keywords.length) this.place.refuse(node, "recorded with something else", 'write recorded(Vector, "file.json", "key")');
    const [file, key] = named.map(({ value }) => value);
    const numbers = this.read(`${file}#${key}`);
    if (numbers === undefined) this.place.refuse(node, `${file} has no ${key}, or is not at hand`, "record it");
    const code = arrayOf(numbers, kind);
    if (code === null) this.place.refuse(node, `${key} of ${file} is no ${kind}`, "record it as one");
    this.recorded[`${file}#${key}`] = numbers;
    return [code, kind];
  }

  constant(node) {
    const target = node.type === "AnnAssign" ? node.target : node.targets[0];
    if (target.type !== "Name" || !node.value) this.place.refuse(node, "a module defines names", "assign to one name");
    const made = new Expressions(this, this.checked);
    const [code, kind] = this.numbersOf(node.value) ?? made.expression(node.value);
    this.define(node, target.id, kind);
    const known = made.knownWhole(node.value);
    if (known !== null) this.wholeNumbers.set(target.id, known);
    const number = this.numberOf(node.value);
    if (number) this.numbers.set(target.id, number);
    return `const ${target.id} = ${code};`;
  }
}

// Refuse a constant, or a record with a default, that needs what is defined below it, also through functions that it calls.
function refuseEarly(body, constants, place) {
  const where = new Map();
  body.forEach((node, i) => definedBy(node).forEach((name) => where.set(name, i)));
  for (const constant of constants) {
    const at = body.indexOf(constant);
    const seen = new Set();
    const waiting = usedBy(constant);
    while (waiting.length) {
      const name = waiting.shift();
      if (seen.has(name) || !where.has(name)) continue;
      seen.add(name);
      if (where.get(name) > at) place.refuse(constant, `${name} is defined below, so Python has none yet`, `move it below ${name}`);
      waiting.push(...usedBy(body[where.get(name)]));
    }
  }
}

function definedBy(node) {
  if (node.type === "ImportFrom") return node.names.map(({ name, asname }) => asname ?? name);
  if (node.type === "FunctionDef" || node.type === "ClassDef") return [node.name];
  const targets = node.type === "Assign" ? node.targets : node.type === "AnnAssign" ? [node.target] : [];
  return targets.filter((target) => target.type === "Name").map((target) => target.id);
}

// The names of the module that are looked up when a line runs, in the order of letters: of a function, when it is called.
function usedBy(node) {
  const lines = node.type === "FunctionDef" ? node.body : node.type === "ClassDef" ? node.body.map((line) => line.value) : [node.value];
  const mine = new Set(namesIn(lines, "Store"));
  if (node.type === "FunctionDef") node.args.args.forEach((arg) => mine.add(arg.arg));
  return [...new Set(namesIn(lines))].filter((name) => !mine.has(name)).sort();
}

const factory = (body) => ["function (portable) {", '"use strict";', ...body, "}"].join("\n");

// What every module of a program calls, a JavaScript function as text.
export const atHand = (checked) => factory([checked ? PRELUDE + CHECKED : PRELUDE, `return {${checked ? NAMES.checked : NAMES.plain}};`]);

// Translate a module and, before it, those that it imports.
// read: name -> Python text, "file.json#key" -> numbers of a record; or undefined. Gives {known, parts}; parts: name -> a JavaScript function, as text, of all
// modules before it, and what every module calls as "$".
export function translate(root, read, { checked = false, known = new Map(), exported = null, before = "" } = {}) {
  function load(name) {
    if (known.has(name)) return known.get(name);
    const source = read(name);
    if (source === undefined) return undefined;
    const file = `${name.replace(/\./g, "/")}.py`;
    const more = name === root ? { exported, before } : {};
    const made = new Module(name, source, file, { known, load, read, checked, ...more });
    known.set(name, made);
    return made;
  }
  load(root);
  const texts = [...known].map(([name, module]) => [name, module.javascript]);
  return { known, parts: { $: atHand(checked), ...Object.fromEntries(texts) } };
}
