// What the theme leaves open: names for its controls, keys for what scrolls, and copy buttons.
(() => {
  const label = (selector, attributes) => {
    for (const found of document.querySelectorAll(selector))
      for (const [name, value] of Object.entries(attributes)) found.setAttribute(name, value);
  };

  function nameControls() {
    label(".bd-sidebar-primary", { role: "navigation", "aria-label": "the course" });
    for (const summary of document.querySelectorAll("summary"))
      if (!summary.textContent.trim()) summary.setAttribute("aria-label", "open or close the list");
  }

  // What is wider than its place can be scrolled by keys only if it can be reached.
  function reachScrollers() {
    const wide = document.querySelectorAll(".bd-article :is(p, pre, div, table, span.pre)");
    for (const found of wide) {
      const scrolls = found.scrollWidth > found.clientWidth + 1
        && ["auto", "scroll"].includes(getComputedStyle(found).overflowX);
      if (scrolls) found.tabIndex = 0;
    }
  }

  async function copyText(button, text) {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "copied";
    } catch {
      button.textContent = "not allowed";
    }
    setTimeout(() => { button.textContent = "copy"; }, 1500);
  }

  function addCopyButtons() {
    for (const pre of document.querySelectorAll(".bd-article div.highlight > pre")) {
      const block = pre.parentElement;
      if (block.closest(".cell_output")) continue;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "copy";
      button.textContent = "copy";
      button.addEventListener("click", () => copyText(button, pre.textContent.trimEnd()));
      block.append(button);
    }
  }

  // A player takes the place of its picture.
  function playInPlace() {
    for (const link of document.querySelectorAll("a.play"))
      link.addEventListener("click", (event) => {
        const frame = document.createElement("iframe");
        Object.assign(frame, { src: link.href, title: link.querySelector("b").textContent });
        link.closest("li").classList.add("open");
        event.preventDefault();
        link.replaceWith(frame);
      });
  }

  nameControls();
  playInPlace();
  addCopyButtons();
  reachScrollers();
  addEventListener("resize", reachScrollers);
  addEventListener("load", reachScrollers);
  document.addEventListener("load", reachScrollers, true); // of a picture that is loaded later
})();
