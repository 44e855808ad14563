// The player of a trace, made with element.js. It reads its steps from its attribute `spec` and its
// picture from its child image; where scripts do not run, the children are what the reader sees.

const PAUSE = 900; // milliseconds from step to step while it plays
const ICONS = {
  first: "M5 3v10M12 3 7 8l5 5", previous: "M10 3 5 8l5 5", play: "M5 3l8 5-8 5z",
  pause: "M6 3v10M11 3v10", next: "M6 3l5 5-5 5", last: "M11 3v10M4 3l5 5-5 5",
};
const KEYS = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last", " ": "play" };
const DERIVATIVES = { reverse: "adjoint", forward: "tangent" };

// the picture ------------------------------------------------------------------------------------

function pictureFrom(image) {
  const start = "data:image/svg+xml;base64,";
  if (!image || !image.src.startsWith(start)) return null;
  const bytes = Uint8Array.from(atob(image.src.slice(start.length)), (c) => c.charCodeAt(0));
  const text = new TextDecoder().decode(bytes);
  const root = document.importNode(
    new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
  root.querySelectorAll("style").forEach((style) => style.remove()); // the sheets below replace it
  root.setAttribute("role", "group"); // an image may hold no tab stops
  return root;
}

function writeLabel(node, lines) {
  const texts = [...node.children].filter((child) => child.tagName === "text");
  texts.forEach((text, at) => text.replaceChildren(...(lines[at] || []).map(
    ([words, classes]) => svg("tspan", classes ? { class: classes } : {}, words))));
}

// the element ------------------------------------------------------------------------------------

class Player extends HTMLElement {
  connectedCallback() {
    whenParsed(() => {
      if (!this.shadowRoot) this.build();
      this.leave = watchTheme(() => this.paint());
    });
  }

  disconnectedCallback() {
    if (!this.leave) return;
    this.stop();
    this.leave();
  }

  paint() {
    const dark = isDark(this);
    this.sheets[1].media = dark ? "not all" : "all";
    this.sheets[2].media = dark ? "all" : "not all";
  }

  build() {
    this.spec = JSON.parse(this.getAttribute("spec"));
    this.steps = this.spec.steps;
    this.picture = pictureFrom(this.querySelector("img"));
    this.sheets = ["base", "light", "dark"].map((name) =>
      html("style", {}, Player.sheets[name]));
    this.attachShadow({ mode: "open" }).append(...this.sheets, this.frame());
    this.catchKeys();
    this.show(0);
  }

  frame() {
    this.say = html("p", { class: "say", role: "status", "aria-live": "polite" });
    const parts = [this.say, this.controls(), this.memoryStrip(), this.panels()];
    if (this.spec.note) parts.push(html("p", { class: "note" }, this.spec.note));
    const frame = html("div", { class: "player", role: "group", tabindex: "-1",
      "aria-label": "player: " + this.spec.title }, html("div", { class: "told" }, ...parts));
    if (this.picture) frame.prepend(this.pictureFrame());
    return frame;
  }

  pictureFrame() {
    this.nodes = new Map();
    for (const node of this.picture.querySelectorAll("g.node")) {
      this.nodes.set(node.id, node);
      node.removeAttribute("id"); // a page may show two players
      filled(node, { tabindex: "0", role: "button" }, []);
      node.addEventListener("focus", () => this.inspect(node));
      node.addEventListener("click", () => this.inspect(node));
    }
    return html("div", { class: "picture" }, this.picture);
  }

  controls() {
    const row = html("div", { class: "controls" });
    this.acts = { first: () => this.go(0), previous: () => this.go(this.at - 1),
      play: () => this.toggle(), next: () => this.go(this.at + 1),
      last: () => this.go(this.steps.length - 1) };
    for (const [name, act] of Object.entries(this.acts)) {
      row.append(button(ICONS[name], name === "play" ? name : `${name} step`, name, act));
    }
    this.playButton = row.querySelector(".play");
    this.slider = html("input", { type: "range", min: 0, max: this.steps.length - 1, value: 0,
      "aria-label": "step" });
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    this.count = html("span", { class: "count" });
    row.append(this.slider, this.count);
    return row;
  }

  panels() {
    this.inspector = html("dl", { class: "inspector" });
    const panels = [html("div", { class: "panel", role: "group", "aria-label": "inspector" },
      this.inspector)];
    if (this.spec.source.length) panels.unshift(this.sourcePanel());
    return html("div", { class: "panels" }, ...panels);
  }

  sourcePanel() {
    this.lines = this.spec.source.map((file) => file.lines.map(([number, text]) =>
      html("span", { class: "line", "data-number": number }, text + "\n")));
    this.code = html("pre", { tabindex: "0", role: "group", "aria-label": "source" });
    this.spec.source.forEach((file, at) => this.code.append(
      html("span", { class: "file" }, file.name + "\n"), ...this.lines[at]));
    return html("div", { class: "panel" }, this.code);
  }

  memoryStrip() {
    this.memory = html("p", { class: "live" });
    if (!this.spec.peak) return this.memory;
    const count = this.steps.length;
    const bars = this.steps.map((step, at) => svg("rect", { class: step.phase, x: at, width: 1.02,
      y: 1 - step.live / this.spec.peak, height: step.live / this.spec.peak,
      "shape-rendering": "crispEdges" }));
    this.cursor = svg("rect", { class: "cursor", y: 0, width: 1, height: 1 });
    const strip = svg("svg", { viewBox: `0 0 ${count} 1`, preserveAspectRatio: "none",
      "aria-hidden": "true" }, ...bars, this.cursor);
    return html("div", { class: "memory" }, strip, this.memory);
  }

  // moving ---------------------------------------------------------------------------------------

  go(step) {
    this.stop();
    this.show(step);
  }

  toggle() {
    if (this.timer) return this.stop();
    if (this.at === this.steps.length - 1) this.show(0);
    this.timer = setInterval(() => this.advance(), PAUSE);
    this.markPlay("pause");
  }

  advance() {
    this.show(this.at + 1);
    if (this.at === this.steps.length - 1) this.stop();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.markPlay("play");
  }

  markPlay(name) {
    this.playButton.setAttribute("aria-label", name);
    this.playButton.querySelector("path").setAttribute("d", ICONS[name]);
  }

  catchKeys() {
    const types = ["keydown", "keyup", "keypress"];
    for (const type of types) this.addEventListener(type, (event) => event.stopPropagation());
    // The notebook above hears no key: there, d d deletes the cell.
    this.shadowRoot.addEventListener("keydown", (event) => {
      const act = this.acts[KEYS[event.key]];
      const pressed = event.key === " " && event.target.tagName === "BUTTON";
      if (!act || pressed || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      act();
    });
  }

  // one step -------------------------------------------------------------------------------------

  show(step) {
    this.at = Math.max(0, Math.min(step, this.steps.length - 1));
    const now = this.steps[this.at];
    this.slider.value = this.at;
    this.count.textContent = `${this.at + 1} / ${this.steps.length}`;
    this.slider.setAttribute("aria-valuetext", `step ${this.at + 1}: ${now.say}`);
    this.say.replaceChildren(html("span", { class: "phase " + now.phase }, now.phase), " ",
      html("b", {}, now.say), now.result && ` → ${now.name} = ${now.result}`);
    this.memory.textContent = now.memory;
    if (this.cursor) this.cursor.setAttribute("x", this.at);
    if (this.picture) this.drawStep(now);
    if (this.code) this.markLine(now.line);
    this.inspect(this.nodes && this.nodes.get(now.node), now.of);
  }

  drawStep(now) {
    const labels = new Map(this.spec.start);
    const done = new Set(this.spec.given);
    for (const step of this.steps.slice(0, this.at + 1)) {
      for (const [id, lines] of step.labels) labels.set(id, lines) && done.add(id);
    }
    for (const [id, node] of this.nodes) {
      if (labels.has(id)) writeLabel(node, labels.get(id));
      node.classList.toggle("waiting", !done.has(id));
      node.classList.toggle("now", id === now.node);
      const words = [...node.querySelectorAll("text")].map((text) => text.textContent);
      node.setAttribute("aria-label", words.join(", "));
    }
    this.markEdges(now);
    this.reveal(this.nodes.get(now.node));
  }

  reveal(node) {
    if (!node) return;
    const frame = this.picture.parentNode.getBoundingClientRect();
    const place = node.getBoundingClientRect();
    if (place.top >= frame.top && place.bottom <= frame.bottom) return;
    this.picture.parentNode.scrollTop += place.top - frame.top - frame.height / 2;
  }

  markEdges(now) {
    for (const edge of this.picture.querySelectorAll("g[data-from]")) {
      const { from, to } = edge.dataset;
      const saved = edge.querySelector(".saved");
      const used = now.edge ? from === now.edge[0] && to === now.edge[1] : to === now.node;
      edge.classList.toggle("now", used && !saved);
    }
  }

  markLine(place) {
    this.lines.flat().forEach((line) => line.removeAttribute("aria-current"));
    const line = place && this.lines[place[0]][place[1]];
    if (!line) return;
    line.setAttribute("aria-current", "step");
    const middle = line.offsetTop - this.code.offsetTop - this.code.clientHeight / 2;
    this.code.scrollTop = middle; // the panel scrolls, the page does not
  }

  // the inspector --------------------------------------------------------------------------------

  inspect(node, of) {
    for (const other of this.nodes ? this.nodes.values() : []) {
      other.classList.toggle("picked", other === node);
    }
    const id = of || [...(this.nodes || [])].find(([, other]) => other === node)?.[0];
    const info = this.spec.nodes[(id || "").replace(/_(bar|dot)$/, "")];
    this.inspector.replaceChildren(...(info ? this.facts(info) : []));
  }

  facts(info) {
    const past = this.steps.slice(0, this.at + 1).filter((step) => step.of === info.id);
    const value = past.findLast((step) => step.value)?.value;
    const derivative = past.findLast((step) => step.derivative)?.derivative;
    const kind = DERIVATIVES[this.spec.mode];
    return [
      ...row("name", info.name), ...row("op", info.op), ...row("form", info.form),
      ...numbers("value", value, info.constant),
      ...(kind && info.moves ? numbers(kind, derivative) : []),
      ...row("rule", ...info.rules.flatMap((rule, at) => at ? [html("br"), rule] : [rule])),
      ...row("memory", info.buffer), ...row("line", info.line),
    ];
  }
}

const row = (word, ...facts) =>
  facts.some(Boolean) ? [html("dt", {}, word), html("dd", {}, ...facts)] : [];

function numbers(word, told, constant) {
  if (!told) return row(word, constant || "· (not computed yet)");
  const extra = [told.range && html("div", { class: "range" }, told.range)];
  if (told.bins.length) extra.push(histogram(told.bins));
  return row(word, html("span", { class: "numbers" }, told.numbers), ...extra.filter(Boolean));
}

function histogram(bins) {
  const most = Math.max(...bins);
  return svg("svg", { class: "histogram", viewBox: `0 0 ${bins.length} 1`, role: "img",
    preserveAspectRatio: "none", "aria-label": "histogram: " + bins.join(", ") },
    ...bins.map((count, at) => svg("rect", { x: at + 0.05, width: 0.9, y: 1 - count / most,
      height: count / most })));
}

function definePlayer(tag, sheets) {
  Player.sheets = sheets;
  if (!customElements.get(tag)) customElements.define(tag, Player);
}
