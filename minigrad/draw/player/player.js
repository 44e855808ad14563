// The player of a trace. It reads its steps from its attribute `spec` and its picture from its
// child image; where scripts do not run, the children are what the reader sees.

const PAUSE = 900; // milliseconds from step to step while it plays
const SPEEDS = [1, 2, 4, 0.5];
const ICONS = {
  first: "M5 3v10M12 3 7 8l5 5", previous: "M10 3 5 8l5 5", play: "M5 3l8 5-8 5z",
  pause: "M6 3v10M11 3v10", next: "M6 3l5 5-5 5", last: "M11 3v10M4 3l5 5-5 5",
  link: "M7 9a3 3 0 0 0 4 0l2-2a3 3 0 0 0-4-4L8 4M9 7a3 3 0 0 0-4 0L3 9a3 3 0 0 0 4 4l1-1",
};
const HELP = [["← →  , .", "one step back, one step on (, and . also inside the picture)"],
  ["Home, End", "the first step, the last one"], ["space", "play, pause"],
  ["What if", "drag an input: values and derivatives follow"],
  ["Predict", "say each derivative before you see it"]];

class Player extends Card {
  connectedCallback() {
    super.connectedCallback();
    addEventListener("hashchange", this.visit ||= () => this.open());
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    if (this.shadowRoot) this.stop();
    removeEventListener("hashchange", this.visit);
  }

  paint(dark) {
    this.dark = dark;
    if (this.picture) this.picture.paint(dark);
  }

  build() {
    this.spec = JSON.parse(this.getAttribute("spec"));
    this.steps = this.spec.steps;
    this.album = new Album(this);
    this.picture = this.album.picture;
    Object.assign(this, { at: 0, speeds: [...SPEEDS] });
    this.acts = { first: () => this.go(0), previous: () => this.go(this.at - 1),
      play: () => this.toggle(), next: () => this.go(this.at + 1),
      last: () => this.go(this.steps.length - 1) };
    const { first, previous, play, next, last } = this.acts;
    this.viewer = new Viewer(this,
      HELP.filter(([word]) => this.spec.program || word !== "What if"));
    this.keys = { ...this.viewer.keys, ArrowLeft: previous, ArrowRight: next, ",": previous,
      ".": next, Home: first, End: last, " ": play };
    this.quiz = new Quiz(this);
    this.whatIf = this.spec.program ? new WhatIf(this) : null;
    this.panels = new Panels(this);
    if (this.picture) {
      this.viewer.album = this.album;
      this.viewer.turned = () => this.turn();
      this.takePicture();
    }
    this.raise(Player.sheets, this.frame());
    this.show(this.spec.at);
    if (this.spec.whatIf) { // the whole picture in view, since far parts of it move together
      this.whatIf.toggle();
      if (this.picture) this.viewer.fit();
    }
    this.open();
  }

  takePicture() {
    const { picture, spec } = this, { changing, drawn } = this.album.page.more || spec;
    this.changing = new Set([...spec.changing, ...changing]);
    this.places = this.steps.map((step) => {
      const side = step.derivative ? spec.ending : "";
      const place = (id) => ((drawn[id] ?? id) || " ") + side;
      return { node: place(step.at), edge: step.edge && step.edge.map(place) };
    });
    const told = new Set(this.steps.flatMap((step, at) =>
      [this.places[at].node, ...step.texts.map(([id]) => id)]));
    this.given = [...picture.nodes.keys()].filter((id) => !told.has(id));
    this.viewer.put(picture);
    this.viewer.hear = (ids) => this.panels.link(ids);
    if (picture.taken) return;
    picture.taken = true;
    picture.root.setAttribute("aria-label", `the graph of ${spec.title}`);
    for (const node of picture.nodes.values()) {
      node.setAttribute("role", "button");
      node.querySelector("title").remove(); // it tells the last step's number
      node.addEventListener("focus", () => this.pick(node));
      node.addEventListener("click", () => this.pick(node));
    }
  }

  // Another picture of the same steps: something was opened or closed.
  turn() {
    this.picture = this.album.picture;
    this.picture.paint(this.dark);
    this.takePicture();
    this.drawStep(this.at);
  }

