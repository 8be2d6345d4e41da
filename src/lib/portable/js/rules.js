// The tables of the translator: what is refused, and why; what may be called; what every module of the page has at hand.

// Kinds of syntax that are refused by name: reason, remedy. Whatever is neither here nor known is refused too.
const all = (names, said) => Object.fromEntries(names.split(" ").map((name) => [name, said]));
export const SYNTAX = {
  JoinedStr: ["text can only be printed here", "write print(f\"...\") on a line of its own"],
  In: ["`in` cannot stand in a chain of comparisons", "join two comparisons by `and`"],
  Slice: ["a part of a list cannot stand here", "loop over the places: for i in range(start, stop)"],
  lambda: ["lambda is not available here", "write def f(x): at the left edge, and use its name"],
  Set: ["this editor has lists of numbers, no sets or dictionaries", "use a list, and a loop over it"],
  GeneratorExp: ["this needs square brackets", "write [... for ... in ...]"],
  ":=": [":= inside an expression is not available here", "assign with = on the line before"],
  ...all("FunctionDef nonlocal", ["no def inside another def here", "move it above, to the left edge"]),
  global: ["a function cannot change what is set outside of it", "write a line for it in class State, such as rate: float, and use state.rate"],
  try: ["try and except are not available here", "test first: if total != 0.0:"],
  ...all("raise assert", ["no raise or assert here", 'write require(x > 0.0, "x", "more than 0", x), which stops with a message if x is not']),
  with: ["files cannot be opened here", "use a list of numbers"],
  del: ["`del` is not available here", "leave the line out"],
  Starred: ["* and ** in front of a name are not available here", "write a = values[0] and b = values[1], a line each"],
  ...all("async await yield", ["functions here cannot pause", "return the value"]),
  relative: ["an import needs the whole name here", "write from lib.portable.numbers import exp"],
  is: ["`is` and None are not available here", "compare numbers: x == 0.0 or x != 0.0"],
  BitXor: ["^ works on bits in Python", "write x ** 2 for the square of x"],
  ...all("BitAnd BitOr LShift RShift", ["&, |, ~, << and >> are not available here", "write t % 2, or `and`, `or` between conditions"]),
  MatMult: ["@ is not available here", "write sum(x * y for x, y in zip(a, b)) for an inner product"],
};

// Functions of Python that are refused by name: reason, remedy.
export const CALLS = {
  ...Object.fromEntries(["range", "enumerate", "zip"].map((name) => [name, [`${name} can only stand in a loop`, `write for ... in ${name}(...), or [... for ... in ${name}(...)]`]])),
  str: ["text can only be printed here", "write print(x)"],
};

export const GROWS = ["a list cannot grow here", "make it long enough, values = [0.0] * n, then set values[i] = x; or write [... for ... in ...]"];

// Words that mean something else in JavaScript: as names they begin with $ there.
export const RESERVED = new Set(
  "Array Float64Array Infinity Int32Array Math NaN Number String __proto__ arguments case catch const debugger default delete do enum eval export extends function globalThis implements instanceof interface let new null package portable private protected public static super switch this throw typeof undefined var void".split(" "),
);

// Kinds by a plain name, and what stands in an array of each kind.
export const SIMPLE = ["float", "int", "bool", "Vector", "Wholes", "Matrix", "Table", "Readings"];
export const ELEMENT = { Vector: "float", Wholes: "int", Matrix: "Vector", Table: "Wholes" };

export const NOT_IN_THE_PAGE = ["__future__", "typing", "collections.abc", "dataclasses", "builtins"];

// A function known by name: {ways: [[kinds of the arguments, kind of the result], ...], code, checked, minusZero}. `code`
// has {0}, {1} for the arguments, `checked` is the same where all is checked, with {at} for the line in words, "" if it is
// no other; minusZero: whether the result is whole and still -0 where the argument is.
const oneWay = (given, result, code, checked = "") => ({ ways: [[given.split(" "), result]], code, checked });
const anyNumber = (count, code) => ({ ways: ["float", "int"].map((kind) => [Array(count).fill(kind), kind]), code, checked: "" });
const anyOf = (kinds, resultOf, code) => ({ ways: kinds.map((kind) => [[kind], resultOf(kind)]), code, checked: "" });
const madeRows = (kind) => oneWay("int int", kind === "Float64Array" ? "Matrix" : "Table", `$rows({0}, {1}, ${kind})`, `$rows($size({0}, {at}), $size({1}, {at}), ${kind})`);

// What Python brings along.
export const BUILTINS = {
  abs: anyNumber(1, "Math.abs({0})"),
  float: anyOf(["int", "float"], () => "float", "{0}"),
  len: anyOf(Object.keys(ELEMENT), () => "int", "{0}.length"),
};

// What `lib.portable.primitives` defines.
export const PRIMITIVES = {
  zeros: oneWay("int", "Vector", "new Float64Array({0})", "new Float64Array($size({0}, {at}))"),
  whole_zeros: oneWay("int", "Wholes", "new Int32Array({0})", "new Int32Array($size({0}, {at}))"),
  zero_matrix: madeRows("Float64Array"),
  whole_table: madeRows("Int32Array"),
  copy: anyOf(["Vector", "Wholes"], (kind) => kind, "{0}.slice()"),
  first: oneWay("Vector int", "Vector", "{0}.slice(0, {1})"),
  floor: { ...oneWay("float", "int", "Math.floor({0})", "$whole(Math.floor({0}), {at})"), minusZero: true },
  floored: oneWay("float", "float", "Math.floor({0})", "$whole(Math.floor({0}), {at})"),
  sqrt: oneWay("float", "float", "Math.sqrt({0})"),
  single: oneWay("float", "float", "Math.fround({0})"),
  divide: oneWay("float float", "float", "({0} / {1})"),
  recorded: { ways: [], code: "", checked: "" },
  remainder: oneWay("int int", "int", "({0} % {1})", "$remainder({0}, {1}, {at})"),
};
export const CONSTANTS = { inf: ["Infinity", "float"], nan: ["NaN", "float"] };

