// Modules: what each defines and imports, checked and translated as a whole.

import { Expressions, arrayOf, floatText } from "./expressions.js";
import { FunctionTranslator } from "./functions.js";
import { RecordKind, Signature, readAnnotation } from "./kinds.js";
import { parse } from "./parser.js";
import { Place, asciiText } from "./refusing.js";
import { CHECKED, CONSTANTS, ELEMENT, HELPERS, NOT_IN_THE_PAGE, PRELUDE, PRIMITIVES, SIMPLE, SPACE, SPACES } from "./rules.js";
import { isText, namesIn, own, walk } from "./tree.js";

const BY_HAND = { dot: "write sum(x * y for x, y in zip(a, b))", norm: "write sqrt(sum(x * x for x in values))" };
const AT_HAND = "lib.portable.primitives";
const helpersOf = (text) => [...text.matchAll(/^const (\$\w+)/gm)].map((found) => found[1]).join(", ");
const HELPER = new Map([["$text", `const $text = ${floatText};`], ...HELPERS.split(/^(?=const )/m).map((text) => [helpersOf(text), text.trimEnd()])]);
const NAMES = { plain: helpersOf(PRELUDE), checked: helpersOf(PRELUDE + CHECKED) };

// Something that was taken for whole turned out not to be: the module is translated anew, and knows.
class Anew extends Error {}

export class Module {
  // own: names that it defines or passes on; values: name -> [JavaScript, kind] of constants and functions; watched:
  // functions of other modules, of which a reader is told the line that called them; imports: modules that it takes from;
  // recorded: "file.json#key" -> numbers that it takes from a record;
  // known: Map name -> Module, of what is translated already; load: name -> Module or undefined, adds to known;
  // read: "file.json#key" -> numbers or undefined;
  // exported: of a reader's run, what the page asks it for -> the function that it stands for
  constructor(name, source, file, { known, load, read, checked = false, exported = null, before = "", tree = null, book = "" }) {
    Object.assign(this, { name, known, load, read, checked, place: new Place(file), widened: new Set(), mixed: new Set(), book });
    const body = [...parse(before, file), ...(tree ?? parse(source, file))];
    this.prints = namesIn(body).includes("print");
    for (;;) {
      try {
        return this.make(body, exported, checked, file);
      } catch (error) {
        if (!(error instanceof Anew)) throw error;
      }
    }
  }

  make(body, exported, checked, file) {
    Object.assign(this, { body, helpers: new Set(), fetched: [], spaces: new Map(), functions: new Map() });
    Object.assign(this, { kinds: new Map(), values: new Map(), primitives: new Map(), wholeNumbers: new Map(), numbers: new Map() });
    Object.assign(this, { watched: new Set(), own: [], offered: [], imports: new Set(), recorded: {} });
    const [lines, origins] = [[], []];
    const keep = (text, from) => {
      lines.push(text);
      origins.push(...[from].flat());
    };
    const [functions, constants] = [[], []];
    const imports = body.filter((node) => node.type === "ImportFrom" || node.type === "Import");
    for (const node of [...imports, ...body.filter((other) => !imports.includes(other))]) {
      if (node.type === "Import") this.importWhole(node);
      else if (node.type === "ImportFrom") this.import(node).forEach((line) => keep(line, node.line));
      else if (node.type === "ClassDef") this.record(node);
      else if (node.type === "FunctionDef") functions.push(node);
      else if (node.type === "Assign" || node.type === "AnnAssign") {
        if (!this.alias(node)) constants.push(node);
      } else if (!isText(node)) this.place.refuse(node, "this line stands outside all functions", "put it into one, such as step");
    }
    for (const node of functions) this.signature(node);
    for (const node of [...body.filter((other) => other.type === "ClassDef"), ...constants]) this.refuseEarly(node);
    for (const node of constants) keep(this.constant(node), node.line);
    if (checked && exported) this.watched = new Set([...this.values.keys()].filter((other) => !this.own.includes(other)));
    this.completeAll();
    for (const { made } of this.functions.values()) if (made) keep(made.text, made.origins);
    for (const name of this.helpers) for (const other of HELPER.keys()) if (HELPER.get(name).includes(other)) this.helpers.add(other);
    const first = [...this.fetched, ...[...HELPER].filter(([name]) => this.helpers.has(name)).flatMap(([, text]) => text.split("\n"))];
    this.own.push(...this.offered.filter((other) => this.values.has(other) && !own(CONSTANTS, other) && !this.own.includes(other)));
    const shown = new Map(this.own.map((other) => [other, other]));
    for (const [as, from] of Object.entries(exported ?? {})) shown.set(as, from);
    if (this.watched.size) {
      first.push("const $place = { at: null };");
      for (const [as, from] of Object.entries(exported ?? {})) {
        if (this.own.includes(from)) shown.set(as, `$told(${from}, ${asciiText(file)}, $place)`);
      }
    }
    const given = [...shown].map(([as, from]) => (as === from ? as : `${as}: ${from}`)).join(", ");
    const names = checked ? NAMES.checked : NAMES.plain;
    this.javascript = factory([`const {${names}} = portable.$;`, ...first, ...lines, `return {${given}};`]);
    this.origins = [0, 0, 0, ...first.map(() => 0), ...origins, 0, 0]; // the Python line of each line of `javascript`, 0 for none
  }