  frame() {
    this.say = html("p", { class: "say", role: "status", "aria-live": "polite" });
    this.formula = html("p", { class: "formula" });
    const bar = html("div", { class: "bar" }, this.controls(), this.say, this.formula, this.quiz.form);
    if (this.whatIf) bar.append(this.whatIf.levers);
    const stage = html("div", { class: "stage" }, this.panels.side);
    if (this.picture) stage.prepend(this.viewer.frame);
    return html("div", { class: "player", role: "group", tabindex: "-1",
      "aria-label": "player: " + this.spec.title }, bar, stage, this.panels.foot);
  }

  controls() {
    const steps = html("div", { class: "steps" });
    for (const [name, act] of Object.entries(this.acts)) {
      steps.append(button(ICONS[name], name === "play" ? name : `${name} step`, name, act));
    }
    this.playButton = steps.querySelector(".play");
    this.slider = html("input", { type: "range", min: 0, max: this.steps.length - 1, value: 0,
      "aria-label": "step" });
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    this.count = html("span", { class: "count" });
    this.speed = wordButton("1×", "speed", () => this.change());
    this.speed.removeAttribute("aria-pressed");
    this.speed.setAttribute("aria-label", "speed 1×");
    const modes = html("div", { class: "modes" }, this.speed);
    if (this.whatIf) modes.append(this.whatIf.button);
    if (this.quiz.questions.length) modes.append(this.quiz.button);
    modes.append(button(ICONS.link, "link to this step", "link", () => this.link()));
    return html("div", { class: "controls" }, steps, this.slider, this.count, modes);
  }

  // moving ---------------------------------------------------------------------------------------

  go(step) {
    this.stop();
    this.show(step);
  }

  toggle() {
    if (this.timer) return this.stop();
    if (this.at === this.steps.length - 1) this.show(0);
    this.say.setAttribute("aria-live", "off"); // nobody can listen that fast
    this.run();
    this.markPlay("pause");
  }

  run() {
    clearInterval(this.timer);
    this.timer = setInterval(() => this.advance(), PAUSE / this.speeds[0]);
  }

  change() {
    this.speeds.push(this.speeds.shift());
    this.speed.textContent = `${this.speeds[0]}×`;
    this.speed.setAttribute("aria-label", `speed ${this.speeds[0]}×`);
    if (this.timer) this.run();
  }

  advance() {
    const before = this.at;
    this.show(this.at + 1);
    if (this.at === before || this.at === this.steps.length - 1) this.stop();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.say.setAttribute("aria-live", "polite");
    this.markPlay("play");
  }

  markPlay(name) {
    this.playButton.setAttribute("aria-label", name);
    this.playButton.querySelector("path").setAttribute("d", ICONS[name]);
  }

  // A link to this step: the page's address, and which step of which player.
  link() {
    const place = [...document.querySelectorAll(this.localName)].indexOf(this);
    const hash = `#${place > 0 ? `player-${place + 1}-` : ""}step-${this.at + 1}`;
    const address = location.href.split("#")[0] + hash;
    try {
      history.replaceState(history.state, "", hash);
    } catch { /* a frame without an address of its own */ }
    const said = (words) => { this.viewer.hint.textContent = words; };
    if (!navigator.clipboard) return said(address);
    return navigator.clipboard.writeText(address).then(() => said(`copied: ${hash}`),
      () => said(address));
  }

