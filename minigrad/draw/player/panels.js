// What stands beside and below the picture: the learner's source, the inspector, the memory.

const DERIVATIVES = { reverse: "adjoint", forward: "tangent" };
const SIDE = /_(bar|dot)$/;

class Panels {
  constructor(player) {
    this.player = player;
    this.spec = player.spec;
    this.inspector = html("dl", { class: "inspector" });
    const inspector = html("div", { class: "panel", role: "group", "aria-label": "inspector" },
      this.inspector);
    this.side = html("div", { class: "side" });
    if (this.spec.source.length) this.side.append(this.sourcePanel());
    this.side.append(inspector);
    this.foot = html("div", { class: "foot" }, this.memoryStrip());
    if (this.spec.note) this.foot.append(html("p", { class: "note" }, this.spec.note));
  }

  sourcePanel() {
    this.lines = this.spec.source.map((file, at) => file.lines.map(([number, text], place) => {
      const line = html("span", { class: "line", "data-number": number }, text + "\n");
      line.addEventListener("pointerenter", () => this.light(at, place));
      return line;
    }));
    this.code = html("pre", { tabindex: "0", role: "group",
      "aria-label": "source: arrow up and down go from line to line" });
    this.spec.source.forEach((file, at) => this.code.append(
      html("span", { class: "file" }, file.name + "\n"), ...this.lines[at]));
    this.code.addEventListener("pointerleave", () => this.light());
    this.code.addEventListener("blur", () => this.light());
    this.code.addEventListener("keydown", (event) => this.press(event));
    return html("div", { class: "panel" }, this.code);
  }

  memoryStrip() {
    this.memory = html("p", { class: "live" });
    const { steps, peak } = this.spec;
    if (!peak) return this.memory;
    const bars = steps.map((step, at) => svg("rect", { class: step.phase, x: at, width: 1.02,
      y: 1 - step.live / peak, height: step.live / peak, "shape-rendering": "crispEdges" }));
    this.cursor = svg("rect", { class: "cursor", y: 0, width: 1, height: 1 });
    const strip = svg("svg", { viewBox: `0 0 ${steps.length} 1`, preserveAspectRatio: "none",
      "aria-hidden": "true" }, ...bars, this.cursor);
    return html("div", { class: "memory" }, strip, this.memory);
  }

  show(now) {
    this.memory.textContent = now.memory;
    if (this.cursor) this.cursor.setAttribute("x", this.player.at);
    if (this.code) this.markLine(now.line);
    this.inspect(now.at in this.spec.nodes ? now.at : now.of);
  }

  // the source -----------------------------------------------------------------------------------

  markLine(place) {
    this.lines.flat().forEach((line) => line.removeAttribute("aria-current"));
    const line = place && this.lines[place[0]][place[1]];
    if (!line) return;
    line.setAttribute("aria-current", "step");
    const middle = line.offsetTop - this.code.clientHeight / 2;
    this.code.scrollTop = middle; // the panel scrolls, the page does not
  }

  // The nodes of the picture that a line made, with their adjoints or tangents.
  nodesOf(file, place) {
    const own = Object.values(this.spec.nodes).filter(
      ({ place: at }) => at && at[0] === file && at[1] === place).map(({ id }) => id);
    return [...this.player.picture.nodes.keys()].filter((id) => own.includes(id.replace(SIDE, "")));
  }

  light(file, place) {
    if (!this.player.picture) return;
    const ids = file === undefined ? [] : this.nodesOf(file, place);
    this.player.viewer.trail.light(new Set(), new Set(), ids);
  }

  // Marks the lines that made these nodes.
  link(ids) {
    if (!this.lines) return;
    this.lines.flat().forEach((line) => line.classList.remove("linked"));
    for (const id of ids) {
      const { place } = this.spec.nodes[id.replace(SIDE, "")] || {};
      if (place) this.lines[place[0]][place[1]].classList.add("linked");
    }
  }

