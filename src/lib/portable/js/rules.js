// The tables of the translator: what is refused, and why; what may be called; what every module of the page has at hand.

// Kinds of syntax that are refused by name: reason, remedy. Whatever is neither here nor known is refused too.
export const SYNTAX = {
  JoinedStr: ["text made of numbers comes out differently in the page", "format it in the explorer"],
  Pow: ["** rounds differently in the page", "multiply, or use exp and log"],
  Mod: ["% of a negative number differs in the page", "use remainder(a, b), or x - b * floor(x / b)"],
  Slice: ["slices are not portable", "use first(values, n), copy(values) or a loop"],
  Lambda: ["functions without a name are not portable", "define a function of the module"],
  ListComp: ["comprehensions are not portable", "fill an array in a loop"],
  SetComp: ["comprehensions are not portable", "fill an array in a loop"],
  DictComp: ["comprehensions are not portable", "fill an array in a loop"],
  GeneratorExp: ["comprehensions are not portable", "fill an array in a loop"],
  NamedExpr: ["an assignment inside an expression is not portable", "assign on a line of its own"],
  FunctionDef: ["a function inside a function is not portable", "define it in the module, hand over what it needs"],
  Global: ["a name of the module cannot be set by a function", "keep it in a record"],
  Nonlocal: ["a function inside a function is not portable", "keep what it needs in a record"],
  Try: ["exceptions are not portable", "test the condition first"],
  Raise: ["exceptions are not portable", "use require(condition, argument, expected, got)"],
  Assert: ["exceptions are not portable", "use require(condition, argument, expected, got)"],
  With: ["with is not portable", "call what it does"],
  Delete: ["del is not portable", "let the name go out of use"],
  Starred: ["a starred argument is not portable", "write the arguments one by one"],
  Await: ["await is not portable", "the page calls `step` in slices instead"],
  Yield: ["yield is not portable", "the page calls `step` in slices instead"],
  Set: ["sets are not portable", "use an array"],
  Match: ["match is not portable", "use if and elif"],
  Import: ["whole modules are not portable", "import the names: from lib.portable.numbers import exp"],
  In: ["in is not portable", "look for the number in a loop"],
  NotIn: ["in is not portable", "look for the number in a loop"],
  Is: ["is is not portable", "compare numbers with =="],
  IsNot: ["is is not portable", "compare numbers with !="],
  BitXor: ["bitwise operators have 32 bits in the page", "use whole-number arithmetic"],
  BitAnd: ["bitwise operators have 32 bits in the page", "use remainder and //"],
  BitOr: ["bitwise operators have 32 bits in the page", "use whole-number arithmetic"],
  LShift: ["bitwise operators have 32 bits in the page", "multiply by a power of two"],
  RShift: ["bitwise operators have 32 bits in the page", "use //"],
  MatMult: ["@ is not portable", "write the loops"],
};

// Functions of Python that are refused by name: reason, remedy.
export const CALLS = {
  sum: ["sum adds differently in the page and in newer versions of Python", "add in a loop"],
  round: ["round sends halves elsewhere in the page", "use floor(x + 0.5)"],
  int: ["int cuts towards zero", "use floor(x)"],
  pow: ["pow rounds differently in the page", "multiply, or use exp and log"],
  sorted: ["sorting is not portable", "write the sort that you need"],
  print: ["portable code does not print", "return what is to be shown"],
  enumerate: ["enumerate is not portable", "use range(len(values))"],
  zip: ["zip is not portable", "use range(len(values))"],
  range: ["range belongs into a for loop", "write for i in range(...)"],
  bool: ["the truth of numbers is not portable", "compare with 0"],
  str: ["text is not portable", "format it in the explorer"],
  list: ["lists grow in Python alone", "use zeros(n)"],
};

// Words that mean something else in JavaScript and cannot be names in portable code.
export const RESERVED = new Set(
  "Array Error Float64Array Function Infinity Int32Array Math NaN Number Object String __proto__ arguments await case catch const debugger default delete do enum eval export extends function implements instanceof interface let new null package portable private protected public static super switch this throw typeof undefined var void".split(" "),
);

// Kinds by a plain name, and what stands in an array of each kind.
export const SIMPLE = ["float", "int", "bool", "Vector", "Wholes", "Matrix", "Table", "Readings"];
export const ELEMENT = { Vector: "float", Wholes: "int", Matrix: "Vector", Table: "Wholes" };

export const NOT_IN_THE_PAGE = ["__future__", "typing", "collections.abc", "dataclasses"];

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
  min: anyNumber(2, "$min({0}, {1})"),
  max: anyNumber(2, "$max({0}, {1})"),
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
const $size = (n, at) => (n >= 0 && n < 2 ** 32 ? n : $fail(\`an array of \${n} places\`, at));
const $index = (values, i, at) =>
  Number.isInteger(i) && i >= 0 && i < values.length ? i : $fail(\`index \${i} of \${values.length}\`, at);
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
