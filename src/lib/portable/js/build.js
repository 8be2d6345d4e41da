// What a build asks of the translator: one module at a time, others and recorded numbers as it wants them.

import { Module } from "./modules.js";
import { parse } from "./parser.js";
import { own } from "./tree.js";

const made = []; // modules by their numbers
const trees = new Map(); // text -> tree, of modules that wait for others

class Wanted extends Error {}

// {number, javascript, own, imports, recorded}: a module translated; or {wanted}: the name of one that has to come first,
// or of numbers, "file.json#key"; or {refused: {name, file, line, reason, remedy}}. known: name -> number of the modules
// that are there; numbers: name -> numbers; missing: names of which there is nothing.
export function build({ name, source, file, known, numbers, missing, checked, exported, before }) {
  const others = new Map(Object.entries(known).map(([other, number]) => [other, made[number]]));
  const load = (other) => {
    if (!missing.includes(other)) throw Object.assign(new Wanted(), { wanted: other });
  };
  const read = (other) => own(numbers, other) ?? load(other);
  try {
    if (!trees.has(source)) trees.set(source, parse(source, file));
    const module = new Module(name, source, file, { known: others, load, read, checked, exported, before, tree: trees.get(source) });
    trees.delete(source);
    made.push(module);
    const { javascript, imports, recorded } = module;
    return { number: made.length - 1, javascript, own: module.own, imports: [...imports], recorded };
  } catch (error) {
    if (error instanceof Wanted) return { wanted: error.wanted };
    trees.delete(source);
    if (!error.reason) throw error;
    const { file: where, line, reason, remedy } = error;
    return { refused: { name: error.name, file: where, line, reason, remedy } };
  }
}
