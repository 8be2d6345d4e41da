// What trees of Python are asked: {type, line, ...} with the names of Python's `ast`.

// A table's own entry: not what every object brings along.
export const own = (table, name) => (Object.prototype.hasOwnProperty.call(table, name) ? table[name] : undefined);

export const last = (array) => array[array.length - 1];

// A node and all nodes below it.
export function* walk(node) {
  if (Array.isArray(node)) {
    for (const part of node) yield* walk(part);
  } else if (node && typeof node === "object" && node.type) {
    yield node;
    for (const part of Object.values(node)) if (part && typeof part === "object") yield* walk(part);
  }
}

export function anyPart(node, test) {
  for (const part of walk(node)) if (test(part)) return true;
  return false;
}

// The names in a tree, all or those that are set.
export const namesIn = (node, context = "") =>
  [...walk(node)].filter((part) => part.type === "Name" && (!context || part.ctx === context)).map((part) => part.id);

export const isText = (node) => node.type === "Expr" && node.value.type === "Constant" && node.value.kind === "str";