  open() {
    if (!this.shadowRoot) return;
    const [, player = 1, step] = location.hash.match(/^#(?:player-(\d+)-)?step-(\d+)$/) || [];
    if (!step || [...document.querySelectorAll(this.localName)].indexOf(this) !== player - 1) return;
    this.go(step - 1);
    this.scrollIntoView({ block: "nearest" });
  }

  // one step -------------------------------------------------------------------------------------

  show(step) {
    this.at = this.quiz.limit(Math.max(0, Math.min(step, this.steps.length - 1)));
    const now = this.steps[this.at];
    const result = this.result(this.at);
    this.slider.value = this.at;
    this.count.textContent = `${this.at + 1} / ${this.steps.length}`;
    this.slider.setAttribute("aria-valuetext", `step ${this.at + 1}: ${now.say}`);
    this.say.replaceChildren(html("span", { class: "phase " + now.phase }, now.phase), " ",
      html("b", {}, now.say), result && ` → ${now.name} = ${result}`);
    this.formula.replaceChildren(...this.terms(now.formula),
      ...this.terms(this.whatIf && this.whatIf.moved ? [] : now.numbers));
    const born = this.born();
    if (born && this.at >= born.step) this.say.append(" ", this.warning(born));
    if (this.picture) this.drawStep(this.at, born);
    this.panels.show(now);
    this.quiz.ask();
  }

  // A formula from the table of tokens; one that stands for a node lights it.
  terms(places) {
    const { tokens, kinds } = this.spec;
    return places.map((place) => {
      const [text, kind, id] = tokens[place], term = html("span", { class: kinds[kind] }, text);
      if (id) term.addEventListener("pointerenter", () => this.lightNode(id));
      if (id) term.addEventListener("pointerleave", () => this.lightNode());
      return term;
    });
  }

  lightNode(id) {
    if (!this.picture) return;
    this.viewer.trail.light(new Set(), new Set(), this.picture.nodes.has(id) ? [id] : []);
  }

  // What a step gives, as text: with the inputs of "What if", where they were changed.
  result(step) {
    return this.whatIf ? this.whatIf.result(step) : this.steps[step].result;
  }

  born() {
    return this.whatIf ? this.whatIf.birth() : this.spec.born;
  }

  warning(born) {
    if (this.at === born.step) return html("span", { class: "born" }, `born here: ${born.words}`);
    const back = wordButton(`not finite since step ${born.step + 1}`, "go there",
      () => this.go(born.step));
    back.removeAttribute("aria-pressed");
    back.classList.add("born");
    return back;
  }

  drawStep(now, born = this.born()) {
    const texts = new Map([...this.changing].map((id) => [id, "·"]));
    const done = new Set(this.given), { places } = this;
    this.steps.slice(0, now + 1).forEach((step, at) => {
      done.add(places[at].node);
      for (const [id, text] of step.texts) {
        const own = id === places[at].node && this.whatIf && !step.turn;
        texts.set(id, own ? this.result(at) : text);
        done.add(id);
      }
    });
    const bad = born && born.step <= now ? places[born.step].node : null;
    for (const [id, node] of this.picture.nodes) {
      if (this.changing.has(id)) this.write(node, texts.get(id));
      node.classList.toggle("waiting", !done.has(id));
      node.classList.toggle("now", id === places[now].node);
      node.classList.toggle("bad", id === bad);
      this.picture.name(node);
    }
    this.markEdges(places[now]);
    this.viewer.reveal(this.picture.nodes.get(places[now].node));
  }

  // Writes a card's number; the longer it is, the smaller, and no wider than its room.
  write(node, number) {
    const text = node.querySelector(":scope > text.value");
    if (!text) return;
    text.textContent = (number || "·").replaceAll("-", "−");
    const { length } = text.textContent;
    text.classList.remove("number", "middling", "plain");
    text.classList.add(length <= 7 ? "number" : length <= 12 ? "middling" : "plain");
    text.removeAttribute("textLength");
    if (!this.whatIf || !this.whatIf.moved) return;
    const name = node.querySelector(":scope > text.name"), rim = node.querySelector(":scope > .rim");
    const room = rim.getBBox().width - (name ? name.getBBox().width + 34 : 16);
    if (text.getComputedTextLength() <= room) return;
    fill(text, { textLength: room, lengthAdjust: "spacingAndGlyphs" }, []);
  }

  markEdges(now) {
    for (const edge of this.picture.edges) {
      const { from, to } = edge.dataset;
      const used = now.edge ? from === now.edge[0] && to === now.edge[1] : to === now.node;
      edge.classList.toggle("now", used && !edge.querySelector(".saved"));
    }
  }

  pick(node) {
    this.panels.inspect(node.dataset.id);
    for (const other of this.picture.nodes.values()) {
      other.classList.toggle("picked", other === node);
    }
  }
}

function definePlayer(tag, sheets) {
  Player.sheets = sheets;
  if (!customElements.get(tag)) customElements.define(tag, Player);
}
