// What if an input were another number: the steps of a small program, computed again on the page.
// The instructions come from the engine's own rules; only what each op computes is written here.

const POINTS = 80; // of a curve

const minus = (text) => text.replaceAll("-", "−");
const shorten = (number) => String(Number(number.toPrecision(12)));

class WhatIf {
  constructor(player) {
    this.player = player;
    this.program = player.spec.program || { leaves: [], constants: [], code: [] };
    this.recorded = this.program.leaves.map(([, , value]) => readNumber(value));
    this.told = []; // [step, where its result is written]
    this.fields = [];
    this.button = wordButton("What if", () => this.toggle(), { "aria-pressed": "false" });
    this.levers = group("div.levers", "inputs",
      ...this.program.leaves.map(([id, name], at) => this.lever(id, name, at)),
      this.output((step) => step.phase === "forward"),
      wordButton("reset", () => this.move(this.recorded)),
      html("span.range", "Constants, and branches taken, stay as they were recorded."));
    this.levers.hidden = true;
    this.move(this.recorded);
  }

  lever(id, name, at) {
    const most = this.most(at), put = (number) => this.move(this.inputs.with(at, number));
    const range = on(html("input", { type: "range", min: -most, max: most, step: most / 500,
      "aria-label": name }), "input", () => put(Number(range.value)));
    const field = on(html("input", { type: "text", inputmode: "decimal",
      "aria-label": `${name} as a number`, autocomplete: "off" }), "change",
    () => isNumber(field.value) && put(readNumber(field.value)));
    this.fields.push([range, field]);
    return html("label", html("b", name), range, field, this.output((step) =>
      step.at === id && step.derivative && this.player.spec.mode === "reverse"));
  }

  // How far the slider of an input goes to either side.
  most(at) {
    return 10 ** Math.ceil(Math.log10(2 * Math.max(Math.abs(this.recorded[at]), 1))) / 2;
  }

  // Tells the last result of such a step; nothing where there is none.
  output(of) {
    const step = this.player.steps.findLastIndex(of), place = html("output");
    if (step >= 0) this.told.push([step, place]);
    return place;
  }

  toggle() {
    const { levers, player } = this;
    levers.hidden = !levers.hidden;
    set(this.button, "aria-pressed", !levers.hidden);
    if (levers.hidden) this.move(this.recorded); // no number of another program without its inputs
    else player.go(player.steps.length - 1);
  }

  move(inputs) {
    this.inputs = inputs;
    this.moved = this.changes().length > 0;
    this.values = runProgram(this.program, inputs);
    this.fields.forEach(([range, field], at) => {
      range.value = inputs[at];
      field.value = shorten(inputs[at]);
    });
    for (const [step, place] of this.told) {
      place.textContent = `${this.player.steps[step].name} = ${this.result(step)}`;
    }
    if (this.player.slider) this.player.go(this.player.at);
  }

  // The places of the inputs that were moved.
  changes() {
    return [...this.recorded.keys()].filter((at) => !Object.is(this.inputs[at], this.recorded[at]));
  }

  // Inputs that moved, as a part of an address: ";w=1.5".
  address() {
    return this.changes().map((at) =>
      `;${encodeURIComponent(this.program.leaves[at][1])}=${shorten(this.inputs[at])}`).join("");
  }

  visit(address) {
    const told = Object.fromEntries(address.split(";").slice(1).map((part) =>
      part.split("=").map(decodeURIComponent)));
    const inputs = this.program.leaves.map(([, name], at) =>
      isNumber(told[name] || "") ? readNumber(told[name]) : this.recorded[at]);
    if (address && this.levers.hidden) this.toggle();
    this.move(inputs);
  }

  // what the page shows --------------------------------------------------------------------------

  textOf(slot) {
    return minus(numberText(this.values[slot]));
  }

  result(step) {
    return this.moved ? this.textOf(this.program.steps[step]) :
      minus(this.player.steps[step].result);
  }

  // A contribution's amount.
  amount(which) {
    return this.moved ? this.textOf(this.program.amounts[which]) :
      this.player.spec.contributions[which][3];
  }

  // What a token says; behind a sign, a negative number stands in brackets.
  text([text, , of], before) {
    if (!this.moved || typeof of !== "number") return text;
    const found = of < 0 ? this.amount(-1 - of) : this.result(of);
    return found[0] === "−" && /[·+−/]\s?$/.test(before) ? `(${found})` : found;
  }

  // Where the first number came up that is not finite; words as the page has them.
  birth() {
    if (!this.moved) return this.player.spec.born;
    const { steps } = this.program, { source } = this.player.spec;
    const step = steps.findIndex((slot) => !Number.isFinite(Number(this.values[slot])));
    if (step < 0) return null;
    const { line } = this.player.steps[step];
    const words = birthWords(this.program, this.values, steps[step]);
    return { step, words: line ? `${words}, line ${source[line[0]].lines[line[1]][0]}` : words };
  }

  // The curve of the result against an input, with its tangent once the adjoint is complete; null
  // where this is no single number that the page can move.
  curve(id) {
    const { curves, leaves } = this.program, [slope, step, y, title] = curves?.[id] || [];
    const leaf = leaves.findIndex(([own]) => own === id);
    if (!title) return null;
    const now = this.inputs[leaf], most = Math.max(this.most(leaf), Math.abs(now));
    const value = (x) => Number(runProgram(this.program, this.inputs.with(leaf, x))[y]);
    const points = [...Array(POINTS + 1).keys()].map((at) => (2 * at / POINTS - 1) * most)
      .map((x) => [x, value(x)]).filter(([, height]) => Number.isFinite(height));
    const here = value(now), heights = [...points.map(([, height]) => height), here];
    const low = Math.min(...heights), span = Math.max(...heights) - low || 1;
    if (!points.length || !Number.isFinite(span)) return null;
    const place = ([x, height]) => [134 + 120 * x / most, 56 - 50 * (height - low) / span];
    const path = (kind, ...ends) => svg("path", { class: kind, d: "M" + ends.map((one) =>
      place(one).map((number) => number.toFixed(1)).join(" ")).join("L") });
    const known = this.player.at >= step, reach = most / 3, [cx, cy] = place([now, here]);
    const rise = known ? this.values[slope] * reach : NaN;
    return [html("p", title + (known ? `; the tangent has slope ${this.textOf(slope)}` : "")),
      svg("svg", { viewBox: "0 0 268 62", class: "curve", "aria-hidden": "true" },
        path("line", ...points), ...Number.isFinite(rise) ?
          [path("tangent-line", [now - reach, here - rise], [now + reach, here + rise])] : [],
        svg("circle", { cx, cy, r: 5 }))];
  }
}
