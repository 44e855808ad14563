// The player of a trace. It reads its steps from its attribute `spec` and its picture from its
// child image; where scripts do not run, the children are what the reader sees.

const PAUSE = 900; // milliseconds from step to step while it plays
const LOW = 200; // pixels of a pane in which a whole picture could not be read
const TICKS = 100; // steps that have a tick each; of more, each phase has a bar
const ICONS = {
  first: "M4 3v10M12 3 6 8l6 5z", previous: "M11 3 5 8l6 5z", play: "M5 2l8 6-8 6z",
  pause: "M5 3v10M11 3v10", next: "M5 3l6 5-6 5z", last: "M12 3v10M4 3l6 5-6 5z",
};
const HELP = [["← →  , .", "a step back, a step on (in the picture: , and .)"],
  ["Home, End", "the first step, the last one"], ["space", "play, pause"],
  ["What if", "drag an input: values and derivatives follow"],
  ["Predict", "say each derivative before you see it"]];

class Player extends Card {
  paint(dark) {
    this.dark = dark;
    if (this.picture) this.picture.paint(dark);
  }

  build() {
    const spec = this.spec = JSON.parse(this.getAttribute("spec"));
    this.steps = spec.steps;
    this.album = new Album(this);
    this.picture = this.album.picture;
    Object.assign(this, { at: 0, speeds: [1, 2, 4, 0.5], terms: [] });
    const acts = this.acts = { first: () => this.go(0), previous: () => this.go(this.at - 1),
      play: () => this.toggle(), next: () => this.go(this.at + 1),
      last: () => this.go(this.steps.length - 1) };
    this.viewer = new Viewer(this, HELP.filter(([word]) => spec.program || word !== "What if"),
      true);
    this.keys = { ...this.viewer.keys, ArrowLeft: acts.previous, ",": acts.previous,
      ArrowRight: acts.next, ".": acts.next, Home: acts.first, End: acts.last, " ": acts.play,
      "/": () => {
        this.menu.showPopover();
        this.viewer.query.focus();
      } };
    this.quiz = new Quiz(this);
    this.whatIf = new WhatIf(this);
    this.panels = new Panels(this);
    if (this.picture) {
      this.viewer.hint.textContent = spec.title;
      Object.assign(this.viewer, { title: spec.title, album: this.album, turned: () => this.turn(),
        hear: (ids) => this.hear(ids) });
      this.takePicture();
    }
    this.raise(Player.sheets, this.frame());
    this.show(spec.at);
    if (spec.whatIf) { // the whole picture in view, since far parts of it move together
      this.whatIf.toggle();
      if (this.picture && this.viewer.pane.offsetHeight > LOW) this.viewer.fit();
    }
    this.open();
    on(window, "hashchange", () => this.open());
  }

