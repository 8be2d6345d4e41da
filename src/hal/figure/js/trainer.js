// Training in slices: in a Web Worker made from the page's own script, or on the main thread where there is none.

// A program put together from its modules: [name, function of all modules before it]. Called, it gives all by their
// names; as text it is the same program, for a worker.
export function makeProgram(modules) {
  function program() {
    const portable = {};
    for (const [name, make] of modules) portable[name] = make(portable);
    return portable;
  }
  const line = ([name, make]) => `portable[${JSON.stringify(name)}] = (${make})(portable);`;
  program.toString = () => `() => {\nconst portable = {};\n${modules.map(line).join("\n")}\nreturn portable;\n}`;
  return program;
}

// A textbook whose runs are recorded: the page's side of `lib.portable.textbooks`. `measure` looks at the state at each
// record; its arrays keep their length through a run. `atEnd` looks when the run is read, also at the readings that it asks for. It goes into the worker as text.
export function recorded(portable, module, probe) {
  const model = portable[module];
  const [place, measure, atEnd, ...asked] = probe;
  const home = portable[place];
  function look(run) {
    const { state, due, kept } = run;
    while (run.count < due.length && (state.time ?? state.step) >= due[run.count] && state.diverged_at < 0) {
      for (const [name, values] of Object.entries(home[measure](state))) {
        kept[name] ??= new Float64Array(due.length * values.length);
        kept[name].set(values, run.count * values.length);
      }
      run.count += 1;
    }
    return run;
  }
  return {
    steps_of: model.steps_of,
    start: (settings, seed) => look({ state: model.start(settings, seed), due: model.steps_of(settings), kept: {}, count: 0 }),
    step(run) {
      model.step(run.state);
      look(run);
    },
    done: (run) => model.done(run.state),
    read({ state, due, kept, count }) {
      const found = { [state.time === undefined ? "steps" : "time"]: due.subarray(0, count) };
      for (const [name, values] of Object.entries(kept)) found[name] = values.subarray(0, (values.length / due.length) * count);
      const ends = atEnd ? home[atEnd](state, ...asked.map((name) => (count ? found[name].slice() : new Float64Array(0)))) : {};
      return { ...found, diverged_at: Float64Array.of(state.diverged_at >= 0 ? state.diverged_at : NaN), ...ends };
    },
  };
}

// One run after the other, some 12 ms at a time; the first of a job in shorter slices, so that its curve grows at once
// and a worker hears soon that the sliders have moved on; but a slice is never shorter than three times what telling of
// it takes, which for long contexts is millions of numbers. `send` gets {job, run, readings, finished} after every slice,
// or {job, error, stack}, and the buffers of the readings, copies, which a worker hands over rather than have the page
// copy them again; `later` calls back after what else waits has had its turn. It goes into the worker as text, and so uses
// no name of the module.
function makeTrainer(model, send, later) {
  let job = null;
  let state = null;
  let pace = 1;
  let room = 12; // ms of a slice
  let waiting = false;
  let resting = false;

  function slice() {
    waiting = false;
    if (!job || resting) return;
    const now = job;
    try {
      state ??= model.start(now.settings, now.seed + now.run);
      const begun = performance.now();
      for (let spent = 0; spent < room && !model.done(state); ) {
        for (let i = 0; i < pace && !model.done(state); i++) model.step(state);
        const took = performance.now() - begun - spent;
        spent += took;
        // Some 3 ms between two looks at the clock.
        pace = Math.max(1, Math.min(2 * pace, Math.round((3 * pace) / Math.max(took, 0.1))));
      }
      const ended = performance.now();
      const readings = Object.fromEntries(Object.entries(model.read(state)).map(([name, values]) => [name, values.slice()]));
      const finished = model.done(state);
      send({ job: now.id, run: now.run, readings, finished }, Object.values(readings).map(({ buffer }) => buffer));
      room = Math.max(now.run || finished ? 12 : 5, 3 * (performance.now() - ended));
      if (finished) {
        state = null;
        job = now.run + 1 < now.runs ? { ...now, run: now.run + 1 } : null;
      }
    } catch (error) {
      job = null;
      send({ job: now.id, error: error.message, stack: String(error.stack) });
    }
    go();
  }

  function go() {
    if (waiting || !job || resting) return;
    waiting = true;
    later(slice);
  }

  return {
    // {id, settings, seed, run, runs}: trains the runs from number `run` on, in place of what was trained before.
    start(next) {
      job = next;
      state = null;
      pace = 1;
      room = 5;
      go();
    },
    stop() {
      job = null;
    },
    rest(wanted) {
      resting = wanted;
      go();
    },
  };
}

// What a worker does with a program, an expression that gives all modules by their names: it trains one of them.
export function workerSource(program, module, probe) {
  return `"use strict";
    const channel = new MessageChannel();
    let next = null;
    channel.port1.onmessage = () => next();
    const later = (f) => { next = f; channel.port2.postMessage(0); };
    const trainer = (${makeTrainer})((${recorded})((${program})(), ${JSON.stringify(module)}, ${JSON.stringify(probe)}), postMessage.bind(globalThis), later);
    onmessage = ({ data: [what, value] }) => trainer[what](value);
  `;
}

export const scriptOf = (text) => URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
// A worker that trains says something every 12 ms or so. One that is silent for so long (ms) was stopped by the browser,
// which may not tell.
const SILENCE = 10_000;

// The trainer of a figure. Where a worker cannot start or dies, the same slices run on the main thread: `arrived` gets
// the same messages, and the job that was under way starts again at the run it was at.
export function makeEngine(program, module, probe, arrived) {
  let current = null;
  let worker = null;
  let own = null;
  let resting = false;
  let silence = 0;
  const send = (message) => {
    if (!current || message.job !== current.id) return;
    if (message.finished) current = { ...current, run: message.run + 1 };
    if (message.error) current = null;
    listen();
    arrived(message);
  };
  const here = () => (own ??= makeTrainer(recorded(program(), module, probe), send, (f) => setTimeout(f)));
  const listen = () => {
    clearTimeout(silence);
    const trains = current && current.run < current.runs && !resting;
    if (worker && trains) silence = setTimeout(fallBack, SILENCE);
  };
  const fallBack = () => {
    clearTimeout(silence);
    worker?.terminate();
    worker = null;
    here().rest(resting);
    if (current && current.run < current.runs) here().start(current);
  };
  try {
    worker = new Worker(scriptOf(workerSource(program, module, probe)));
    worker.onmessage = ({ data }) => send(data);
    worker.onerror = (event) => {
      event.preventDefault();
      fallBack();
    };
  } catch {
    fallBack();
  }
  const tell = (what, value) => (worker ? worker.postMessage([what, value]) : here()[what](value));
  return {
    start(job) {
      current = job;
      tell("start", job);
      listen();
    },
    stop() {
      current = null;
      tell("stop");
      listen();
    },
    rest(wanted) {
      resting = wanted;
      tell("rest", wanted);
      listen();
    },
    place: () => (worker ? "worker" : "page"),
    dispose() {
      current = null;
      clearTimeout(silence);
      worker?.terminate();
      own?.stop();
    },
  };
}

// Readings as they travel: each array as the base64 text of its doubles.
export function unpacked(arrays) {
  const numbers = (text) => new Float64Array(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
  return Object.fromEntries(Object.entries(arrays).map(([name, text]) => [name, numbers(text)]));
}
