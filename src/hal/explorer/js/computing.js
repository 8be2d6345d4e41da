// A figure that computes: theory at once, at every move; then runs, one after the other, drawn as they grow.

const AT_REST = 600; // ms after the last move, when axes may shrink

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
  let dragging = false;
  let seed = 0;
  let now = null; // {settings, chosen, theory, runs, drawn: the run that is drawn as it grows, ghost, remark}
  let remark = "";
  let trouble = "";
  let frame = 0; // asked for, to draw what has come
  let later = 0;
  let seen = 0; // finished runs that are drawn
  let view = null;
  let pressed = false; // a slider or a handle is being dragged
  let movedAt = -Infinity;
  let settling = 0;
  const holds = makeHolds(root, spec, () => now && show());

  function finishedRun(readings) {
    return { readings, finished: true, lost: readings.diverged_at[0] >= 0 };
  }

  const engine = (host.engine ?? ((arrived) => makeEngine(program, run, arrived)))((message) => {
    if (!now || message.job !== jobs) return;
    if (message.error) trouble = `The run stopped: ${message.error}`;
    else now.runs[message.run] = message.finished ? finishedRun(message.readings) : { readings: message.readings, finished: false, lost: false };
    if (message.finished && !now.runs[message.run].lost) now.ghost = null;
    // The first run is drawn as it grows and the last when it is done; those between a few times a second, so that the
    // sliders stay light.
    if (message.run === now.drawn || message.error || finishedCount() === wanted) soon();
    else later ||= setTimeout(soon, 120);
  });

  function soon() {
    clearTimeout(later);
    later = 0;
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      show();
    });
  }

  // What a run before was about to draw is out of date.
  function forget() {
    clearTimeout(later);
    cancelAnimationFrame(frame);
    [later, frame] = [0, 0];
  }

  // Drawn once more at rest, since what came while something moved was drawn on axes that held still.
  function settleLater() {
    clearTimeout(settling);
    settling = setTimeout(() => {
      if (pressed) settleLater();
      else if (!view.refused) show();
    }, AT_REST + 20);
  }

  // Why a slider refuses a value, or nothing: [its name, the reason].
  function refusal(settings) {
    for (const { name, low, high, integer, weights } of spec.controls) {
      const value = settings[name];
      if (weights) continue; // kept whole by what moves them
      if (!Number.isFinite(value)) return [name, `${name}: expected a number, got ${value}`];
      if (value < low || value > high) return [name, `${name}: expected a value from ${low} to ${high}, got ${value}`];
      if (integer && !Number.isInteger(value)) return [name, `${name}: expected a whole number, got ${value}`];
    }
    return null;
  }

  // Weights follow the setting that says how many there are.
  function fitted(settings) {
    const found = { ...settings };
    for (const { name, weights } of spec.controls) if (weights) found[name] = refitted(settings[name], typeof weights === "string" ? settings[weights] : weights);
    if (!sameSettings(found, settings)) view.set(found, false);
    return found;
  }

  function request(asked) {
    if (now) {
      movedAt = performance.now();
      settleLater();
    }
    const settings = fitted(asked);
    let refused = refusal(settings);
    let chosen = null;
    const theory = {};
    if (!refused) {
      try {
        chosen = mine[spec.computes.settings](...spec.controls.map((c) => (c.weights ? Float64Array.from(settings[c.name]) : settings[c.name])));
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
    forget();
    // What was drawn before stays as a ghost until the first run at the new settings has come.
    const before = now?.runs.filter((one) => one.finished && !one.lost) ?? [];
    const ghost = before.length ? { theory: now.theory, runs: before.slice(0, 3) } : (now?.ghost ?? null);
    const standing = seed === 0 && sameSettings(initial, settings) ? [...first] : [];
    now = { settings, chosen, theory, runs: standing, drawn: standing.length, ghost: standing.length ? null : ghost, remark };
    remark = "";
    jobs += 1;
    // While a handle is dragged theory follows; a run starts when it is let go.
    if (standing.length < wanted && !dragging) engine.start({ id: jobs, settings: chosen, seed, run: standing.length, runs: wanted });
    else engine.stop();
    show();
  }

  // Other runs, from this seed on; a host that keeps the seed elsewhere hears of it.
  function reseed(value) {
    seed = value;
    host.seeded?.(value);
    host.touched?.(view.settings);
    request(view.settings);
  }

  const finishedCount = () => now.runs.filter((one) => one.finished).length;

  function show() {
    const lost = now.runs.filter((one) => one.lost).map((one) => one.readings.diverged_at[0]);
    const done = finishedCount();
    seen = done;
    holds.say(now.settings);
    now.facts = factsOf(spec.computes, mine, now.theory, now.runs);
    view.show({
      settings: now.settings,
      arrays: bindArrays(spec, now, { ghost: now.ghost, held: holds.states() }),
      facts: now.facts,
      reading: sayAll(spec.computes.reading, now.facts),
      notice: [saidDivergence(lost, done), trouble].filter(Boolean).join(" "),
      remark: now.remark,
      error: "",
      count: wanted > 1 ? `${done} of ${wanted} runs` : "",
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
    const literal = (v) => (typeof v === "object" ? `[${Array.from(v).join(", ")}]` : v);
    const given = moved.map(([name, v]) => `${name}=${literal(v)}`).join(", ");
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
  const press = () => (pressed = true);
  const release = () => (pressed = false);
  root.addEventListener("pointerdown", press);
  for (const name of ["pointerup", "pointercancel"]) addEventListener(name, release);

  // What panels ask of the figure: whether something moves, so that axes hold still; and how their handles set settings.
  function attach(made) {
    view = made;
    view.moving = () => pressed || performance.now() - movedAt < AT_REST;
    view.drag = (settings) => {
      dragging = true;
      view.set(settings);
    };
    view.settle = () => {
      dragging = false;
      request(view.settings);
    };
  }

  Object.assign(host, {
    live: "exact",
    request,
    code,
    seed: () => seed,
    reseed,
    // A figure of one run has nothing random in it.
    tools: { ...(wanted > 1 ? { "Another seed": () => reseed(seed + wanted) } : {}), Hold: () => now && holds.add(now) },
    state: () => ({
      seed,
      trainer: engine.place(),
      resting: document.hidden || !inSight,
      count: seen,
      runs: now?.runs.map(({ readings, finished, lost }) => ({ finished, lost, readings: Object.fromEntries(Object.entries(readings).map(([k, v]) => [k, Array.from(v, (x) => (Number.isFinite(x) ? x : null))])) })),
      theory: now && Object.fromEntries(Object.entries(now.theory).map(([k, v]) => [k, Array.from(v, (x) => (Number.isFinite(x) ? x : String(x)))])),
    }),
  });
  return {
    attach,
    seed: () => seed,
    setSeed: (value) => (seed = value),
    remark: (text) => (remark = text),
    dispose() {
      forget();
      clearTimeout(settling);
      engine.dispose();
      sight.disconnect();
      document.removeEventListener("visibilitychange", rest);
      for (const name of ["pointerup", "pointercancel"]) removeEventListener(name, release);
    },
  };
}
