// What stands beside the picture: the learner's source, the inspector, a curve, the memory; and the
// strips of iterations.

const DERIVATIVES = { reverse: "adjoint", forward: "tangent" };
const SIDE = /_(?=bar$|dot$|update$)/;
const bare = (id) => id.split(SIDE)[0];

class Panels {
  constructor(player) {
    const { spec } = this.player = player;
    this.spec = spec;
    this.side = html("div.side");
    this.tabs = group("div.tabs", "panels");
    this.inspector = html("dl.inspector", { tabindex: "0" });
    this.graph = html("div");
    if (spec.source.length) this.add("code", this.sourcePanel());
    this.add("value", this.inspector);
    if (spec.program) this.add("curve", this.graph);
    if (spec.peak) this.add("memory", this.memoryStrip());
    this.choose(this.lines ? "code" : "value");
    flag(this.side, "remembering", spec.mode === "run");
    this.strips = spec.strips.map((strip) => this.strip(strip));
  }

  add(name, part) {
    this.side.append(group(`div.panel.${name}`, name === "value" ? "inspector" : name, part));
    this.tabs.append(wordButton(name, () => this.choose(name)));
  }

  // Which of the panels a narrow page shows.
  choose(name) {
    for (const panel of this.side.children) flag(panel, "chosen", panel.matches(`.${name}`));
    for (const tab of this.tabs.children) {
      set(tab, "aria-pressed", tab.textContent === name);
    }
  }

  sourcePanel() {
    const { source } = this.spec;
    this.lines = source.map((file, at) => file.lines.map(([number, text], place) =>
      on(html("span.line", { "data-number": number }, text + "\n"), "pointerenter",
        () => this.light(at, place))));
    this.code = group("pre", "source: arrow up and down go from line to line");
    this.code.tabIndex = 0;
    source.forEach((file, at) => this.code.append(html("span.file", file.name + "\n"),
      ...this.lines[at]));
    on(this.code, "pointerleave blur", () => this.light());
    return on(this.code, "keydown", (event) => this.press(event));
  }

  memoryStrip() {
    this.memory = html("p.live");
    const { steps, peak } = this.spec;
    const bars = steps.map(({ phase, live }, at) => svg("rect", { class: phase, x: at, width: 1.02,
      y: 1 - live / peak, height: live / peak, "shape-rendering": "crispEdges" }));
    this.cursor = svg("rect", { class: "cursor", y: 0, width: 1, height: 1 });
    return html("div", svg("svg", { viewBox: `0 0 ${steps.length} 1`,
      preserveAspectRatio: "none", "aria-hidden": "true" }, ...bars, this.cursor), this.memory);
  }

  memoryButton() {
    return wordButton("memory", ({ target }) =>
      set(target, "aria-pressed", this.side.classList.toggle("remembering")),
    { "aria-pressed": this.spec.mode === "run" });
  }

  show(now) {
    if (this.memory) {
      this.memory.textContent = now.memory;
      set(this.cursor, "x", this.player.at);
    }
    if (this.code) this.markLines(now);
    this.inspect(now.at in this.spec.nodes ? now.at : now.of);
    for (const { show } of this.strips) show(now);
  }

  // The iterations of a loop as a second slider: what each carries on, and its adjoint.
  strip({ id, names, columns }) {
    const { player } = this, { steps } = this.spec;
    const made = columns.map(([title, firsts, ...cells]) => {
      const words = cells.map(() => html("span"));
      const go = () => player.go(firsts[steps[player.at].phase] ?? Object.values(firsts)[0]);
      return { cells, words, column: on(html("button", html("b", title), ...words), "click", go) };
    });
    const strip = group("div.strip", `iterations of ${id}`, html("div.heads", html("b",
      "iteration"),
      ...names.map(([name, moved]) => named(name, moved ? "adjoint" : "value"))),
    ...made.map(({ column }) => column));
    strip.tabIndex = 0;
    const show = ({ of, turn }) => made.forEach(({ cells, words, column }, at) => {
      words.forEach((word, row) => {
        const [step, text] = cells[row] || [];
        word.textContent = step <= player.at ? text : "·";
      });
      column.toggleAttribute("aria-current", of === id && turn > 0 && turn === at);
      if (of === id && turn === at) strip.scrollLeft = column.offsetLeft - strip.clientWidth / 2;
    });
    return { strip, show };
  }

  // the source -----------------------------------------------------------------------------------

  // The line of the step, and those of its terms.
  markLines({ line: place, formula, at }) {
    const ids = formula.flat().map((token) => bare(String(this.spec.tokens[token]?.[2])));
    this.mark("term-line", ids.filter((id) => id !== at));
    const lines = this.lines.flat(), line = place && this.lines[place[0]][place[1]];
    for (const one of lines) one.toggleAttribute("aria-current", one === line);
    const panel = this.code.parentNode;
    if (line) panel.scrollTop = line.offsetTop - panel.clientHeight / 2;
  }

