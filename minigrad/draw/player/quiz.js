// Predict mode: a derivative stays hidden until the reader has said what it will be.

const NEAR = 0.01; // of the number itself: an answer of two or three digits is enough

class Quiz {
  constructor(player) {
    this.player = player;
    const { steps } = player.spec;
    this.questions = [...steps.keys()].filter((at) => steps[at].derivative && isNumber(steps[at].result));
    this.on = false;
    this.button = wordButton("Predict", "say each derivative before you see it", () => this.toggle());
    this.field = html("input", { type: "text", inputmode: "decimal", autocomplete: "off", size: 8 });
    this.words = html("label", {}, html("span"), " ", this.field);
    this.verdict = html("span", { class: "verdict", role: "status" });
    this.form = html("form", { class: "ask", hidden: "" }, this.words,
      html("button", { type: "submit", class: "word" }, "check"), this.giveUp(), this.verdict);
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.check();
    });
  }

  giveUp() {
    const show = wordButton("show it", "show the number, and go on", () => {
      this.answer(`it was ${this.player.result(this.next)}`);
    });
    show.removeAttribute("aria-pressed");
    return show;
  }

  toggle() {
    this.on = !this.on;
    this.button.setAttribute("aria-pressed", String(this.on));
    Object.assign(this, { next: this.questions[0], asked: 0, right: 0 });
    this.verdict.textContent = "";
    this.player.go(this.on ? this.next - 1 : this.player.at);
    if (this.on) this.field.focus();
  }

  // The step up to which one may go.
  limit(step) {
    return this.on && this.next !== undefined ? Math.min(step, this.next - 1) : step;
  }

  ask() {
    const { player, next } = this;
    const due = this.on && next !== undefined && player.at === next - 1;
    this.form.hidden = !this.on;
    this.form.classList.toggle("due", due);
    if (!this.on) return;
    if (!due) this.verdict.textContent = next === undefined ? this.score() : this.verdict.textContent;
    else this.words.firstChild.replaceChildren("Next: ", ...this.question(next), " ?");
  }

  // The formula of a step without its result, and without numbers that would tell it.
  question(at) {
    const { tokens, kinds } = this.player.spec, { formula } = this.player.steps[at];
    const named = formula.filter((place) => kinds[tokens[place][1]] !== "result");
    return named.length > 2 ? this.player.terms(named) : [`${this.player.steps[at].name} =`];
  }

  score() {
    return `${this.right} of ${this.asked} right at once`;
  }

  check() {
    const told = this.field.value.trim().replace(",", ".").replace("−", "-");
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
    this.next = this.questions[this.questions.indexOf(at) + 1];
    this.field.value = "";
    this.verdict.textContent = words;
    this.player.go(at);
    this.player.go(this.next === undefined ? at : this.next - 1);
    if (this.next === undefined) this.verdict.textContent = `${words}; ${this.score()}`;
    else this.field.focus();
  }
}

const WORDS = { inf: Infinity, "-inf": -Infinity, nan: NaN };
const numberOf = (text) => text in WORDS ? WORDS[text] : Number(text);
const isNumber = (text) => text in WORDS || text !== "" && Number.isFinite(Number(text));

function isClose(told, found) {
  const [a, b] = [numberOf(told), numberOf(found)];
  return Object.is(a, b) || Math.abs(a - b) <= NEAR * Math.abs(b);
}