  takePicture() {
    const { album, picture, spec } = this;
    const { changing, drawn } = album.narrow && spec.upright || album.page.more || spec;
    this.changing = new Set([...spec.changing, ...changing]);
    this.place = (id, side = "") => drawn[id + side] ?? (drawn[id] ?? id) + side;
    this.places = this.steps.map((step) =>
      this.place(step.at, step.derivative ? spec.ending : step.side));
    this.viewer.put(picture);
    if (picture.taken) return;
    picture.taken = true;
    set(picture.root, "aria-label", `the graph of ${spec.title}`);
    for (const node of picture.nodes.values()) {
      set(node, "role", "button");
      first(node, "title").remove(); // it tells the last step's number
      on(node, "focus click", () => this.pick(node));
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
    const { title, note } = this.spec, { panels } = this;
    this.say = html("p.say", { role: "status" });
    this.formula = html("p.formula");
    this.phase = html("p.phase");
    const told = group("div.now", "step", this.phase, this.say, this.formula);
    told.tabIndex = 0;
    const stage = html("div.stage", panels.tabs, panels.side);
    if (this.picture) stage.prepend(this.viewer.frame);
    this.box = group("div", "player: " + title, html("div.bar", this.controls(), told,
      this.quiz.form,
      this.whatIf.levers, ...panels.strips.map(({ strip }) => strip)), stage);
    if (note) this.box.append(html("p.note", note));
    return fill(this.box, { tabindex: "-1" });
  }

  controls() {
    const steps = html("div.steps", ...Object.entries(this.acts).map(([name, act]) =>
      button(ICONS[name], name === "play" ? name : `${name} step`, name, act)));
    this.playButton = first(steps, ".play");
    this.count = html("span.count");
    return html("div.controls", steps, this.track(), this.count, this.modes());
  }

  // The slider over a tick for each step, with the names of the phases.
  track() {
    const { steps, spec: { runs } } = this, { length } = steps;
    const row = (kind, parts, words) => html(`div.${kind}`, { "aria-hidden": "true" },
      ...parts.map(([phase, count]) => html(`span.${phase}`, { style: `flex-grow:${count}` },
        words ? phase : "")));
    const each = steps.map(({ phase }) => [phase, 1]), phases = new Map(each);
    this.slider = on(html("input", { type: "range", min: 0, max: length - 1,
      "aria-label": "step" }),
      "input", () => this.go(Number(this.slider.value)));
    return html("div.track", { style: `--half:${50 / length}%` },
      row("ticks", length > TICKS ? runs : each),
      row("names", runs.length > phases.size ? [...phases] : runs, true), this.slider);
  }

  modes() {
    const { viewer, panels } = this;
    this.menu = html("div.menu", { popover: "" }, ...this.picture ? [viewer.query] : [],
      wordButton("speed 1×", ({ target }) => this.change(target)),
      wordButton("link to this step", () => this.link()),
        ...panels.memory ? [panels.memoryButton()] : [],
      ...this.picture ? [wordButton("copy as SVG", () => viewer.copy()),
        wordButton("full screen", viewer.keys.F),
        wordButton("help", viewer.keys["?"])] : []);
    const more = wordButton("⋯", () => {}, { "aria-label": "more" });
    more.popoverTargetElement = this.menu;
    hang(this.menu, more);
    return html("div.modes", ...this.spec.program ? [this.whatIf.button] : [],
      ...this.quiz.questions.length ? [this.quiz.button] : [], more, this.menu);
  }

  // moving ---------------------------------------------------------------------------------------

  go(step) {
    this.stop();
    this.show(step);
  }

  toggle() {
    if (this.timer) return this.stop();
    if (this.at === this.steps.length - 1) this.show(0);
    set(this.say, "aria-live", "off"); // nobody can listen that fast
    this.run();
    this.markPlay("pause");
  }

  run() {
    clearInterval(this.timer);
    this.timer = setInterval(() => this.advance(), PAUSE / this.speeds[0]);
  }

  change(speed) {
    this.speeds.push(this.speeds.shift());
    speed.textContent = `speed ${this.speeds[0]}×`;
    if (this.timer) this.run();
  }

  advance() {
    const { at } = this;
    this.show(at + 1);
    if (this.at === at || this.at === this.steps.length - 1) this.stop();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    set(this.say, "aria-live", "polite");
    this.markPlay("play");
  }

  markPlay(name) {
    set(this.playButton, "aria-label", name);
    set(first(this.playButton, "path"), "d", ICONS[name]);
  }

  get number() {
    return all(document, this.localName).indexOf(this) + 1;
  }

  // A link to this step: the page's address, which step of which player, and inputs that moved.
  link() {
    const player = this.number > 1 ? `player-${this.number}-` : "";
    const hash = `#${player}step-${this.at + 1}${this.whatIf.address()}`;
    const address = location.href.split("#")[0] + hash;
    try {
      history.replaceState(history.state, "", hash);
    } catch { /* a frame without an address of its own */ }
    const said = (words) => () => { this.viewer.hint.textContent = words; };
    return Promise.resolve(navigator.clipboard).then((board) =>
      board.writeText(address)).then(said(`copied: ${hash}`),
      said(address));
  }

  open() {
    const [, player = 1, step, inputs] =
      location.hash.match(/^#(?:player-(\d+)-)?step-(\d+)((?:;[^;]+)*)$/) || [];
    if (!step || this.number !== Number(player)) return;
    this.whatIf.visit(inputs);
    this.go(step - 1);
    this.scrollIntoView({ block: "nearest" });
  }

  // one step -------------------------------------------------------------------------------------

  show(step) {
    this.at = this.quiz.limit(Math.max(0, Math.min(step, this.steps.length - 1)));
    const { at, say } = this, now = this.steps[at], result = this.result(at);
    this.slider.value = at;
    this.count.textContent = `${at + 1} of ${this.steps.length}`;
    this.box.className = `player ${now.phase}`;
    this.phase.textContent = now.phase;
    say.replaceChildren(...this.whatIf.moved && now.spoken ? this.write(now.spoken) : [now.say],
      html("span.heard", result && ` → ${now.name} = ${result}`));
    set(this.slider, "aria-valuetext", `step ${at + 1}: ${say.textContent}`);
    this.terms = [];
    this.formula.replaceChildren(...this.write(now.formula, "term"),
      ...this.write(now.numbers, "part"));
    const born = this.whatIf.birth();
    if (born && at >= born.step) say.append(" ", this.warning(born));
    if (this.picture) this.drawStep(at, born);
    this.panels.show(now);
    this.quiz.ask();
  }

  // Tokens from the table; what belongs to one edge is a term of its own, which lights it.
  write(places, kind) {
    const { tokens, kinds } = this.spec;
    let before;
    const piece = (place) => {
      if (place.length) return this.term(kind, place, piece);
      const [text, sort] = tokens[place], made = named(this.whatIf.text(tokens[place], before),
        kinds[sort]);
      before = text;
      return made;
    };
    return places.map(piece);
  }

  term(kind, [start, end, ...places], piece) {
    const made = html(`span.${kind}`, ...places.map(piece));
    const [from, to] = [start, end].map((id) => this.placeSide(id));
    if (kind === "term") fill(made, { tabindex: "0", role: "button" });
    on(made, "pointerenter focus", () => this.light(from, to));
    on(made, "pointerleave blur", () => this.light());
    this.terms.push([made, from]);
    return made;
  }

  // The node in which a value, or its adjoint or tangent, is drawn.
  placeSide(id) {
    const [own, side] = id.split(SIDE);
    return this.place ? this.place(own, side && `_${side}`) : id;
  }

  light(from, to) {
    const { picture, viewer } = this;
    if (picture) {
      viewer.trail.light(picture.nodes.has(from) ? [from] : [], from && [from, to]);
    }
  }

  // What the reader points at in the picture: its terms and its lines are lit.
  hear(ids) {
    for (const [part, from] of this.terms) flag(part, "lit", ids.includes(from));
    this.panels.link(ids);
  }

  // What a step gives, as text: with the inputs of "What if", where they were changed.
  result(step) {
    return this.whatIf.result(step);
  }

  warning(born) {
    if (this.at === born.step) return html("span.born", `born here: ${born.words}`);
    return wordButton(`not finite since step ${born.step + 1}`, () => this.go(born.step),
      { class: "word born" });
  }

  drawStep(now, born = this.whatIf.birth()) {
    const texts = new Map([...this.changing].map((id) => [id, "·"]));
    const { places, picture } = this;
    this.steps.slice(0, now + 1).forEach((step, at) => {
      for (const [id, text] of step.texts) {
        texts.set(id, id === places[at] && !step.turn ? this.result(at) : text);
      }
    });
    for (const [id, node] of picture.nodes) {
      if (this.changing.has(id)) this.label(node, texts.get(id));
      flag(node, "waiting", texts.get(id) === "·");
      flag(node, "now", id === places[now]);
      flag(node, "bad", born && born.step <= now && id === places[born.step]);
      picture.name(node);
    }
    this.markEdges(now, texts);
    this.viewer.reveal(picture.nodes.get(places[now]));
  }

  // Writes a card's number; the longer it is, the smaller, and no wider than its room.
  label(node, number) {
    const text = first(node, ":scope > text.value");
    if (!text) return;
    text.textContent = minus(number);
    const { length } = text.textContent;
    text.classList.remove("number", "middling", "plain");
    flag(text, length <= 7 ? "number" : length <= 12 ? "middling" : "plain", true);
    text.removeAttribute("textLength");
    if (!this.whatIf.moved) return;
    const name = first(node, "text.name"), { x, width } = (name || first(node, ".rim")).getBBox();
    const room = text.getAttribute("x") - x - (name ? width + 6 : 10);
    if (text.getComputedTextLength() > room) text.classList.replace("number", "plain");
    if (text.getComputedTextLength() > room) {
      fill(text, { textLength: room, lengthAdjust: "spacingAndGlyphs" });
    }
  }

  markEdges(now, texts) {
    const { ending, contributions } = this.spec, amounts = new Map();
    const lit = this.steps[now].formula.filter(Array.isArray).map((ends) =>
      ends.slice(0, 2).map((id) => this.placeSide(id)).join(" ")); // edges of the step: "from to"
    contributions.forEach(([at, user, operand], which) => {
      const key = [user, operand].map((id) => this.place(id, ending)).join(" ");
      amounts.set(key, [...amounts.get(key) || [], at <= now && this.whatIf.amount(which)]);
    });
    for (const edge of this.picture.edges) {
      const { from, to } = edge.dataset, key = `${from} ${to}`,
        side = ending && from.endsWith(ending);
      const used = lit.includes(key) || !lit.length && to === this.places[now];
      const told = amounts.get(key), chip = edge.matches(".chip"), amount = chip && told?.shift();
      const known = chip ? amount : told ? told.some(Boolean) : texts.get(to) !== "·";
      flag(edge, "now", used && !first(edge, ".saved"));
      flag(edge, "past", side && known && !used);
      flag(edge, "waiting", side && !known);
      if (amount) this.fillChip(edge, amount);
    }
    for (const stub of this.picture.stubs) {
      const { card, names } = stub.dataset;
      flag(stub, "now", lit.some((ends) => {
        const [from, to] = ends.split(" ");
        return (card === from || card === to) && names.split(" ").includes(bare(from));
      }));
    }
  }

  fillChip(chip, amount) {
    const [rect, text] = chip.children, words = /^[−+[·]/.test(amount) ? amount : `+${amount}`;
    if (text.textContent === words) return;
    text.textContent = words;
    text.removeAttribute("textLength");
    const width = Math.max(24, text.getComputedTextLength() + 12);
    fill(rect, { x: text.getAttribute("x") - width / 2, width });
  }

  pick(node) {
    this.panels.inspect(node.dataset.id);
    this.panels.choose("value");
    for (const other of this.picture.nodes.values()) flag(other, "picked", other === node);
  }
}

// A piece of a formula; the index of a name stands below the line.
function named(text, kind) {
  const [, stem, index] = /value|adj|tang/.test(kind) && text.match(/^(\D+)(\d+)$/) || [, text];
  return html(`span.${kind}`, html("span", stem), ...index ? [html("sub", index)] : []);
}

function definePlayer(tag, sheets) {
  Player.sheets = sheets;
  if (!customElements.get(tag)) customElements.define(tag, Player);
}
