// The editor of a figure's model: a textarea over coloured text, what differs from the book's, ways to begin, a link.
// It loads on the click. Readers' code is translated in one worker and trained in another, ended when it is silent; it
// reaches the page as text alone.

import { given } from "./python.js";
import { html, setText, toolButton } from "./tools.js";
import { scriptOf, workerSource } from "./trainer.js";

const WAIT = 100; // ms after the last key
const PATIENCE = 2000; // ms for a translation, once the translator is there
const STILL = 3000; // ms without a word from a run, once its worker is there
const TO_START = 60_000; // ms for a worker to be there, on a slow machine
const LONGEST = 50_000; // letters of a link
const MOST = 64_000; // letters of what it unpacks to, and as many lines as a tenth of it has room for
const CODE = /("""[^]*?"""|'''[^]*?'''|"[^"\n]*"|'[^'\n]*')|(#[^\n]*)|\b(def|return|for|in|if|elif|else|while|from|import|class|and|or|not|True|False|None|pass|break|continue)\b|\b(\d[\w.]*)/g;

// Portable code has no name for any of these; should a rule of the translator fail one day, they are gone all the same.
const LOCK = `for (const name of ["fetch", "XMLHttpRequest", "WebSocket", "WebTransport", "EventSource", "importScripts", "indexedDB", "caches", "Worker", "SharedWorker", "BroadcastChannel", "WebSocketStream", "CacheStorage", "FontFace", "navigator"]) {
try { Object.defineProperty(self, name, { value: undefined, configurable: false }); } catch {}
}
`;

// Lines of two texts: [kind, place in a or null, place in b or null]; the longest they have in common is "same".
function difference(a, b) {
  let [low, cut] = [0, 0]; // what is the same at both ends needs no table
  while (low < a.length && low < b.length && a[low] === b[low]) low += 1;
  while (cut < a.length - low && cut < b.length - low && a[a.length - 1 - cut] === b[b.length - 1 - cut]) cut += 1;
  const [n, m] = [a.length - cut - low, b.length - cut - low];
  const best = Array.from({ length: n + 1 }, () => new Uint16Array(m + 1));
  for (let i = n - 1; i >= 0; i--) {
    for (let j = m - 1; j >= 0; j--) best[i][j] = a[low + i] === b[low + j] ? best[i + 1][j + 1] + 1 : Math.max(best[i + 1][j], best[i][j + 1]);
  }
  const out = [];
  for (let i = 0; i < low; i++) out.push(["same", i, i]);
  for (let i = 0, j = 0; i < n || j < m; ) {
    if (i < n && j < m && a[low + i] === b[low + j]) out.push(["same", low + i++, low + j++]);
    else if (j >= m || (i < n && best[i + 1][j] >= best[i][j + 1])) out.push(["gone", low + i++, null]);
    else out.push(["new", null, low + j++]);
  }
  for (let k = cut; k > 0; k--) out.push(["same", a.length - k, b.length - k]);
  return out;
}

// What a text changes of the book's: [first line, how many go, lines that come], ...
function patchOf(book, mine) {
  const [a, b] = [book.split("\n"), mine.split("\n")];
  const patch = [];
  let at = 0;
  let open = null;
  for (const [kind, i, j] of difference(a, b)) {
    if (kind === "same") [open, at] = [null, i + 1];
    else {
      if (!open) patch.push((open = [at, 0, []]));
      if (kind === "gone") [open[1], at] = [open[1] + 1, i + 1];
      else open[2].push(b[j]);
    }
  }
  return patch;
}

function patched(book, patch) {
  const lines = book.split("\n");
  for (let i = patch.length - 1; i >= 0; i--) lines.splice(patch[i][0], patch[i][1], ...patch[i][2]);
  return lines.join("\n");
}

// Which edition of a text a link changes.
const editionOf = (text) => Array.from(text).reduce((sum, c) => (Math.imul(sum, 31) + c.codePointAt(0)) | 0, 7) >>> 0;