  // import math, import numpy as np
  importWhole(node) {
    for (const { name, asname } of node.names) {
      if (!SPACES.includes(name)) this.refuseImport(node, name);
      this.spaces.set(asname ?? name, name);
    }
  }

  refuseImport(node, name) {
    const remedy = /^random|random$/.test(name) ? "write uniform(state.random), and above it from lib.portable.random_numbers import uniform" : name === "time" ? "count the steps: state.step" : "leave this line out, and what uses it";
    this.place.refuse(node, `${name} is not available here`, remedy);
  }

  // What a function or number of `lib.portable.ordinary` is called here; it is taken in when it is first used.
  ordinary(node, name) {
    const here = `$$${name}`;
    if (this.values.has(here) || this.primitives.has(here)) return here;
    const taken = this.importOne(node, SPACE, name, here);
    if (taken.length) this.fetched.push(`const {${taken}} = portable["${SPACE}"];`);
    return here;
  }

  // Whether a value that began as a whole number has turned out to be no such.
  wide(key, kind) {
    return kind === "int" && this.widened.has(key) ? "float" : kind;
  }

  widen(key) {
    if (this.widened.has(key)) return;
    this.widened.add(key);
    throw new Anew();
  }

  // What may hold a whole number where numbers with fractions stand. Only a line that prints it shows the difference.
  mix(key) {
    if (this.mixed.has(key) || !this.prints) return;
    this.mixed.add(key);
    throw new Anew();
  }

  // Functions whose hints are lacking are translated when a call, or what the page asks of them, tells the rest.
  complete(node, signature) {
    const one = [...this.functions.values()].find((other) => other.signature === signature);
    if (!one || one.made) return;
    if (one.begun) this.place.refuse(node, `${one.node.name} calls itself, so what it returns cannot be told`, `write -> float behind its brackets, in line ${one.node.line}`);
    one.begun = true;
    one.made = new FunctionTranslator(this, one.node, signature, this.checked).translate();
  }

  completeAll() {
    const all = () => this.functions.forEach(({ node, signature }) => signature.parameters.includes(undefined) || this.complete(node, signature));
    all();
    const state = () => this.functions.get("start")?.signature.result;
    for (const [name, kinds] of Object.entries({ start: [this.kinds.get("Settings"), "int"], step: [], done: [], steps_of: [this.kinds.get("Settings")], read: [], measure: [], parameters: [], gradient: [], count_step: [] })) {
      const parameters = this.functions.get(name)?.signature.parameters;
      parameters?.forEach((kind, i) => (parameters[i] ??= kinds[i] ?? (i ? undefined : state())));
      all();
    }
    for (const { node, made } of this.functions.values()) {
      const part = made === null && stray(node.body);
      if (part) this.place.refuse(part, `${part.type.toLowerCase()} stands outside a loop`, "leave it out");
    }
    this.own = this.own.filter((name) => this.functions.get(name)?.made !== null); // what nobody calls, nobody misses
  }

  // [name, line]: what a name that the book's text gave and this one does not may be called now.
  renamed(name, around) {
    const now = namesSet(this.body, around?.name);
    const book = namesSet(parse(this.book, ""), around?.name);
    return (book.has(name) && !now.has(name) && [...now].find(([one]) => !book.has(one))) || [];
  }

