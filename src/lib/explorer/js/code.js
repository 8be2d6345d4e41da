// The Python that gives the numbers on the screen, and the clipboard.

function pythonCode(spec, settings) {
  const literal = (control, v) => {
    if (typeof v === "boolean") return v ? "True" : "False";
    if (v === null) return "None";
    if (typeof v === "string") return JSON.stringify(v);
    return !control.integer && Number.isInteger(v) ? `${v}.0` : String(v);
  };
  const { module, name, fixed } = spec.python;
  const given = [...spec.controls.map((c) => `${c.name}=${literal(c, settings[c.name])}`), ...Object.entries(fixed).map(([k, v]) => `${k}=${v}`)];
  const first = module === "__main__" ? "# after the cells of this notebook that define it\n" : `from ${module} import ${name.split(".")[0]}\n\n`;
  return `${first}data = ${name}(${given.join(", ")})\n`;
}

async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // No clipboard on this page (an insecure address, an old browser): the older way.
    const area = html("textarea", { class: "le-hidden" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}