  press(event) {
    const way = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!way || !this.player.picture) return;
    event.preventDefault();
    const all = this.lines.flatMap((lines, file) => lines.map((line, place) => [file, place]));
    const there = all.filter(([file, place]) => this.nodesOf(file, place).length);
    const at = there.findIndex(([file, place]) => this.lines[file][place].matches(".linked"));
    const next = there[Math.max(0, Math.min(at + way, there.length - 1))];
    if (next) this.light(...next);
  }

  // the inspector --------------------------------------------------------------------------------

  inspect(id) {
    const info = this.spec.nodes[(id || "").replace(SIDE, "")];
    this.inspector.replaceChildren(...(info ? this.facts(info) : []));
  }

  facts(info) {
    const { steps, mode } = this.spec, { player } = this;
    const last = (kind) => steps.slice(0, player.at + 1).findLastIndex(
      (step) => step.at === info.id && step[kind]);
    const told = (kind) => {
      if (info.inner) return this.inTurn(info.id, kind);
      const at = last(kind);
      if (at < 0) return null;
      return player.whatIf && player.whatIf.moved ?
        { numbers: player.result(at), bins: [] } : steps[at][kind];
    };
    const kind = DERIVATIVES[mode];
    return [
      ...row("name", info.name), ...row("op", info.op), ...row("form", info.form),
      ...numbers("value", told("value"), info.constant),
      ...(kind && info.moves ? numbers(kind, told("derivative")) : []),
      ...this.passed(info, "received", 2, 1, "from"), ...this.passed(info, "passes on", 1, 2, "to"),
      ...row("rule", ...info.rules.flatMap((rule, at) => at ? [html("br"), rule] : [rule])),
      ...row("memory", info.buffer), ...row("line", info.line),
    ];
  }

  // The contributions so far to a value, or from it: "3 from b, 2 from a"; none of inputs that moved.
  passed(info, word, own, other, link) {
    const { contributions, nodes } = this.spec, { at, whatIf } = this.player;
    if (whatIf && whatIf.moved) return [];
    const told = contributions.filter((one) => one[own] === info.id && one[0] <= at);
    return row(word, told.map((one) => `${one[3]} ${link} ${nodes[one[other]]?.name ?? "…"}`).join(", "));
  }

  // What is known of a value in a loop: of the turn in view, not of one before.
  inTurn(id, kind) {
    const { steps, ending } = this.spec, side = kind === "derivative" ? ending : "";
    for (let at = this.player.at; at >= 0; at -= 1) {
      const found = steps[at].texts.findLast(([own]) => own === id + side);
      if (found && steps[at].at === id && steps[at][kind]) return steps[at][kind];
      if (found) return found[1] === "·" ? null : { numbers: found[1], bins: [] };
    }
    return null;
  }
}

const row = (word, ...facts) =>
  facts.some(Boolean) ? [html("dt", {}, word), html("dd", {}, ...facts)] : [];

function numbers(word, told, constant) {
  if (!told) return row(word, constant || "· (not computed yet)");
  const extra = [told.range && html("div", { class: "range" }, told.range)];
  if (told.bins.length) extra.push(histogram(told.bins));
  const all = told.matrix ? heatMap(told.numbers) :
    html("span", { class: "numbers" }, told.numbers);
  return row(word, all, ...extra.filter(Boolean));
}

// A matrix in its rows, each number on a ground that says how large it is: blue above 0, pink below.
function heatMap(text) {
  const rows = text.split("\n").map((line) => line.trim().split(/\s+/));
  const sizes = rows.flat().map((word) => Math.abs(Number(word))).filter(Number.isFinite);
  const most = Math.max(...sizes) || 1;
  const cell = (word) => {
    const share = Number.isFinite(Number(word)) ? Math.round(45 * Math.abs(Number(word)) / most) : 0;
    const colour = Number(word) < 0 ? "var(--ring)" : "var(--focus)";
    return html("td", { style: `background: color-mix(in srgb, ${colour} ${share}%, transparent)` },
      word);
  };
  return html("div", { class: "heat", tabindex: "0", role: "group",
    "aria-label": `matrix, ${rows.length} × ${rows[0].length}` },
  html("table", {}, ...rows.map((words) => html("tr", {}, ...words.map(cell)))));
}

function histogram(bins) {
  const most = Math.max(...bins);
  return svg("svg", { class: "histogram", viewBox: `0 0 ${bins.length} 1`, role: "img",
    preserveAspectRatio: "none", "aria-label": "histogram: " + bins.join(", ") },
    ...bins.map((count, at) => svg("rect", { x: at + 0.05, width: 0.9, y: 1 - count / most,
      height: count / most })));
}