  import(node) {
    const source = SPACES.includes(node.module) ? SPACE : node.module;
    if (NOT_IN_THE_PAGE.includes(source)) return [];
    const taken = [];
    for (const { name, asname } of node.names) {
      if (asname && [AT_HAND, "lib.errors"].includes(source)) {
        this.place.refuse(node, `${name} cannot have another name here`, "leave out the as");
      }
      taken.push(...this.importOne(node, source, name, asname ?? name));
    }
    return taken.length ? [`const {${taken.join(", ")}} = portable["${source}"];`] : [];
  }

  importOne(node, source, name, here) {
    const atHand = source === AT_HAND || source === SPACE;
    if (source === "lib.errors" && name === "require") this.primitives.set("require", { ways: [], code: "" });
    else if (atHand && own(PRIMITIVES, name)) this.primitives.set(here, PRIMITIVES[name]);
    else if (atHand && own(CONSTANTS, name)) {
      this.values.set(here, CONSTANTS[name]);
      this.numbers.set(here, CONSTANTS[name]);
    } else if (source === AT_HAND && SIMPLE.includes(name)) return [];
    else if (source === AT_HAND || source === "lib.errors") this.place.refuse(node, `${source} has no ${name}`, `it has ${source === AT_HAND ? Object.keys(PRIMITIVES).join(", ") : "require"}`);
    else return this.take(node, source, name, here);
    return [];
  }

  // A name of another portable module, called `here`; what the page has to fetch from there.
  take(node, source, name, here) {
    if (!this.known.has(source)) {
      if (!/^(lib|hal)\./.test(source)) this.refuseImport(node, source);
      if (!this.load(source)) this.place.refuse(node, `there is no module ${source} here`, "import from lib.portable.numbers or another of the book");
    }
    this.imports.add(source);
    const other = this.known.get(source);
    if (other.kinds.has(name)) {
      this.kinds.set(here, other.kinds.get(name));
      return [];
    }
    if (name === "random") this.refuseImport(node, "numpy.random");
    if (!other.own.includes(name)) this.place.refuse(node, `${source === SPACE ? "math or numpy" : source} has no ${name} here`, source === SPACE ? `${own(BY_HAND, name) ?? "write its calculation yourself"}; there are abs, max, min, sqrt, ${other.own.filter((one) => one !== "whole_power").join(", ")}` : `put ${name} back in ${source}, or write here one of its names${other.own.length ? `: ${other.own.join(", ")}` : ""}`);
    const called = this.values.has(here) ? `$later_${here}` : here; // as in Python the later import counts
    this.values.set(here, [called, other.values.get(name)[1]]);
    if (other.wholeNumbers.has(name)) this.wholeNumbers.set(here, other.wholeNumbers.get(name));
    if (other.numbers.has(name)) this.numbers.set(here, other.numbers.get(name));
    return [name === called ? name : `${name}: ${called}`];
  }

  // The kind that a hint tells, or undefined.
  hint(annotation) {
    return readAnnotation(annotation, this.kinds) ?? undefined;
  }

  signature(node) {
    if (node.decorators.length) this.place.refuse(node, "@ is not available here", "leave it out");
    const twice = node.args.args.find((arg, i) => node.args.args.findIndex((other) => other.arg === arg.arg) < i);
    if (twice) this.place.refuse(twice, `the parameter ${twice.arg} stands twice`, "choose another name");
    const names = node.args.args.map(({ arg }) => arg);
    const defaults = new Map();
    const kinds = node.args.args.map((arg) => {
      const key = `${node.name}.${arg.arg}`;
      const given = arg.standard && (this.numberOf(arg.standard) ?? this.place.refuse(arg, `the default of ${arg.arg} must be a number here`, `write a number, such as ${arg.arg}=0`));
      if (given) defaults.set(arg.arg, given[0]);
      const kind = this.wide(key, this.hint(arg.annotation) ?? given?.[1]);
      if (kind === "int" && given?.[1] === "float") this.widen(key);
      return kind;
    });
    const result = this.wide(`the result of ${node.name}`, this.hint(node.returns));
    const signature = new Signature(kinds, result, names, defaults);
    this.define(node, node.name, signature);
    this.functions.set(node.name, { node, signature, made: null });
  }

  define(node, name, kind) {
    if (this.values.has(name) || this.kinds.has(name) || this.primitives.has(name)) this.place.refuse(node, `${name} is defined twice`, "leave one of them out, or give it another name");
    this.values.set(name, [name, kind]);
    this.own.push(name);
  }