  // Gives a class to the lines that made these nodes, and to no others.
  mark(kind, ids) {
    const places = ids.map((id) => String(this.spec.nodes[bare(id)]?.place));
    this.lines.forEach((lines, file) => lines.forEach((line, at) =>
      flag(line, kind, places.includes(`${file},${at}`))));
  }

  // The nodes of the picture that a line made, with their adjoints or tangents.
  nodesOf(...line) {
    const { nodes } = this.spec;
    return [...this.player.picture.nodes.keys()].filter((id) =>
      String(nodes[bare(id)]?.place) === String(line));
  }

  light(...line) {
    const { picture, viewer } = this.player;
    if (picture) viewer.trail.light(line.length ? this.nodesOf(...line) : []);
  }

  link(ids) {
    if (this.lines) this.mark("linked", ids);
  }

  press(event) {
    const way = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!way || !this.player.picture) return;
    event.preventDefault();
    const all = this.lines.flatMap((lines, file) => lines.map((line, place) => [file, place]));
    const there = all.filter((line) => this.nodesOf(...line).length);
    const at = there.findIndex(([file, place]) => this.lines[file][place].matches(".linked"));
    const next = there[Math.max(0, Math.min(at + way, there.length - 1))];
    if (next) this.light(...next);
  }

  // the inspector --------------------------------------------------------------------------------

  inspect(id) {
    const info = this.spec.nodes[bare(id || "")], curve = info && this.player.whatIf.curve(info.id);
    this.inspector.replaceChildren(...info ? this.facts(info) : []);
    this.graph.replaceChildren(...curve || []);
    if (this.graph.parentNode) flag(this.graph.parentNode, "empty", !curve);
  }

  facts(info) {
    const { player } = this, { steps, mode, source } = this.spec, { whatIf, at: now } = player;
    const told = (kind) => {
      if (info.inner) return this.inTurn(info.id, kind);
      const at = steps.slice(0, now + 1).findLastIndex((step) => step.at === info.id && step[kind]);
      return at < 0 ? null : whatIf.moved ? { numbers: player.result(at) } : steps[at][kind];
    };
    const kind = DERIVATIVES[mode], { place } = info;
    return [
      html(`dt.name.${info.role}`, info.name),
      html("dd.form", [info.role, info.form].filter(Boolean).join(" · ")), ...row("op", info.op),
      ...numbers("value", told("value"), info.constant),
      ...kind && info.moves ? numbers(kind, told("derivative")) : [],
      ...this.passed(info, "received", 2, 1, "from"), ...this.passed(info, "passes on", 1, 2, "to"),
      ...row("memory", info.buffer),
      ...row("made in", place ? `line ${source[place[0]].lines[place[1]][0]}` : info.line),
    ];
  }

  // The contributions so far to a value, or from it: "3 from b, 2 from a".
  passed(info, word, own, other, link) {
    const { contributions, nodes, mode } = this.spec, { at, whatIf } = this.player;
    const told = contributions.flatMap((one, which) => one[own] === info.id && one[0] <= at ?
      [`${whatIf.amount(which)} ${link} ${nodes[one[other]]?.name ?? "…"}`] : []);
    const leaf = own === 1 && mode === "reverse" && info.moves && !info.op && !info.inner;
    return row(word, leaf ? `nothing: ${info.name} is a leaf` : told.join(", "));
  }

  // What is known of a value in a loop: of the iteration in view, not of one before.
  inTurn(id, kind) {
    const { steps, ending } = this.spec, side = kind === "derivative" ? ending : "";
    for (let at = this.player.at; at >= 0; at -= 1) {
      const found = steps[at].texts.findLast(([own]) => own === id + side);
      if (found && steps[at].at === id && steps[at][kind]) return steps[at][kind];
      if (found) return found[1] === "·" ? null : { numbers: found[1] };
    }
    return null;
  }
}

const row = (word, ...facts) => facts.some(Boolean) ? [html("dt", word), html("dd", ...facts)] : [];

function numbers(word, told, constant) {
  if (!told) return row(word, constant || "· (not computed yet)");
  return row(word, told.matrix ? heatMap(told.numbers) :
    html(`span.numbers.${word}`, minus(told.numbers)),
  ...told.range ? [html("div.range", minus(told.range))] : []);
}

// A matrix in its rows, each number on a ground that says how large it is: blue above 0, else pink.
function heatMap(text) {
  const rows = text.split("\n").map((line) => line.trim().split(/\s+/));
  const size = (word) => Number.isFinite(Number(word)) ? Math.abs(word) : 0;
  const most = Math.max(...rows.flat().map(size)) || 1;
  const cell = (word) => html(word < 0 ? "td.less" : "td",
    { style: `--share:${Math.round(45 * size(word) / most)}%` }, minus(word));
  return fill(group("div.heat", `matrix, ${rows.length} × ${rows[0].length}`,
    html("table", ...rows.map((words) => html("tr", ...words.map(cell))))), { tabindex: "0" });
}
