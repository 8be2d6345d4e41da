// From named numbers to what panels draw: the page's side of the panels' `items` in Python.

// Quantile of sorted numbers, between neighbours on a straight line.
function quantile(sorted, share) {
  const place = share * (sorted.length - 1);
  const low = Math.floor(place);
  const rest = place - low;
  return rest ? sorted[low] + (sorted[low + 1] - sorted[low]) * rest : sorted[low];
}

// Rows of one reading, each as long as the whole training time; NaN where a run has not come yet.
function rowsOf(runs, name, length) {
  return runs.map(({ readings }) => {
    const row = new Float64Array(length).fill(NaN);
    row.set(readings[name].subarray(0, length));
    return row;
  });
}

function joined(rows, length) {
  const data = new Float64Array(rows.length * length);
  rows.forEach((row, i) => data.set(row, i * length));
  return { shape: [rows.length, length], data };
}

// Middle and 10-90 % band of rows.
function bandOf(rows, length) {
  const out = [0.1, 0.5, 0.9].map(() => new Float64Array(length).fill(NaN));
  for (let i = 0; i < length; i++) {
    const sorted = rows.map((row) => row[i]).filter(Number.isFinite).sort((a, b) => a - b);
    if (sorted.length) [0.1, 0.5, 0.9].forEach((share, k) => (out[k][i] = quantile(sorted, share)));
  }
  return out.map((data) => ({ shape: [length], data }));
}

/* Arrays to draw, by panel and role.
   theory: name -> numbers; runs: [{readings, finished, lost}] in the order of their seeds, the last perhaps still
   growing; ghost: {time, runs} of the settings before, or null. From three finished runs on a line is a band. */
function bindArrays(spec, theory, runs, ghost) {
  const time = theory[spec.time.key];
  const length = time.length;
  const whole = runs.filter((run) => run.finished && !run.lost);
  const rest = runs.filter((run) => !whole.includes(run));
  const flat = (values) => ({ shape: [values.length], data: values });
  const arrays = { time: flat(time) };
  spec.panels.forEach(({ kind, sources }, i) => {
    for (const [role, name] of Object.entries(sources)) {
      const key = `${i}.${role}`;
      const values = theory[name];
      if (kind === "plane") {
        const path = /^[xy]\d/.test(role);
        if (values) arrays[key] = path ? { shape: [1, values.length], data: values } : flat(values);
        else arrays[key] = joined(rowsOf(runs, name, length), length);
        if (!values && ghost) arrays[`${key}.ghost`] = joined(rowsOf(ghost.runs, name, ghost.time.length), ghost.time.length);
      } else if (values) {
        arrays[key] = flat(values);
        for (const end of [".low", ".high"]) if (theory[name + end]) arrays[key + end] = flat(theory[name + end]);
      } else {
        if (whole.length > 2) {
          [arrays[`${key}.low`], arrays[key], arrays[`${key}.high`]] = bandOf(rowsOf(whole, name, length), length);
          arrays[`${key}.rest`] = joined(rowsOf(rest, name, length), length);
        } else {
          const rows = rowsOf(runs, name, length);
          arrays[key] = rows.length === 1 ? flat(rows[0]) : joined(rows, length);
        }
        arrays[`${key}.lost`] = joined(rowsOf(runs.filter((run) => run.lost), name, length), length);
        if (ghost) Object.assign(arrays, { [`${key}.ghost`]: joined(rowsOf(ghost.runs, name, ghost.time.length), ghost.time.length), [`${key}.ghost.x`]: flat(ghost.time) });
      }
    }
  });
  return arrays;
}