  record(node) {
    const marks = [...node.decorators, ...node.bases].map((part) => part.text);
    if (marks.length !== 1 || !["dataclass", "NamedTuple"].includes(marks[0]) || node.keywords.length) {
      this.place.refuse(node, "a class is only a list of values here", "write @dataclass above it, then a line for each value: m: float");
    }
    const fields = new Map();
    const defaults = new Map();
    for (const line of node.body) {
      if (line.type === "AnnAssign" && line.target.type === "Name") {
        const name = line.target.id;
        this.place.word(line, name.replace(/^\$/, "")); // the page knows it by this name
        if (!line.value && [...defaults.values()].some(Boolean)) {
          this.place.refuse(line, `${name} has no default and stands below a field that has one`, "give it one, or move it up");
        }
        const kind = this.hint(line.annotation);
        if (!kind) this.place.refuse(line, `the type hint ${line.annotation.text} is not known here`, "write float, int, bool, Vector (a list of numbers), Wholes (of whole numbers) or Matrix (of Vectors)");
        fields.set(name, this.wide(`${node.name}.${name}`, kind));
        defaults.set(name, line.value);
      } else if (!isText(line)) this.place.refuse(line, "a class is only a list of values here", line.type === "Assign" ? "give it a type hint: momentum: float = 0.9" : "write a function at the left edge: def f(state)");
    }
    this.kinds.set(node.name, new RecordKind(node.name, fields, marks[0] === "NamedTuple", defaults, this));
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

  // Refuse a constant, or a record with a default, that needs what is defined below it.
  refuseEarly(node) {
    const used = namesIn(node.type === "ClassDef" ? node.body.map((line) => line.value) : [node.value]);
    const below = this.body.slice(this.body.indexOf(node) + 1).flatMap(definedBy);
    const early = used.find((name) => below.includes(name));
    if (early) this.place.refuse(node, `${early} is defined below, so Python has none yet`, `move it below ${early}`);
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

// A break or continue that no loop holds.
const stray = (body) => body.map((part) => (["Break", "Continue"].includes(part.type) ? part : part.type === "If" && (stray(part.body) || stray(part.orelse)))).find(Boolean);

function definedBy(node) {
  if (node.type === "ImportFrom" || node.type === "Import") return node.names.map(({ name, asname }) => asname ?? name);
  if (node.type === "FunctionDef" || node.type === "ClassDef") return [node.name];
  const targets = node.type === "Assign" ? node.targets : node.type === "AnnAssign" ? [node.target] : [];
  return targets.filter((target) => target.type === "Name").map((target) => target.id);
}

// Every name that a text gives something, in one of its functions or outside of all, and the first line that does.
function namesSet(body, around) {
  const found = new Map();
  const add = (name, line) => found.has(name) || found.set(name, line);
  for (const node of body) definedBy(node).forEach((name) => add(name, node.line));
  for (const part of walk(body.filter(({ type, name }) => type === "FunctionDef" && name === around))) if (part.type === "arg" || (part.type === "Name" && part.ctx === "Store")) add(part.arg ?? part.id, part.line);
  return found;
}

const factory = (body) => ["function (portable) {", '"use strict";', ...body, "}"].join("\n");

// What every module of a program calls, a JavaScript function as text.
export const atHand = (checked) => factory([checked ? PRELUDE + CHECKED : PRELUDE, `return {${checked ? NAMES.checked : NAMES.plain}};`]);

// Translate a module and, before it, those that it imports.
// read: name -> Python text, "file.json#key" -> numbers of a record; or undefined. Gives {known, parts}; parts: name -> a JavaScript function, as text, of all
// modules before it, and what every module calls as "$".
export function translate(root, read, { checked = false, known = new Map(), exported = null, before = "", book = () => "" } = {}) {
  const opened = new Set(); // a module that is needed by what it needs is not at hand there
  function load(name) {
    if (known.has(name)) return known.get(name);
    const source = opened.has(name) ? undefined : read(name);
    if (source === undefined) return undefined;
    opened.add(name);
    const file = `${name.replace(/\./g, "/")}.py`;
    const more = name === root ? { exported, before } : {};
    const made = new Module(name, source, file, { known, load, read, checked, book: book(name), ...more });
    known.set(name, made);
    return made;
  }
  load(root);
  const texts = [...known].map(([name, module]) => [name, module.javascript]);
  return { known, parts: { $: atHand(checked), ...Object.fromEntries(texts) } };
}