// What a stream makes of bytes, no more than a link may carry; null where it would be more.
async function through(bytes, stream) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts = [];
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.length;
    if (size > MOST) return null;
    parts.push(next.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

// Changes as they stand in an address: compressed, in letters that need no escape; the 1 says how.
async function packed(changes) {
  const bytes = new TextEncoder().encode(JSON.stringify(changes));
  const small = await through(bytes, new CompressionStream("deflate-raw"));
  const text = btoa(Array.from(small ?? [], (c) => String.fromCharCode(c)).join(""));
  return `1${text}`.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

// [[module, edition, patch], ...] of a link; throws in words.
async function unpackedChanges(text) {
  if (text.length > LONGEST) throw new Error("it is too long");
  let changes;
  try {
    const raw = atob(text.slice(1).replace(/-/g, "+").replace(/_/g, "/"));
    const bytes = Uint8Array.from(raw, (c) => c.charCodeAt(0));
    const whole = await through(bytes, new DecompressionStream("deflate-raw"));
    if (whole) changes = JSON.parse(new TextDecoder().decode(whole));
  } catch {
    throw new Error("it is cut or damaged");
  }
  if (!changes) throw new Error("it is too long");
  const whole = (n) => Number.isInteger(n) && n >= 0;
  const isPatch = (one) => Array.isArray(one) && one.length === 3 && whole(one[0]) && whole(one[1]) && Array.isArray(one[2]) && one[2].every((line) => typeof line === "string");
  const isChange = (one) => Array.isArray(one) && typeof one[0] === "string" && whole(one[1]) && Array.isArray(one[2]) && one[2].every(isPatch);
  if (!Array.isArray(changes) || !changes.every(isChange)) throw new Error("it is no change of a model");
  if (changes.flatMap(([, , patch]) => patch.flatMap(([, , lines]) => lines)).length > MOST / 10) throw new Error("it has too many lines");
  return changes;
}

// A worker of a text, made with the first message. It says first that it is there; `heard` gets what it says then. Where it
// stops, or is waited for and says nothing for `limit` ms, it is ended, and `lost` hears why. It is waited for in parts that
// each take a turn of the page: one that was itself held up hears first what its worker has said meanwhile.
const PARTS = 10;
function makeBox(text, limit, heard, lost) {
  let [worker, up, timer, waiting] = [null, false, 0, false];
  function end() {
    wait(false);
    worker?.terminate();
    worker = null;
  }
  function wait(wanted) {
    waiting = wanted;
    clearTimeout(timer);
    const ms = up ? limit : TO_START;
    let left = PARTS;
    const part = () => {
      if (left-- > 0) timer = setTimeout(part, ms / PARTS);
      else if (document.hidden) wait(true); // a hidden tab slows its workers
      else stop(`silent for ${ms / 1000} s, and ended`);
    };
    if (wanted) part();
  }
  function stop(reason) {
    end();
    lost(reason);
  }
  return {
    end,
    wait,
    post(message) {
      if (!worker) {
        const address = scriptOf(`postMessage({ up: true });\n${text}`);
        [worker, up] = [new Worker(address), false];
        worker.onmessage = ({ data }) => {
          if (!data.up) return heard(data);
          up = true;
          URL.revokeObjectURL(address);
          if (waiting) wait(true);
        };
        worker.onerror = (event) => {
          event.preventDefault();
          stop(event.message || "it stopped");
        };
      }
      worker.postMessage(message);
    },
  };
}

// Translates readers' texts, apart from the page. `ask(root, changed)` promises {parts, origins, settings}; it fails with
// {file, line, reason, remedy}. What is asked while it works takes the place of what was asked before.
function makeTongue(translator, sources) {
  const text = `"use strict";
${LOCK}const translator = (${translator})();
const sources = ${JSON.stringify(sources)};
const plain = (node) => (!node ? null : node.op === "USub" ? -plain(node.operand) : node.type === "Constant" && (node.kind === "int" || node.kind === "float") ? Number(node.value) : null);
onmessage = ({ data: { id, root, probe, changed } }) => {
  try {
    const read = (name) => changed[name] ?? (Object.prototype.hasOwnProperty.call(sources, name) ? sources[name] : undefined);
    const book = (name) => sources[name];
    const { known } = translator.translate(root, read, { checked: true, book });
    const { parts } = translator.translate(probe[0], read, { checked: true, known, book }); // what looks at it comes after it
    const origins = Object.fromEntries([...known].map(([name, module]) => [name, module.origins]));
    const start = known.get(root).values.get("start");
    const fields = start && start[1].parameters ? start[1].parameters[0] : null;
    const settings = fields && fields.defaults ? [...fields.defaults].map(([name, node]) => [name, fields.fields.get(name), plain(node)]) : [];
    postMessage({ id, parts, origins, settings, given: [...known.get(root).values.keys()] });
  } catch (error) {
    const { file = "", line = 0, remedy = "" } = error;
    const told = error.reason ?? (error.name === "RangeError" ? "this text is too deep" : "the translator failed: " + error.message);
    postMessage({ id, error: { file, line, reason: told, remedy: remedy || (error.name === "RangeError" ? "shorten it" : "") } });
  }
};`;
  let [id, waits] = [0, null];
  const box = makeBox(text, PATIENCE, (data) => {
    if (data.id !== id) return;
    box.wait(false);
    if (data.error) waits.reject(data.error);
    else waits.resolve(data);
  }, (reason) => waits.reject({ file: "", line: 0, reason: `the translation: ${reason}`, remedy: "shorten the text" }));
  return {
    ask({ root, probe }, changed) {
      id += 1;
      box.post({ id, root, probe, changed });
      box.wait(true);
      return new Promise((resolve, reject) => (waits = { resolve, reject }));
    },
    end: box.end,
  };
}

// The trainer of a reader's version, with the same calls as the book's; never on the main thread. A run that is silent is
// ended: `told` hears of that, and of what stops a run, as {file, line, reason, remedy}.
function makeWatched({ parts, origins }, { root, probe, needed }, arrived, told) {
  let script = `${LOCK}${PRINTING}const portable = {};\n`;
  const begins = {};
  for (const [name, code] of Object.entries(parts)) {
    begins[name] = script.split("\n").length + 1; // one line stands before it
    script += `portable[${JSON.stringify(name)}] = (${code})(portable);\n`;
  }
  script += workerSource("() => portable", root, probe);
  let job = null;
  let resting = false;
  const box = makeBox(script, STILL, hear, (reason) => fail(reason, { file: "", line: 0, reason: `the run: ${reason}`, remedy: "look for a loop that never ends" }));
  const listen = () => box.wait(job && !resting);
  function fail(error, place) {
    if (job) arrived({ job: job.id, error });
    told(place);
    job = null;
  }
  function hear(data) {
    if (!job || data.job !== job.id) return;
    if (data.error) {
      box.wait(false);
      return fail(data.error, placeOf(data, begins, origins));
    }
    const lacking = needed.filter((name) => !(name in data.readings));
    if (lacking.length) {
      const error = `your version records no ${lacking.join(", ")}`;
      box.end();
      return fail(error, { file: fileOf(root), line: 0, reason: error, remedy: "let what looks at it return it" });
    }
    arrived(data);
    if (data.finished && data.run + 1 >= job.runs) job = null;
    listen();
  }
  return {
    start(next) {
      job = next;
      box.post(["rest", resting]);
      box.post(["start", next]);
      listen();
    },
    stop() {
      job = null;
      box.post(["stop"]);
      listen();
    },
    rest(wanted) {
      resting = wanted;
      if (job) box.post(["rest", wanted]);
      listen();
    },
    place: () => "worker",
    dispose() {
      job = null;
      box.end();
    },
  };
}

// What a run prints goes with what it sends: at most a hundred lines a run, see the translator's `$print`.
const PRINTING = `const $post = self.postMessage.bind(self);
self.postMessage = (message, moved) => {
  $post({ ...message, printed: self.$printed }, moved);
  if (message.finished || message.error) self.$printed = [];
};
`;

// Where an error of a run was written: the checked form says it; else the first line of the stack that Python has.
function placeOf({ error, stack }, begins, origins) {
  const [whole, line, file] = error.match(/, line (\d+) of ([^\s,]+)/) ?? [];
  if (whole) return { file, line: Number(line), reason: error.replace(whole, ""), remedy: "" };
  const reason = /stack|recursion/i.test(error) ? "functions call each other without end" : /memory|alloc|length/i.test(error) ? "it needs more memory than there is" : error;
  for (const [, row] of stack.matchAll(/:(\d+):\d+\)?$/gm)) {
    for (const [name, lines] of Object.entries(origins)) {
      const at = lines[Number(row) - begins[name]];
      if (at) return { file: fileOf(name), line: at, reason, remedy: "" };
    }
  }
  return { file: "", line: 0, reason, remedy: "" };
}

// A text as it was meant where it was typed or pasted with other signs.
const MEANT = [[/\ufeff/g, ""], [/\r\n?/g, "\n"], [/\t/g, "    "], [/\u00a0/g, " "], [/[\u201c\u201d]/g, '"'], [/[\u2018\u2019]/g, "'"], [/\u2212/g, "-"], [/\u00d7/g, "*"]];
const meant = (text) => MEANT.reduce((now, [odd, sign]) => now.replace(odd, sign), text);

// A script that trains a version at these settings: the changed modules stand in it, the others are the library's.
export function versionPython({ root, probe }, changed, settings, seed) {
  const quoted = (text) => (/'''|\\|'$/.test(text) ? JSON.stringify(text) : `'''${text}'''`);
  const texts = Object.entries(changed).map(([name, text]) => `CHANGED["${name}"] = ${quoted(text)}\n`).join("\n");
  const [home, measure, atEnd] = probe ?? [];
  const looks = home ? `, measure=home.${measure}${atEnd ? `, at_end=home.${atEnd}` : ""}` : "";
  return `"""A changed model of the book How Attention Learns; needs its library."""\n\nimport importlib\n\nfrom lib.portable.python import Changed\n\nCHANGED = {}\n${texts}\nwith Changed(CHANGED):\n    from lib.portable import run\n\n    model = importlib.import_module("${root}")\n${home ? `    home = importlib.import_module("${home}")\n` : ""}    readings = run(model, ${seed}${looks}, ${given(Object.entries(settings))})\nprint({name: list(values)[-1] for name, values in readings.items()})\n`;
}

const fileOf = (module) => `${module.replace(/\./g, "/")}.py`;

// {open(file, link)}: the editor of one figure. `model`: {translator, sources, rest, files, root, probe, book, fields, needed,
// starts}: what trains, what looks at it and the module that is shown first, by name; sources: name -> Python,
// "file.json#key" -> numbers of a record, at first of what is shown alone: rest() promises the others; files: the modules
// that can be changed; the book's settings; the readings that the figure cannot do without; and ways to begin, [{title,
// module, lines: [[old, new], ...], says}].
export function makeChange(root, host, model) {
  const { sources } = model;
  let mine = {}; // module -> its text, of those that were opened or came with a link
  let tongue = null;
  let file = model.book;
  let extra = {};
  let running = null; // what was translated last
  let waiting = 0;
  let seen = 0; // of what was asked; the newest alone is heard
  let offered = false; // what came with a link is shown and waits

  const whole = async () => Object.assign(sources, await model.rest());
  const files = html("select", { "aria-label": "File" }, ...model.files.map((name) => html("option", { value: name }, fileOf(name).replace(/^lib\//, ""))));
  const area = html("textarea", { class: "le-code-text", spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off", "aria-label": "The model, in Python. Tab leaves the editor." });
  const [gutter, paint] = [html("div", { class: "le-code-gutter", "aria-hidden": true }), html("pre", { class: "le-code-paint", "aria-hidden": true })];
  const wrong = html("p", { class: "le-code-wrong", role: "status" });
  const came = html("p", { class: "le-code-came", hidden: true });
  const state = html("span", { class: "le-code-state", role: "status" });
  const changes = html("div", { class: "le-code-diff", tabindex: 0, role: "region", "aria-label": "What you changed" });
  const fields = html("div", { class: "le-code-fields" });
  const says = html("p", { class: "le-code-says" });
  const printed = html("pre", { class: "le-code-printed", tabindex: 0, role: "region", "aria-label": "What your version prints" });
  const tool = (text, action, name) => toolButton(text, action, { "data-tool": name });
  const back = tool("Back to the book’s", () => (offered ? drop() : put(sources[file])), "change-back");
  const share = tool("Copy link to this version", shareIt, "change-link");
  const python = tool("Copy Python of this version", () => copy(versionPython(model, changed(), host.given(), host.seed())), "change-python");
  const close = tool("Close", shut, "change-close");
  const starts = html("div", { class: "le-code-starts" }, "Try: ", ...model.starts.map((start) => tool(start.title, () => begin(start), "change-start")));
  const box = html("div", { class: "le-code-box" }, gutter, html("div", { class: "le-code-field" }, paint, area));
  const section = html("section", { class: "le-change", "aria-label": "Change the model" },
    html("div", { class: "le-code-bar" }, html("label", {}, "File ", files), state, back, share, python, close),
    came, model.starts.length ? starts : null, says, box, wrong, printed, fields,
    html("details", { open: true }, html("summary", {}, "What you changed"), changes));

  const changed = () => Object.fromEntries(Object.entries(mine).filter(([name, text]) => text !== sources[name]));

  function show() {
    const text = area.value;
    paint.textContent = "";
    let at = 0;
    for (const found of text.matchAll(CODE)) {
      const kind = ["text", "note", "word", "number"][[1, 2, 3, 4].findIndex((i) => found[i] !== undefined)];
      paint.append(text.slice(at, found.index), html("span", { class: `le-py-${kind}` }, found[0]));
      at = found.index + found[0].length;
    }
    paint.append(`${text.slice(at)}\n`);
    const [a, b] = [sources[file].split("\n"), text.split("\n")];
    let gone = false;
    gutter.textContent = "";
    for (const [kind, , j] of difference(a, b)) {
      if (kind === "gone") gone = true;
      else {
        gutter.append(html("div", { class: kind === "new" ? "le-code-new" : gone ? "le-code-below" : null }, String(j + 1)));
        gone = false;
      }
    }
    box.style.setProperty("--le-code-lines", b.length);
    tellChanges();
  }

  function tellChanges() {
    changes.textContent = "";
    let count = 0;
    for (const [name, text] of Object.entries(changed())) {
      const [a, b] = [sources[name].split("\n"), text.split("\n")];
      changes.append(html("div", { class: "le-code-name" }, fileOf(name)));
      for (const [kind, i, j] of difference(a, b)) {
        if (kind === "same") continue;
        count += 1;
        const mark = html("div", { class: `le-code-${kind}` }, `${kind === "new" ? "+" : "−"} ${kind === "new" ? b[j] : a[i]}`);
        changes.append(mark);
      }
    }
    if (!count) changes.append("Nothing yet: this is the book’s version.");
    back.disabled = area.value === sources[file];
    share.disabled = python.disabled = count === 0;
  }

  // What is wrong, at its line; the version that ran last stays, faded.
  function say(error) {
    root.classList.toggle("le-faded", Boolean(error));
    for (const row of gutter.children) row.classList.remove("le-code-fault");
    if (!error) return setText(wrong, "");
    const here = !error.file || error.file === fileOf(file);
    const where = [here ? "" : error.file.replace(/^lib\//, ""), error.line ? `line ${error.line}` : ""].filter(Boolean).join(", ");
    const odd = /[^\0-\x7f’]/u.exec(error.reason)?.[0]; // looks like another sign, or like none
    const code = odd ? ` (U+${odd.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}: type it anew)` : "";
    setText(wrong, `${where ? `${where}: ` : ""}${error.reason}${code}${error.remedy ? `. Instead: ${error.remedy}` : ""}.`.replace("?.", "?"));
    if (here && error.line) gutter.children[error.line - 1]?.classList.add("le-code-fault");
    setText(state, "the figure keeps the last version that ran");
  }

  async function ask() {
    if (offered) return;
    const now = ++seen;
    const own = changed();
    if (!Object.keys(own).length) {
      say(null);
      setText(state, "the book’s version");
      tellFields([]);
      setText(printed, "");
      return host.change(null);
    }
    setText(state, "translating");
    try {
      await whole();
      tongue ??= makeTongue(model.translator, sources);
      if (now !== seen) return;
      const made = await tongue.ask(model, own);
      if (now !== seen) return;
      const lacking = ["start", "step", "done", "steps_of"].filter((name) => !made.given.includes(name));
      if (lacking.length) throw { file: fileOf(model.root), line: 0, reason: `the figure calls ${lacking.join(" and ")}, which is gone`, remedy: "put it back" };
      say(null);
      running = made;
      tellFields(made.settings);
      setText(printed, "");
      train();
    } catch (error) {
      if (now === seen) say(error.reason ? error : { file: "", line: 0, reason: String(error.message ?? error), remedy: "" });
    }
  }

  function train() {
    const made = running;
    setText(state, "your version trains");
    host.change({
      extra,
      engine: (arrived) => makeWatched(made, model, (message) => {
        if (message.printed && !message.run) setText(printed, message.printed.join("\n"));
        if (message.finished) setText(state, "your version, over the book’s");
        arrived(message);
      }, say),
    });
  }

  // Settings that the book's model has not got have a box of their own.
  function tellFields(settings) {
    const own = settings.filter(([name, kind]) => !model.fields.includes(name) && (kind === "int" || kind === "float"));
    const kept = extra;
    extra = Object.fromEntries(own.map(([name, , value]) => [name, kept[name] ?? value ?? 0]));
    if (fields.dataset.names === own.join()) return;
    fields.dataset.names = own.join();
    fields.replaceChildren(...own.map(([name, kind]) => {
      const input = html("input", { type: "number", step: kind === "int" ? 1 : "any", value: extra[name] });
      input.addEventListener("change", () => {
        if (!Number.isFinite(input.valueAsNumber)) return;
        extra[name] = kind === "int" ? Math.round(input.valueAsNumber) : input.valueAsNumber;
        train();
      });
      return html("label", {}, `${name} (yours) `, input);
    }));
  }

  function edited() {
    mine[file] = meant(area.value);
    show();
    clearTimeout(waiting);
    waiting = setTimeout(ask, WAIT);
  }

  // Through the editor's own undo: Ctrl+Z brings back what was there.
  function put(text) {
    area.focus();
    area.select();
    if (!document.execCommand("insertText", false, text)) area.value = text;
    edited();
  }

  function choose(name) {
    file = name;
    files.value = name;
    area.value = mine[name] ?? sources[name];
    show();
  }

  async function begin({ module, lines, says: sentence }) {
    await whole();
    choose(module);
    const text = lines.reduce((now, [old, come]) => now.replace(old, () => come), sources[module]);
    setText(says, sentence);
    put(text);
    toLine(patchOf(sources[module], text)[0]?.[0] ?? 0);
  }

  function toLine(line) {
    area.scrollTop = Math.max(0, line - 4) * 18;
    scrolled();
  }

  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      setText(state, "copied");
    } catch {
      setText(wrong, text); // no clipboard here: it can be taken from the page
    }
  }

  async function shareIt() {
    const own = Object.entries(changed()).map(([name, text]) => [name, editionOf(sources[name]), patchOf(sources[name], text)]);
    const link = `${host.link()};change:${root.dataset.explorer}=${await packed(own)}`;
    if (link.length > LONGEST) return say({ file: "", line: 0, reason: "this change is too long for a link", remedy: "copy its Python" });
    copy(link);
  }

  // What came with a link goes, as if it had not come.
  function drop() {
    hold(false);
    mine = {};
    choose(file);
    ask();
  }

  function hold(wanted) {
    offered = wanted;
    area.readOnly = wanted;
    for (const start of starts.children) start.disabled = wanted;
    if (!wanted) came.hidden = true;
  }

  function shut() {
    section.remove();
    if (offered) drop();
    seen += 1;
    clearTimeout(waiting);
    tongue?.end();
    root.classList.remove("le-faded");
    host.change(null);
    root.querySelector("[data-tool=change-the-model]")?.focus();
  }

  const scrolled = () => {
    gutter.style.transform = `translateY(${-area.scrollTop}px)`;
    paint.style.transform = `translate(${-area.scrollLeft}px, ${-area.scrollTop}px)`;
  };
  area.addEventListener("input", edited);
  area.addEventListener("scroll", scrolled);
  area.addEventListener("keydown", (event) => {
    event.stopPropagation(); // a space is a space here
    if (event.key !== "Enter" || event.isComposing || event.ctrlKey || event.metaKey) return;
    event.preventDefault(); // the next line is as deep as this one
    const line = area.value.slice(0, area.selectionStart).split("\n").pop();
    document.execCommand("insertText", false, `\n${line.match(/^ */)[0]}${/:\s*(#.*)?$/.test(line) ? "    " : ""}`);
  });
  files.addEventListener("change", () => whole().then(() => choose(files.value)));

  // A change that came with a link is shown, and waits.
  async function offer(text) {
    try {
      const [brought] = await Promise.all([unpackedChanges(text), whole()]);
      const texts = brought.map(([name, edition, patch]) => {
        if (!model.files.includes(name) || edition !== editionOf(sources[name])) throw new Error("it changes another edition of the book");
        return [name, patched(sources[name], patch)];
      });
      const run = tool("Run it", () => {
        hold(false);
        ask();
        area.focus();
      }, "change-run");
      came.replaceChildren("This link carries code that somebody wrote. Its changes are marked below; nothing of it has run. ", run);
      mine = Object.fromEntries(texts);
      seen += 1; // nothing that was asked before is heard
      hold(true);
      const [first] = brought;
      choose(first?.[0] ?? file);
      toLine(first?.[2][0]?.[0] ?? 0);
    } catch (error) {
      came.replaceChildren(`The change in this link cannot be read: ${error.message}. This is the book’s version.`);
    }
    came.hidden = false;
  }

  return {
    // Open it at a module, with what came with a link, or none.
    async open(name, link) {
      if (!section.isConnected) root.append(section);
      if (model.files.includes(name) && name !== file) await whole();
      choose(model.files.includes(name) ? name : file);
      if (link) await offer(link);
      else {
        ask();
        area.focus({ preventScroll: true });
      }
      section.scrollIntoView({ block: "nearest" });
    },
  };
}
