// Read-out under the pointer: one box a panel, and the gesture that moves the time cursor.

function makeTooltip(frame) {
  const box = html("div", { class: "le-tip", hidden: true });
  frame.plot.append(box);
  return {
    // Rows are [colour or null, label, value].
    show(x, y, title, rows) {
      box.replaceChildren(written(html("div", { class: "le-tip-title" }), title));
      for (const [colour, label, value] of rows) {
        const chip = colour ? html("i", { style: `background:${colour}` }) : null;
        box.append(html("div", { class: "le-tip-row" }, chip, written(html("span", {}), label), html("b", {}, value)));
      }
      box.hidden = false;
      const right = x + 14 + box.offsetWidth > frame.width;
      box.style.left = `${Math.max(0, right ? x - 14 - box.offsetWidth : x + 14)}px`;
      box.style.top = `${clamp(y - box.offsetHeight / 2, 0, Math.max(0, frame.height - box.offsetHeight))}px`;
    },
    hide() {
      box.hidden = true;
    },
  };
}

// hover(x, y) while the pointer is over the plot, out() when it leaves, drag(x) while it is pressed.
function pointer(frame, { hover, out, drag }) {
  const { catcher } = frame;
  const place = (event) => {
    const box = frame.chart.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  let pressed = false;
  catcher.addEventListener("pointerdown", (event) => {
    if (!drag || event.button !== 0) return;
    pressed = true;
    catcher.setPointerCapture(event.pointerId);
    drag(...place(event));
    hover(...place(event));
  });
  catcher.addEventListener("pointermove", (event) => {
    if (pressed) drag(...place(event));
    hover(...place(event));
  });
  for (const name of ["pointerup", "pointercancel"]) {
    catcher.addEventListener(name, (event) => {
      pressed = false;
      if (event.pointerType !== "mouse") out();
    });
  }
  catcher.addEventListener("pointerleave", () => !pressed && out());
  if (drag) catcher.classList.add("le-draggable");
}
