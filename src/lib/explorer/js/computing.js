// A figure that computes: theory at once, at every move; then runs, one after the other, drawn as they grow.

const nameOf = (text) => text.match(/^([A-Za-z_]\w*): /)?.[1];

function makeComputing(root, spec, program, host) {
  const { run, own, runs: wanted } = spec.computes;
  const portable = program();
  const [mine, model] = [portable[own], portable[run]];
  const first = (spec.computes.first ?? []).map((arrays) => {
    const readings = Object.fromEntries(Object.entries(arrays).map(([name, text]) => [name, new Float64Array(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer)]));
    return finishedRun(readings);
  });
  const initial = Object.fromEntries(spec.controls.map((c) => [c.name, c.stops[c.default]]));
  let jobs = 0;
  let seed = 0;
  let now = null; // {settings, chosen, theory, runs, ghost, remark}
  let remark = "";
  let trouble = "";
  let frame = 0;
  let view = null;

  function finishedRun(readings) {
    return { readings, finished: true, lost: readings.diverged_at[0] >= 0 };
  }

  const engine = (host.engine ?? ((arrived) => makeEngine(program, run, arrived)))((message) => {
    if (!now || message.job !== jobs) return;
    if (message.error) trouble = `The run stopped: ${message.error}`;
    else now.runs[message.run] = message.finished ? finishedRun(message.readings) : { readings: message.readings, finished: false, lost: false };
    if (message.finished && !now.runs[message.run].lost) now.ghost = null;
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      show();
    });
  });

  // Why a slider refuses a value, or nothing: [its name, the reason].
  function refusal(settings) {
    for (const { name, low, high, integer } of spec.controls) {
      const value = settings[name];
      if (!Number.isFinite(value)) return [name, `${name}: expected a number, got ${value}`];
      if (value < low || value > high) return [name, `${name}: expected a value from ${low} to ${high}, got ${value}`];
      if (integer && !Number.isInteger(value)) return [name, `${name}: expected a whole number, got ${value}`];
    }
    return null;
  }

  function request(settings) {
    let refused = refusal(settings);
    let chosen = null;
    const theory = {};
    if (!refused) {
      try {
        chosen = mine[spec.computes.settings](...spec.controls.map((c) => settings[c.name]));
        model?.start(chosen, seed);
        for (const name of spec.computes.theory) {
          for (const [key, values] of Object.entries(mine[name](chosen))) theory[`${name}.${key}`] = values;
        }
        host.over?.(theory, settings);
      } catch (error) {
        refused = [nameOf(error.message), error.message];
      }
    }
    if (refused) return view.refuse(...refused);
    trouble = "";
    // What a run before was about to draw is out of date.
    cancelAnimationFrame(frame);
    frame = 0;
    // What was drawn before stays as a ghost until the first run at the new settings has come.
    const before = now?.runs.filter((one) => one.finished && !one.lost) ?? [];
    const ghost = before.length ? { time: now.theory[spec.time.key], runs: before.slice(0, 3) } : (now?.ghost ?? null);
    const standing = seed === 0 && sameSettings(initial, settings) ? [...first] : [];
    now = { settings, chosen, theory, runs: standing, ghost: standing.length ? null : ghost, remark };
    remark = "";
    jobs += 1;
    if (standing.length < wanted) engine.start({ id: jobs, settings: chosen, seed, run: standing.length, runs: wanted });
    else engine.stop();
    show();
  }

  function facts() {
    const found = {};
    for (const [name, values] of Object.entries(now.theory)) if (values.length === 1) found[name] = values[0];
    const whole = now.runs.filter((one) => one.finished && !one.lost);
    const outcomes = whole.map(({ readings }) => mine[spec.computes.outcome](...spec.computes.measured.map((name) => readings[name])));
    for (const name of Object.keys(outcomes[0] ?? {})) {
      const values = outcomes.map((one) => one[name][0]).filter((v) => !Number.isNaN(v));
      found[name] = values.length ? median(values) : NaN;
      found[`sum.${name}`] = values.reduce((a, b) => a + b, 0);
    }
    return { ...found, runs: whole.length };
  }

  const finishedCount = () => now.runs.filter((one) => one.finished).length;

  function show() {
    const lost = now.runs.filter((one) => one.lost).map((one) => one.readings.diverged_at[0]);
    const done = finishedCount();
    view.show({
      settings: now.settings,
      arrays: bindArrays(spec, now.theory, now.runs, now.ghost),
      reading: sayAll(spec.computes.reading, facts()),
      notice: [saidDivergence(lost, done), trouble].filter(Boolean).join(" "),
      remark: now.remark,
      error: "",
      count: `${done} of ${wanted} runs`,
      computing: done < wanted && !trouble,
    });
    host.shown?.(now);
  }

  // The Python that gives the readings of the finished runs.
  function code() {
    const { module, defaults } = spec.python;
    const parts = module.split(".");
    const last = parts.pop();
    const moved = Object.entries(now.chosen).filter(([name, v]) => v !== defaults[name] || name in now.settings);
    const given = moved.map(([name, v]) => `${name}=${v}`).join(", ");
    const many = Math.max(1, finishedCount());
    // A run of the notebook's own: the figure of its cell computes it.
    if (!parts.length) return `# after: figure = show(..., run=...)\n\nfigure.set(${spec.controls.map((c) => `${c.name}=${now.settings[c.name]}`).join(", ")})\nruns = figure.compute(figure.settings, seed=${seed}, runs=${many}).runs\n`;
    return `from ${parts.join(".")} import ${last}\n\nruns = [${last}.run(seed=seed, ${given}) for seed in range(${seed}, ${seed + many})]\n`;
  }

  // A page that is not seen does not compute.
  let inSight = true;
  const rest = () => engine.rest(document.hidden || !inSight);
  const sight = new IntersectionObserver((entries) => {
    inSight = entries.at(-1).isIntersecting;
    rest();
  }, { rootMargin: "200px" });
  sight.observe(root);
  document.addEventListener("visibilitychange", rest);
  rest();

  Object.assign(host, {
    live: "exact",
    request,
    code,
    tools: { "Another seed": () => host.reseed(seed + wanted) },
    state: () => ({
      seed,
      time: view.now(),
      trainer: engine.place(),
      resting: document.hidden || !inSight,
      count: now ? finishedCount() : 0,
      runs: now?.runs.map(({ readings, finished, lost }) => ({ finished, lost, readings: Object.fromEntries(Object.entries(readings).map(([k, v]) => [k, Array.from(v, (x) => (Number.isFinite(x) ? x : null))])) })),
      theory: now && Object.fromEntries(Object.entries(now.theory).map(([k, v]) => [k, Array.from(v, (x) => (Number.isFinite(x) ? x : String(x)))])),
    }),
  });
  return {
    attach: (made) => (view = made),
    seed: () => seed,
    setSeed: (value) => (seed = value),
    remark: (text) => (remark = text),
    dispose() {
      engine.dispose();
      sight.disconnect();
      document.removeEventListener("visibilitychange", rest);
    },
  };
}
