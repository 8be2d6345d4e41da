// A figure without a page, as the build and kernels have it: what it computes, says and draws. Arrays of numbers come and
// go as base64, with every bit.

import { bindArrays } from "./binding.js";
import { factsOf, middleRun, saidDivergence, sayAll } from "./facts.js";
import { stillOf } from "./still.js";
import { makeProgram, recorded } from "./trainer.js";

const asBase64 = (values) => new Uint8Array(Float64Array.from(values).buffer).toBase64();
const numbersOf = (text) => new Float64Array(Uint8Array.fromBase64(text).buffer);
const each = (numbers, change) => Object.fromEntries(Object.entries(numbers).map(([name, values]) => [name, change(values)]));

const finished = (readings) => ({ readings, finished: true, lost: readings.diverged_at[0] >= 0 });

export function makeBuilt(spec, modules) {
  const { own, run, textbook, probe, settings, theory: functions } = spec.computes;
  const portable = makeProgram(modules)();
  let [chosen, state] = [null, null];

  // What is known of theory and runs.
  function take(theory, runs) {
    const facts = factsOf(spec.computes, portable[own], theory, runs);
    state = { theory, runs, facts, shown: middleRun(runs, spec.computes.middle) };
    return { facts: each(facts, (value) => asBase64([value])), shown: state.shown };
  }

  return {
    // Theory at these settings; the figure has no run yet.
    choose(point, seed) {
      chosen = portable[own][settings](...spec.controls.map((c) => (c.weights ? Float64Array.from(point[c.name]) : point[c.name])));
      const theory = { [spec.time.key]: textbook ? portable[textbook].steps_of(chosen) : [0] };
      for (const name of functions) for (const [key, values] of Object.entries(portable[own][name](chosen, seed))) theory[`${name}.${key}`] = values;
      state = { theory: each(theory, (values) => Float64Array.from(values)), runs: [] };
      return each(theory, asBase64);
    },
    // The readings of one more run.
    train(seed) {
      const model = recorded(portable, run, probe);
      const made = model.start(chosen, seed);
      while (!model.done(made)) model.step(made);
      state.runs.push(finished(each(model.read(made), (values) => Float64Array.from(values))));
      return each(state.runs.at(-1).readings, asBase64);
    },
    facts: () => take(state.theory, state.runs),
    take: (theory, runs) => take(each(theory, numbersOf), runs.map((one) => finished(each(one, numbersOf)))),
    // Arrays of the panels, the sentence, and what went wrong.
    draw() {
      const lost = state.runs.filter((one) => one.lost).map(({ readings }) => readings.diverged_at[0]);
      return {
        arrays: each(bindArrays(spec, state), ({ shape, data }) => [shape, asBase64(data)]),
        reading: sayAll(spec.computes.reading, state.facts),
        notice: saidDivergence(lost, state.runs.length),
      };
    },
    // As one picture, at the settings of these sliders.
    still: (point, css) => stillOf(spec, state, bindArrays(spec, state), point, css, sayAll(spec.computes.reading, state.facts)),
    say: (sentences) => sayAll(sentences, state.facts),
  };
}

export const built = {};
