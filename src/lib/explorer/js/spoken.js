// What the figure says: the reading or the step of a tour, and below it what went wrong. Its room never changes.

function makeSpoken() {
  const reading = html("p", { class: "le-reading", role: "status" });
  const step = html("p", { class: "le-step", "aria-live": "polite", hidden: true });
  const notice = html("p", { class: "le-notice", role: "alert", hidden: true });
  const root = html("div", { class: "le-spoken" }, reading, step, notice);
  let failed = false;

  // More text than room scrolls, from the keyboard too.
  function fit() {
    reading.hidden = failed || !step.hidden;
    if (root.scrollHeight > root.clientHeight + 1) dress(root, { tabindex: 0, role: "region", "aria-label": "Reading" }, []);
    else ["tabindex", "role", "aria-label"].forEach((name) => root.removeAttribute(name));
  }

  function put(node, text, write = written) {
    if (node.spoken === text) return;
    node.spoken = text;
    node.hidden = !text;
    write(node, text);
    fit();
  }

  return {
    root,
    notice: () => (notice.hidden ? "" : notice.textContent),
    read(text, computing) {
      put(reading, text);
      reading.setAttribute("aria-busy", Boolean(computing));
    },
    // The sentence of a step stands in for the reading; none gives it back.
    step: (text) => put(step, text),
    warn(text, error) {
      notice.classList.toggle("le-error", Boolean(error));
      if (failed !== Boolean(error)) notice.spoken = null;
      failed = Boolean(error);
      put(notice, text, (node, plain) => (node.textContent = plain));
    },
  };
}
