// What the figure says: the reading or the step of a tour, and below it what went wrong. Its room never changes.

function makeSpoken() {
  const reading = html("p", { class: "le-reading", role: "status" });
  const step = html("p", { class: "le-step", "aria-live": "polite", hidden: true });
  const notice = html("p", { class: "le-notice", role: "alert", hidden: true });
  const root = html("div", { class: "le-spoken" }, reading, step, notice);
  let failed = false;

  // More text than room scrolls, from the keyboard too. Asked when the page is laid out anyway.
  const sizes = new ResizeObserver(() => {
    if (root.scrollHeight > root.clientHeight + 1) dress(root, { tabindex: 0, role: "region", "aria-label": "Reading" }, []);
    else ["tabindex", "role", "aria-label"].forEach((name) => root.removeAttribute(name));
  });
  for (const node of [root, reading, step, notice]) sizes.observe(node);

  function say(node, text, write = written) {
    if (node.spoken === text) return;
    node.spoken = text;
    node.hidden = !text;
    write(node, text);
    reading.hidden = failed || !step.hidden;
  }

  return {
    root,
    notice: () => (notice.hidden ? "" : notice.textContent),
    read(text, computing) {
      say(reading, text);
      put(reading, "aria-busy", Boolean(computing));
    },
    // The sentence of a step stands in for the reading; none gives it back.
    step: (text) => say(step, text),
    warn(text, error) {
      if (!text && !error && !failed && notice.hidden) return;
      notice.classList.toggle("le-error", Boolean(error));
      if (failed !== Boolean(error)) notice.spoken = null;
      failed = Boolean(error);
      say(notice, text, (node, plain) => (node.textContent = plain));
    },
  };
}
