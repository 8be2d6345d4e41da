// Kinds of values: a plain name ("~P" is a type variable: anything), a RecordKind, a Signature, an array of kinds (a tuple).

import { ELEMENT, SIMPLE } from "./rules.js";
import { last, own } from "./tree.js";

const PLAIN = { float: "a number (float)", int: "a whole number (int)", bool: "a condition (bool)", Vector: "a list of numbers (Vector)", Wholes: "a list of whole numbers (Wholes)", Matrix: "a list of lists (Matrix)", None: "nothing" };
export const NUMBERS = ["float", "int"];
export const ARRAYS = ["Vector", "Wholes", "Matrix", "Table"];

// fields: a Map name -> kind; defaults: a Map name -> node or null, of a module.
export class RecordKind {
  constructor(name, fields, frozen, defaults, module) {
    Object.assign(this, { name, fields, frozen, defaults, module });
  }

  names() {
    return [...this.fields.keys()];
  }
}

// names: of the parameters; null where a function is handed over. Kinds that no hint tells are undefined until a call does.
export class Signature {
  constructor(parameters, result, names = null, defaults = null) {
    Object.assign(this, { parameters, result, names, defaults });
  }

  // The kinds of what goes in and of what comes out.
  every() {
    return [...this.parameters, this.result];
  }
}

export function sameKind(a, b) {
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((part, i) => sameKind(part, b[i]));
  if (a instanceof Signature) return b instanceof Signature && sameKind(a.parameters, b.parameters) && sameKind(a.result, b.result);
  return a === b;
}

// Whether whole numbers stand where others are asked for, alone or in a tuple.
export function meets(wanted, got) {
  if (Array.isArray(wanted)) return Array.isArray(got) && wanted.length === got.length && wanted.every((kind, i) => fits(kind, got[i]) || meets(kind, got[i]));
  return wanted === "float" && got === "int";
}

// Whether a value of kind `got` may stand where `wanted` is asked for; see `meets` for whole numbers.
export function fits(wanted, got) {
  if (typeof wanted === "string" && wanted.startsWith("~")) return true;
  if (wanted instanceof Signature && got instanceof Signature) {
    const [a, b] = [wanted.every(), got.every()];
    return a.length === b.length && a.every((kind, i) => fits(kind, b[i]));
  }
  return sameKind(wanted, got);
}

// A kind as a reader of the error would say it.
export function words(kind) {
  if (Array.isArray(kind)) return `a tuple (${kind.map(words).join(", ")})`;
  if (kind instanceof RecordKind) return `a record ${kind.name}`;
  if (kind instanceof Signature) return `a function of (${kind.parameters.map(words).join(", ")}) that returns ${words(kind.result)}`;
  return own(PLAIN, kind) ?? `a ${kind ?? "value"}`;
}

// The kind that an annotation names, or null if it names none; `known`: aliases, records and type variables.
export function readAnnotation(node, known) {
  if (!node) return null;
  if (node.type === "Constant" && node.kind === "NoneType") return "None";
  if (node.type === "Name") return known.get(node.id) ?? (SIMPLE.includes(node.id) ? node.id : null);
  if (node.type !== "Subscript" || node.value.type !== "Name") return null;
  const { id } = node.value;
  if (["list", "List"].includes(id)) {
    const entry = readAnnotation(node.slice, known);
    return Object.keys(ELEMENT).find((kind) => ELEMENT[kind] === entry) ?? null;
  }
  const parts = node.slice.type === "Tuple" ? node.slice.elts : null;
  if (["tuple", "Tuple"].includes(id) && parts) {
    const kinds = parts.map((part) => readAnnotation(part, known));
    return kinds.includes(null) ? null : kinds;
  }
  if (id === "Callable" && parts?.length === 2 && parts[0].type === "List") {
    const kinds = [...parts[0].elts, parts[1]].map((part) => readAnnotation(part, known));
    return kinds.includes(null) ? null : new Signature(kinds.slice(0, -1), last(kinds));
  }
  const alias = known.get(id); // a generic alias, Slope[P]
  return alias instanceof Signature ? alias : null;
}
