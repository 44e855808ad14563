// What if an input were another number: the steps of a small program, computed again on the page.
// The instructions come from the engine's own rules; only what each op computes is written here.

class WhatIf {
  constructor(player) {
    this.player = player;
    this.program = player.spec.program;
    this.inputs = this.program.leaves.map(([, , value]) => readNumber(value));
    this.moved = false;
    this.told = []; // [step, where its result is written]
    this.button = wordButton("What if", "change an input, and see what follows",
      () => this.toggle());
    this.levers = html("div", { class: "levers", role: "group", "aria-label": "inputs", hidden: "" },
      ...this.program.leaves.map(([id, name], at) => this.lever(id, name, at)),
      this.output((step) => step.phase === "forward"),
      this.resetButton(),
      html("span", { class: "range" }, "constants, and branches taken, stay as they were recorded"));
    this.run();
  }

  lever(id, name, at) {
    const value = this.inputs[at];
    const most = 10 ** Math.ceil(Math.log10(2 * Math.max(Math.abs(value), 1))) / 2;
    const range = html("input", { type: "range", min: -most, max: most, step: most / 500,
      value, "aria-label": name });
    const field = html("input", { type: "text", inputmode: "decimal", size: 6, value: shorten(value),
      "aria-label": `${name} as a number`, autocomplete: "off" });
    const change = (number) => {
      this.inputs[at] = number;
      this.move(true);
    };
    range.addEventListener("input", () => {
      field.value = range.value;
      change(Number(range.value));
    });
    field.addEventListener("change", () => {
      if (!isNumber(field.value.trim())) return;
      range.value = field.value;
      change(numberOf(field.value.trim()));
    });
    return html("label", {}, html("b", {}, name), range, field, this.output((step) =>
      step.at === id && step.derivative && this.player.spec.mode === "reverse"));
  }

  // Tells the last result of such a step; nothing where there is none.
  output(of) {
    const step = this.player.steps.findLastIndex(of), place = html("output", {});
    if (step >= 0) this.told.push([step, place]);
    return place;
  }

  resetButton() {
    const made = wordButton("reset", "the inputs of the program", () => this.reset());
    made.removeAttribute("aria-pressed");
    return made;
  }

  reset() {
    this.inputs = this.program.leaves.map(([, , value]) => readNumber(value));
    [...this.levers.querySelectorAll("label")].forEach((label, at) => {
      for (const field of label.querySelectorAll("input")) field.value = shorten(this.inputs[at]);
    });
    this.move(false);
  }

  toggle() {
    this.levers.hidden = !this.levers.hidden;
    this.button.setAttribute("aria-pressed", String(!this.levers.hidden));
    if (this.levers.hidden) this.reset(); // no number of another program without its inputs
    else this.player.go(this.player.steps.length - 1);
  }

  move(moved) {
    this.moved = moved;
    this.run();
    this.player.stop();
    this.player.show(this.player.at);
  }

  run() {
    this.values = runProgram(this.program, this.inputs);
    for (const [step, place] of this.told) {
      place.textContent = `${this.player.steps[step].name} = ${this.result(step)}`;
    }
  }

  result(step) {
    return this.moved ? numberText(this.values[this.program.steps[step]]) :
      this.player.steps[step].result;
  }

  // Where the first number came up that is not finite; words as the page has them.
  birth() {
    if (!this.moved) return this.player.spec.born;
    const { steps } = this.program;
    const step = steps.findIndex((slot) => !Number.isFinite(Number(this.values[slot])));
    if (step < 0) return null;
    const { line } = this.player.steps[step];
    const number = line && this.player.spec.source[line[0]].lines[line[1]][0];
    const words = birthWords(this.program, this.values, steps[step]);
    return { step, words: number ? `${words}, line ${number}` : words };
  }
}

const shorten = (number) => String(Number(number.toPrecision(12)));
