// Prose that moves: a phrase of the text is a link that sets a figure, goes to it, and leaves a way back.

// [[setting, text], ...] of a link like #scb-flow:Q=4,skew=0.5, and the name of its figure.
function readPhrase(hash) {
  const [, name, list] = unescaped(hash.slice(1)).match(/^([a-z0-9_-]+):(.*)$/s) ?? [];
  return name ? { name, given: pairsOf(list) } : null;
}

// How a figure follows a phrase and goes back; `set(pairs)` sets it, `state()` gives the pairs that set it as it is.
function makePhrases(root, view, { set, state }) {
  const button = html("button", { type: "button", class: "le-tool", "data-tool": "return" }, "Back to the text");
  let before = null; // where the reader was, and how the figure stood
  button.addEventListener("click", () => {
    const { phrase, pairs } = before;
    before = null;
    button.remove();
    set(pairs);
    phrase.scrollIntoView({ block: "center" });
    phrase.focus({ preventScroll: true });
  });
  return (phrase, given) => {
    // From phrase to phrase the way back leads to the last, and to the figure as it was before the first.
    before = { phrase, pairs: before?.pairs ?? state() };
    set(given);
    view.top.append(button);
    root.scrollIntoView({ block: "start" });
    button.focus({ preventScroll: true });
  };
}

function listenToPhrases(wake) {
  document.addEventListener("click", async (event) => {
    const phrase = event.target.closest?.("a.explorer-phrase");
    if (!phrase || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const { name, given } = readPhrase(phrase.hash) ?? {};
    const root = name && document.querySelector(`[data-explorer="${name}"]`);
    if (!root) return;
    event.preventDefault();
    await wake(root);
    root.explorerPhrase?.(phrase, given);
  });
}