// Modules that a reader may import whole, and what their functions are called here.
export const SPACES = ["math", "numpy"];
export const SPACE = "lib.portable.ordinary"; // they are this

// What a module that needs it gets besides, a line each.
export const HELPERS = `const $sum = (values) => values.reduce((a, b) => a + b, 0);
const $least = (values) => values.reduce((a, b) => (b < a ? b : a));
const $most = (values) => values.reduce((a, b) => (b > a ? b : a));
const $any = (values) => values.some((x) => x !== 0);
const $all = (values) => values.every((x) => x !== 0);
const $in = (x, values) => values.includes(x);
const $mod = (a, b) => { const r = a % b; return r ? ((r < 0) !== (b < 0) ? r + b : r) : r === 0 ? (b < 0 ? -0 : 0) : r; };
const $quotient = (a, b) => { const r = a % b, q = (a - r) / b - (r && (r < 0) !== (b < 0) ? 1 : 0), low = Math.floor(q); return q ? (q - low > 0.5 ? low + 1 : low) : q === 0 ? (1 / (a / b) < 0 || a / b < 0 ? -0 : 0) : q; };
const $round = (x) => { const low = Math.floor(x), d = x - low; return d < 0.5 ? low : d > 0.5 ? low + 1 : low + Math.abs(low % 2); };
const $even = (exact, n, other) => { const low = exact.slice(0, n ? n - 60 : -61); return /^50*$/.test(exact.slice(n - 60)) && /[02468]$/.test(low) ? low : other; };
const $fixed = (x, n) => (x < 0 || Object.is(x, -0) ? "-" + $fixed(-x, n) : $even(x.toFixed(60), n, x.toFixed(n)));
const $power10 = (x, n) => { const [exact, e] = x.toExponential(60).split("e"), low = $even(exact, n, ""); return (low ? low + "e" + e : x.toExponential(n)).replace(/e([+-])([0-9])$/, "e$10$2"); };
const $format = (x, digits, letter) => {
  const e = Number($power10(x, Math.max(0, digits - 1)).split("e")[1]);
  const bare = (text) => (text.includes(".") ? text.replace(/[.]?0*(e|$)/, "$1") : text);
  const by = { f: () => $fixed(x, digits), e: () => $power10(x, digits), g: () => bare(e < -4 || e >= digits ? by.e() : $fixed(x, digits - 1 - e)) };
  if (letter === "g") digits = Math.max(1, digits) - (e < -4 || e >= digits ? 1 : 0);
  const text = x - x === 0 ? by[letter]() : $text(x);
  return x === 0 && 1 / x < 0 ? text.replace(/^-?/, "-") : text;
};
const $list = (values) => "[" + Array.from(values, values instanceof Float64Array ? $text : String).join(", ") + "]";
const $print = (...parts) => { const lines = (globalThis.$printed ??= []); if (lines.length < 100) lines.push(parts.join(" ")); };
`;

// What every module of a program has at hand.
export const PRELUDE = `const $min = (a, b) => (b < a ? b : a);
const $max = (a, b) => (b > a ? b : a);
const $rows = (rows, columns, Kind) => {
  const made = [];
  for (let i = 0; i < rows; i += 1) made.push(new Kind(columns));
  return made;
};
const $require = (condition, argument, expected, got) => {
  if (condition) return;
  const error = new Error(\`\${argument}: expected \${expected}, got \${got}\`);
  error.name = "InputError";
  throw error;
};
`;

// The checked form throws where Python would, and where a list would take what a typed array cannot; `at` is the line,
// in words. What a reader's run throws in another module is told with the line of the run that called.
export const CHECKED = `const $fail = (what, at) => { throw new Error(\`\${what}, \${at}\`); };
const $whole = (n, at) => (Number.isSafeInteger(n) ? n : $fail(\`\${n} is no whole number below 2**53\`, at));
const $nonzero = (x, at) => (x === 0 ? $fail("division by zero", at) : x);
const $size = (n, at) => (n >= 0 && n < 2 ** 32 ? n : $fail(\`a list of \${n} places cannot be made\`, at));
const $index = (values, i, at) =>
  Number.isInteger(i) && i >= 0 && i < values.length ? i : i < 0 && i >= -values.length ? i + values.length : $fail(\`index \${i} of \${values.length}\`, at);
const $fit = (values, x, at) =>
  values instanceof Int32Array && x !== (x | 0) ? $fail(\`\${x} in a whole table\`, at) : x;
const $remainder = (a, b, at) => (a >= 0 && b >= 1 ? a % b : $fail(\`remainder(\${a}, \${b})\`, at));
const $told = (f, file, place) => (...given) => {
  try {
    return f(...given);
  } catch (error) {
    const [, where] = error.message.match(/, line [0-9]+ of (.+)$/) ?? [, file];
    if (where !== file) error.message += \`, called from \${place.at}\`;
    throw error;
  }
};
`;
