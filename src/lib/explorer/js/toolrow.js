// The buttons: what acts on the figure stands by the sliders, what takes something away with it by the play bar.

function makeButton(text, action, more) {
  const button = html("button", { type: "button", class: "le-tool", ...more }, text);
  button.addEventListener("click", () => action(button));
  return button;
}

// A word in place of the button's own for a moment.
function answer(button, text) {
  const before = (button.dataset.text ??= button.textContent);
  button.textContent = text;
  clearTimeout(button.timer);
  button.timer = setTimeout(() => (button.textContent = before), 1600);
}

const toolName = (text) => text.toLowerCase().replaceAll(" ", "-");

// {acts, takes, code, tables}: two rows of buttons, and the boxes that two of them open.
function makeTools(view, host, panels) {
  const code = html("pre", { class: "le-code", hidden: true, tabindex: 0, role: "region", "aria-label": "Python" });
  const tables = makeTables(panels);
  const reset = () => {
    host.reseed?.(0);
    view.set(view.defaults());
  };
  const showCode = (button) => {
    code.hidden = false;
    copyText(code.textContent).then(() => answer(button, "Copied"));
  };
  const showTable = (button) => button.setAttribute("aria-expanded", tables.toggle());
  const saveTable = () => saveText(`${view.spec.name}.csv`, csvOf(view.spec, view.drawn.arrays));
  const acts = html("div", { class: "le-acts" });
  for (const [text, action] of Object.entries(host.tools ?? {})) acts.append(makeButton(text, action, { "data-tool": toolName(text) }));
  acts.append(makeButton("Reset", reset, { "data-tool": "reset" }));
  const takes = html("div", { class: "le-tools" });
  if (host.link) takes.append(makeButton("Copy link", (button) => copyText(host.link()).then(() => answer(button, "Copied")), { "data-tool": "link" }));
  takes.append(makeButton("Copy Python", showCode, { "data-tool": "python" }));
  takes.append(makeButton("Data table", showTable, { "data-tool": "table", "aria-expanded": "false" }));
  takes.append(makeButton("CSV", saveTable, { "data-tool": "csv" }));
  return { acts, takes, code, tables };
}
