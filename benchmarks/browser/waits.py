"""How long a reader waits after a slider's move, measured in the page."""


def waits_of_moves(page, selector: str, moves: list[tuple[str, str]]) -> list[float]:
    """Milliseconds from each key press to the frame that shows the new numbers, painted.

    Args:
        page: a page with an explorer that is awake.
        selector: the explorer.
        moves: (setting, key) of every press; a press that moves nothing gives no number.
    """
    page.evaluate(
        """(selector) => {
          const root = document.querySelector(selector);
          globalThis.waits = [];
          let pressed = 0;
          root.addEventListener("keydown", (event) => (pressed = event.timeStamp), true);
          // A message sent in a frame's callback arrives after that frame was painted.
          const painted = new MessageChannel();
          painted.port1.onmessage = () => waits.push(performance.now() - pressed);
          new MutationObserver(() => {
            if (root.getAttribute("aria-busy") === "false") requestAnimationFrame(() => painted.port2.postMessage(0));
          }).observe(root, { attributes: true, attributeFilter: ["aria-busy"] });
        }""",
        selector,
    )
    for setting, key in moves:
        page.locator(f"{selector} input[data-setting={setting}]").press(key)
        page.wait_for_timeout(20)
    page.wait_for_timeout(100)
    return page.evaluate("waits")
