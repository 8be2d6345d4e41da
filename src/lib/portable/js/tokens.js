// Python text to tokens: {type, text, line, from, to}; type is name, sign, number, text, newline, indent, dedent or end.

import { RESERVED } from "./rules.js";
import { last, own } from "./tree.js";

const OPERATORS = ["**=", "//=", ">>=", "<<=", "...", ":=", "->", "**", "//", ">>", "<<", "<=", ">=", "==", "!=", "+=", "-=", "*=", "/=", "%=", "@=", "&=", "|=", "^=", ..."+-*/%@&|^~<>()[]{},:;.="];
const KEYWORDS = new Set(
  "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield".split(" "),
);
const ESCAPES = { n: "\n", t: "\t", r: "\r", "\\": "\\", "'": "'", '"': '"', a: "\x07", b: "\b", f: "\f", v: "\v", "\n": "" };
const MEANT = { "−": "-", "–": "-", "×": "*", "·": "*", "“": '"', "”": '"', "‘": "'", "’": "'", "≤": "<=", "≥": ">=", "≠": "!=" };
const DEEPEST = 90; // brackets and blocks in each other; CPython has 100

export function tokensOf(source, fail, line = 1) {
  const out = [];
  const indents = [0];
  let at = 0;
  const open = []; // brackets
  let fresh = true; // at the start of a line

  const add = (type, text, from, more) => out.push({ type, text, line, from, to: at, ...more });

  function match(pattern) {
    pattern.lastIndex = at;
    return pattern.exec(source)?.[0];
  }

  function beginLine() {
    const space = match(/[ \t\f]*/y);
    at += space.length;
    fresh = false;
    if (/[\n\r#]/.test(source[at] ?? "\n")) return; // an empty line says nothing about blocks
    if (space.includes("\t") && space.includes(" ")) fail(line, "tabs and spaces are mixed");
    const wide = space.length;
    if (wide > last(indents)) {
      if (indents.push(wide) > DEEPEST) fail(line, "too many blocks in each other");
      add("indent", "", at);
      return;
    }
    while (wide < last(indents)) {
      indents.pop();
      add("dedent", "", at);
    }
    if (wide !== last(indents)) fail(line, "this line stands between two depths");
  }

  function textToken(from) {
    const prefix = match(/[a-zA-Z]*/y).toLowerCase();
    if (!["", "r", "u", "f", "fr", "rf"].includes(prefix)) fail(line, `${prefix} cannot stand in front of a text`);
    at += prefix.length;
    const quote = match(/'''|"""|'|"/y);
    const inside = quote.length > 1 ? "(?:\\\\[^]|[^\\\\])*?" : `(?:\\\\\\r\\n|\\\\[^]|[^\\\\\\n\\r${quote}])*`;
    const closed = match(new RegExp(`${quote}${inside}${quote}`, "y"));
    if (!closed) fail(line, "this text has no end");
    at += closed.length;
    const raw = closed.slice(quote.length, -quote.length).replace(/\r\n?/g, "\n");
    const kind = prefix.includes("f") ? "f" : "str";
    add("text", "", from, { value: prefix.includes("r") ? raw : unescaped(raw), kind });
    line += closed.split(/\r\n?|\n/).length - 1;
  }

  function unescaped(raw) {
    return raw.replace(/\\(x[\da-fA-F]{2}|u[\da-fA-F]{4}|[^])/g, (all, escape) => {
      if (/^[xuUN]$/.test(escape)) fail(line, `\\${escape} needs the number of a letter`);
      return escape.length > 1 ? String.fromCharCode(parseInt(escape.slice(1), 16)) : ESCAPES[escape] ?? all;
    });
  }

  function numberToken(from) {
    const text = match(/0[xX][\da-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?[jJ]?/y);
    at += text.length;
    const digits = text.replace(/_/g, "");
    if (/^[\p{XIDC}]$/u.test(source[at] ?? " ") || /_$|__|_[.eEjJ+-]|[.eE+-]_/.test(text)) fail(line, "this is no number");
    if (/j$/i.test(text)) add("number", text, from, { kind: "complex" });
    else if (/^0[xob]/i.test(text)) add("number", text, from, { kind: "int", value: BigInt(digits) });
    else if (/[.eE]/.test(text)) add("number", text, from, { kind: "float", value: Number(digits) });
    else if (/^0\d*[1-9]/.test(digits)) fail(line, "a whole number does not begin with 0");
    else if (digits.length > 4300) fail(line, "this number is too long");
    else add("number", text, from, { kind: "int", value: BigInt(digits) });
  }

  function signOrName(from) {
    const name = match(/[\p{XIDS}_][\p{XIDC}]*/uy);
    // as Python does: a letter that only looks like another one is that one
    const text = name ? name.normalize("NFKC") : OPERATORS.find((operator) => source.startsWith(operator, at));
    if (!text) fail(line, `${JSON.stringify(String.fromCodePoint(source.codePointAt(at)))} is no sign of Python${own(MEANT, source[at]) ? `: write ${MEANT[source[at]]}` : ""}`);
    if (name && !/^[\p{XIDS}_][\p{XIDC}]*$/u.test(text)) fail(line, `${JSON.stringify(name)} is no name`);
    at += (name ?? text).length;
    if (!name && "([{".includes(text)) open.push(text);
    if (!name && ")]}".includes(text) && "([{".indexOf(open.pop()) !== ")]}".indexOf(text)) fail(line, `this ${text} closes no bracket`);
    if (open.length > DEEPEST) fail(line, "too many brackets in each other");
    if (!name || KEYWORDS.has(text)) add("sign", text, from);
    else add("name", RESERVED.has(text) ? `$${text}` : text, from); // what is a word of JavaScript has another name there
  }

  function lineEnd(from) {
    at += source.startsWith("\r\n", at) ? 2 : 1;
    if (!open.length && out.length && !["newline", "indent", "dedent"].includes(last(out).type)) add("newline", "", from);
    line += 1;
    fresh = !open.length;
  }

  while (at < source.length) {
    if (fresh) {
      beginLine();
      continue;
    }
    const from = at;
    const c = source[at];
    if (c === "\n" || c === "\r") lineEnd(from);
    else if (c === " " || c === "\t" || c === "\f") at += 1;
    else if (c === "#") at += match(/#[^\n\r]*/y).length;
    else if (c === "\\" && /\n|\r/.test(source[at + 1] ?? "")) {
      at += source.startsWith("\r\n", at + 1) ? 3 : 2;
      line += 1;
    } else if (match(/[a-zA-Z]{0,2}['"]/y)) textToken(from);
    else if (/[0-9]/.test(c) || (c === "." && /[0-9]/.test(source[at + 1] ?? ""))) numberToken(from);
    else signOrName(from);
  }
  if (open.length) fail(line, "a bracket is never closed");
  if (out.length && last(out).type !== "newline") add("newline", "", at);
  while (indents.pop() > 0) add("dedent", "", at);
  add("end", "", at);
  return out;
}
