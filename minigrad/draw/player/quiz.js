// Predict mode: a derivative stays hidden until the reader has said what it will be.

const NEAR = 0.01; // of the number itself: an answer of two or three digits is enough

class Quiz {
  constructor(player) {
    this.player = player;
    const { steps } = player.spec;
    this.questions = [...steps.keys()].filter((at) => steps[at].derivative &&
      isNumber(steps[at].result));
    this.on = false;
    this.button = wordButton("Predict", () => this.toggle(), { "aria-pressed": "false" });
    this.field = html("input", { type: "text", inputmode: "decimal", autocomplete: "off" });
    this.words = html("span");
    this.verdict = html("span.verdict", { role: "status" });
    this.form = on(html("form.ask", { hidden: "" }, html("label", this.words, " ", this.field),
      html("button.word", "check"), wordButton("show it",
        () => this.answer(`it was ${this.player.result(this.next)}`)), this.verdict),
    "submit", (event) => {
      event.preventDefault();
      this.check();
    });
  }

  toggle() {
    this.on = !this.on;
    set(this.button, "aria-pressed", this.on);
    Object.assign(this, { next: this.questions[0], asked: 0, right: 0 });
    this.verdict.textContent = "";
    this.player.go(this.on ? this.next - 1 : this.player.at);
    if (this.on) this.field.focus();
  }

  // The step up to which one may go.
  limit(step) {
    return this.on ? Math.min(step, this.next - 1) : step;
  }

  ask() {
    const { player, next } = this;
    const due = this.on && player.at === next - 1;
    this.form.hidden = !this.on;
    flag(this.form, "due", due);
    if (due) this.words.replaceChildren("Next: ", ...this.question(next), " ?");
    else if (this.on && next === Infinity) this.verdict.textContent = this.score();
  }

  // The formula of a step, without numbers that would tell its result.
  question(at) {
    const { formula, name } = this.player.steps[at];
    return formula.length > 3 ? this.player.write(formula) : [`${name} =`];
  }

  score() {
    return `${this.right} of ${this.asked} right at once`;
  }

  check() {
    const told = this.field.value.trim().replace(",", ".");
    const found = this.player.result(this.next);
    if (!told) return;
    if (isClose(told, found)) {
      this.right += this.missed === this.next ? 0 : 1;
      return this.answer(`right: ${found}`);
    }
    this.missed = this.next;
    this.verdict.textContent = `not ${told}: look at what comes in, and at the rule`;
    this.field.select();
  }

  answer(words) {
    const at = this.next;
    this.asked += 1;
    this.next = this.questions[this.questions.indexOf(at) + 1] ?? Infinity;
    this.field.value = "";
    this.verdict.textContent = words;
    this.player.go(at);
    this.player.go(this.next === Infinity ? at : this.next - 1);
    if (this.next === Infinity) this.verdict.textContent = `${words}; ${this.score()}`;
    else this.field.focus();
  }
}

function isClose(told, found) {
  const [a, b] = [told, found].map(readNumber);
  return Object.is(a, b) || Math.abs(a - b) <= NEAR * Math.abs(b);
}
