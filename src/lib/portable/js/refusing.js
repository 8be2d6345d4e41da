// What is refused, at its line, with reason and remedy.

import { RESERVED, SYNTAX } from "./rules.js";
import { own } from "./tree.js";

export class Refused extends Error {
  // name: NotPython or OutsideSubset.
  constructor(name, file, line, reason, remedy = "") {
    super(`${file}:${line}: ${reason}; ${remedy}`);
    Object.assign(this, { name, file, line, reason, remedy });
  }
}

// A file, to refuse its lines with.
export class Place {
  constructor(file) {
    this.file = file;
  }

  // The line of the node in words, as JavaScript text.
  said(node) {
    return asciiText(`line ${node.line ?? 1} of ${this.file}`);
  }

  refuse(node, reason, remedy) {
    const bare = (text) => text.replace(/\$+(?=\w)/g, ""); // see `RESERVED`
    throw new Refused("OutsideSubset", this.file, node.line ?? 1, bare(reason), bare(remedy));
  }

  // Refuse syntax that has no rule; `at` gives the line where the node has none.
  unknown(type, at) {
    this.refuse(at, ...(own(SYNTAX, type) ?? [`${type} is not at hand here`, "write it with if, for and def"]));
  }

  // A key is no name for JavaScript to mistake.
  word(node, name) {
    if (RESERVED.has(name)) this.refuse(node, `${name} is a word of JavaScript`, "choose another name");
  }
}

// Text as Python's json writes it: what is not ASCII as \u00e9.
export function asciiText(text) {
  return JSON.stringify(text).replace(/[\u007f-\uffff]/g, (c) => (c === "\u007f" ? c : `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`));
}
