// What a build asks of the translator: one module at a time, the texts of others as it wants them.

import { Module } from "./modules.js";
import { parse } from "./parser.js";

const made = []; // modules by their numbers
const trees = new Map(); // text -> tree, of modules that wait for others

class Wanted extends Error {}

// {number, javascript, own, imports}: a module translated; or {wanted}: the name of one that has to come first; or
// {refused: {name, file, line, reason, remedy}}. known: name -> number of the modules that are there; missing: names of
// which there is none.
export function build({ name, source, file, known, missing, checked, exported, before }) {
  const others = new Map(Object.entries(known).map(([other, number]) => [other, made[number]]));
  const load = (other) => {
    if (!missing.includes(other)) throw Object.assign(new Wanted(), { wanted: other });
  };
  try {
    if (!trees.has(source)) trees.set(source, parse(source, file));
    const module = new Module(name, source, file, { known: others, load, checked, exported, before, tree: trees.get(source) });
    trees.delete(source);
    made.push(module);
    return { number: made.length - 1, javascript: module.javascript, own: module.own, imports: [...module.imports] };
  } catch (error) {
    if (error instanceof Wanted) return { wanted: error.wanted };
    trees.delete(source);
    if (!error.reason) throw error;
    const { file: where, line, reason, remedy } = error;
    return { refused: { name: error.name, file: where, line, reason, remedy } };
  }
}
