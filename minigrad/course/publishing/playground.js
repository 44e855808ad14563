// A formula that a visitor types: read, drawn, stepped through and differentiated in the page.
// `values.js` of the player stands before it; RULES are the engine's derivative rules, as instructions.

const MOST = 40; // operations of a drawing
const WIDE = 154, TALL = 86, CARD = 112, HALF = 27; // pixels of a column, a row, a card, half of it
const SIGNS = { add: "+", sub: "−", mul: "×", div: "÷", neg: "−", power: "^" };
const PLAIN = { "**": "^", "·": "*", "×": "*", "−": "-" };
const TOKEN = /\s*(\d+\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?|[a-z]\w*|\*\*|[-+*/^(),=·×−])/iy;
const isName = (text) => /^[a-z]/i.test(text);
const shownNumber = (number) => numberText(number).replace("-", "−");

class Refusal extends Error {
  constructor(at, message) {
    super(message);
    this.at = at;
  }
}

function splitFormula(text) {
  const tokens = [];
  let at = 0;
  while (text.slice(at).trim()) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    if (!found) {
      at += text.slice(at).search(/\S/);
      throw new Refusal(at, `${text[at]} is not a sign of a formula. Use + - * / ^ and ( ).`);
    }
    at = TOKEN.lastIndex;
    tokens.push({ text: PLAIN[found[1]] || found[1], at: at - found[1].length });
  }
  return [...tokens, { text: "", at: text.length }];
}

// formula = [name "="] sum; sum = product {("+" | "-") product};
// product = factor {["*" | "/"] factor}; factor = "-" factor | atom ["^" factor];
// atom = number | name | function "(" sum {"," sum} ")" | "(" sum ")"
class Formula {
  constructor(text) {
    this.tokens = splitFormula(text);
    this.place = 0;
    this.operations = [];
    this.variables = new Map();
    const named = isName(this.tokens[0].text) && this.tokens[1].text === "=";
    if (named) this.place = 2;
    this.result = this.sum();
    if (this.token.text) this.refuse(`${this.token.text} is not expected here. Write an operation.`);
    if (!this.operations.includes(this.result)) {
      this.refuse("This is not a computation with a variable. Write, for example, x * x.", 0);
    }
    this.nameNodes(named ? this.tokens[0].text : null);
  }

  get nodes() {
    return [...this.variables.values(), ...this.operations];
  }

  get token() {
    return this.tokens[this.place];
  }

  refuse(message, at = this.token.at) {
    throw new Refusal(at, message);
  }

  accept(...texts) {
    return this.token.text && texts.includes(this.token.text) ? this.tokens[this.place++] : null;
  }

  expect(text) {
    const { text: found } = this.token;
    if (!this.accept(text)) this.refuse(`${found || "The end"} is not expected here. Write ${text}.`);
  }

  sum() {
    let left = this.product(), sign;
    while ((sign = this.accept("+", "-"))) {
      left = this.apply(sign.text === "+" ? "add" : "sub", [left, this.product()]);
    }
    return left;
  }

  product() {
    let left = this.factor();
    for (;;) {
      const sign = this.accept("*", "/"), { text } = this.token;
      if (!sign && text !== "(" && !isName(text)) return left;
      left = this.apply(sign?.text === "/" ? "div" : "mul", [left, this.factor()]);
    }
  }

  factor() {
    if (this.accept("-")) return this.apply("neg", [this.factor()]);
    const base = this.atom();
    return this.accept("^") ? this.apply("power", [base, this.factor()]) : base;
  }

  atom() {
    if (this.accept("(")) {
      const inner = this.sum();
      this.expect(")");
      return inner;
    }
    const { text } = this.token, number = text && !isName(text) ? Number(text) : NaN;
    if (!isName(text) && Number.isNaN(number)) {
      this.refuse(`${text || "The end"} is not expected here. Write a number, a name or (.`);
    }
    if (!isName(text)) return { value: number, text: this.tokens[this.place++].text };
    return this.named(this.tokens[this.place++]);
  }

  named({ text, at }) {
    const opened = this.token.text === "(", rule = RULES[text];
    if (rule && !SIGNS[text]) return this.call(text, rule, at);
    if (opened && text.length > 1) {
      const known = Object.keys(RULES).filter((name) => !SIGNS[name]).join(", ");
      this.refuse(`${text} is not a function. Use one of: ${known}.`, at);
    }
    if (!this.variables.has(text)) this.variables.set(text, { name: text, inputs: [] });
    return this.variables.get(text);
  }

  call(name, { adjoints: { length } }, at) {
    this.expect("(");
    const inputs = [this.sum()];
    while (this.accept(",")) inputs.push(this.sum());
    this.expect(")");
    if (inputs.length !== length) {
      const count = `${length} ${length === 1 ? "argument" : "arguments"}`;
      this.refuse(`${name} takes ${count}, not ${inputs.length}.`, at);
    }
    return this.apply(name, inputs);
  }

  // A new operation, or a number where all operands are numbers.
  apply(op, inputs) {
    if (inputs.every(({ value }) => value !== undefined)) {
      const value = runRule(RULES[op], inputs.map((one) => one.value))[RULES[op].value];
      return { value, text: shownNumber(value) };
    }
    if (this.operations.length === MOST) {
      this.refuse(`The formula has more than ${MOST} operations. Write a shorter formula.`);
    }
    const node = { op, inputs };
    this.operations.push(node);
    return node;
  }

  nameNodes(wanted) {
    const taken = this.variables;
    if (taken.has(wanted)) this.refuse(`${wanted} stands on both sides. Rename the result.`, 0);
    const last = wanted || ["y", "f", "z", "result", "result_"].find((name) => !taken.has(name));
    const first = ["v", "t", "u", "v_"].find((letter) =>
      ![...taken.keys(), last].some((name) => name.match(`^${letter}\\d`)));
    this.operations.forEach((node, at) => { node.name = `${first}${at + 1}`; });
    this.result.name = last;
  }
}

const runRule = (rule, operands, adjoint = 1) => runProgram(rule, [...operands, adjoint]);

// Every step of the forward pass and of the backward pass.
function traceFormula({ operations, variables, result }, numbers) {
  const values = new Map([...variables.values()].map((node) => [node, numbers[node.name]]));
  const operandsOf = (node) => node.inputs.map((one) => one.value ?? values.get(one));
  const adjoints = new Map([[result, 1]]), steps = [];
  for (const node of operations) {
    const operands = operandsOf(node);
    values.set(node, runRule(RULES[node.op], operands)[RULES[node.op].value]);
    steps.push(forwardStep(node, operands, values.get(node)));
  }
  steps.push({ node: result, adjoint: 1, edges: [],
    say: `The backward pass starts with the derivative of ${result.name} with respect to itself.`,
    formula: `∂${result.name}/∂${result.name} = 1` });
  for (const node of operations.toReversed()) {
    const rule = RULES[node.op], operands = operandsOf(node), adjoint = adjoints.get(node);
    const [slots, unit] = [adjoint, 1].map((seed) => runRule(rule, operands, seed));
    node.inputs.forEach((input, at) => {
      if (input.value !== undefined) return;
      const share = slots[rule.adjoints[at]], before = adjoints.get(input), total = (before ?? 0) + share;
      adjoints.set(input, total);
      const product = [adjoint, unit[rule.adjoints[at]]].map(shownNumber).join(" · ");
      const sum = before === undefined ? "" : `; ∂${result.name}/∂${input.name} = `
        + `${shownNumber(before)} + ${shownNumber(share)} = ${shownNumber(total)}`;
      steps.push({ node: input, adjoint: total, edges: [[input, node]], back: true,
        say: `${node.name} passes its adjoint times its local derivative back to ${input.name}.`,
        formula: `contribution: ${product} = ${shownNumber(share)}${sum}` });
    });
  }
  return { steps, adjoints };
}

function forwardStep(node, operands, value) {
  const named = write(node, node.inputs.map(({ name, text }) => name || text));
  const numbers = write(node, operands.map(shownNumber));
  return { node, value, edges: node.inputs.map((from) => [from, node]),
    say: `${node.name} is computed in the forward pass.`,
    formula: `${node.name} = ${named} = ${numbers} = ${shownNumber(value)}` };
}

// An operation as text, with these operands.
function write({ op, inputs }, operands) {
  const inner = operands.map((text) => /^−/.test(text) ? `(${text})` : text);
  if (!SIGNS[op]) return `${op}(${operands.join(", ")})`;
  return inputs.length === 1 ? `−${inner[0]}` : inner.join(` ${SIGNS[op]} `);
}

// Give each node its place; an edge over several columns takes a row in each of them.
function placeNodes({ operations, variables, result }) {
  const nodes = [...variables.values(), ...operations], columns = [];
  for (const node of operations) {
    node.column = 1 + Math.max(...node.inputs.map((one) => one.column ?? 0));
  }
  for (const node of variables.values()) {
    const users = operations.filter(({ inputs }) => inputs.includes(node));
    node.column = Math.min(...users.map(({ column }) => column)) - 1;
  }
  for (const node of nodes) (columns[node.column] ??= []).push(node);
  const ways = findWays(operations, columns);
  sortRows(columns, ways.flatMap(({ way }) => way.slice(1).map((to, at) => [way[at], to])));
  const heights = columns.flat().map(({ y }) => y), top = Math.min(...heights) - HALF - 28;
  for (const node of columns.flat()) Object.assign(node, { x: 30 + WIDE * node.column, y: node.y - top });
  return { ways, width: 54 + WIDE * result.column + CARD, height: Math.max(...heights) - top + HALF + 24 };
}

// The edges, with a point in each column that one crosses.
function findWays(operations, columns) {
  const ways = [];
  for (const to of operations) {
    for (const from of new Set(to.inputs.filter(({ value }) => value === undefined))) {
      const way = [from];
      for (let column = from.column + 1; column < to.column; column++) {
        way.push({ between: true, column });
        columns[column].push(way.at(-1));
      }
      ways.push({ from, to, way: [...way, to] });
    }
  }
  return ways;
}

// Sort each column by the mean height of its neighbours: of those before it, then of those behind.
function sortRows(columns, links) {
  for (let sweep = 0; sweep < 4; sweep++) {
    const behind = sweep % 2;
    for (const column of behind ? columns.toReversed() : columns) {
      for (const node of column) {
        const near = links.filter((link) => link[1 - behind] === node).map((link) => link[behind].y);
        node.wish = near.length ? near.reduce((sum, y) => sum + y, 0) / near.length : node.y ?? 0;
      }
      column.sort((a, b) => a.wish - b.wish);
      column.forEach((node, at) => { node.y = (at - (column.length - 1) / 2) * TALL; });
    }
  }
}

function mark(kind, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", kind);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// The picture of a formula; each node and edge keeps the elements that the steps change.
function drawFormula(formula, title) {
  const { ways, width, height } = placeNodes(formula);
  const picture = mark("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img",
    "aria-label": `The graph of ${title}` });
  for (const one of ways) {
    const points = one.way.map(({ x, y, between }, at) =>
      between ? [x, y, x + CARD] : at ? [x, y, x] : [x + CARD, y, x + CARD]);
    const path = points.map(([x, y, end], at) => {
      const before = points[at - 1], bend = before && (x - before[2]) / 2;
      const curve = before ? `C${before[2] + bend} ${before[1]} ${x - bend} ${y} ${x} ${y}` : `M${x} ${y}`;
      return end === x ? curve : `${curve}H${end}`;
    }).join("");
    one.line = mark("path", { class: "way", d: path });
    picture.append(one.line);
  }
  picture.append(...formula.nodes.map(drawNode));
  return { picture, ways };
}

function drawNode(node) {
  const { x, y, name, op, inputs } = node, kind = op ? "operation" : "variable";
  const text = (x, y, kind, said = "") => mark("text", { x, y, class: kind }, said);
  const box = { x, y: y - HALF, width: CARD, height: HALF * 2, rx: 10 };
  node.told = text(x + CARD - 10, y - 8, "number");
  node.slope = text(x + CARD - 10, y + 19, "number adjoint");
  node.card = mark("g", { class: kind },
    mark("rect", { class: "half", ...box }),
    mark("path", { class: "lower",
      d: `M${x} ${y}h${CARD}v17a10 10 0 0 1-10 10h${20 - CARD}a10 10 0 0 1-10-10z` }),
    text(x + 22, y - 8, "name", name), text(x + 22, y + 19, "name adjoint bar", name),
    node.told, node.slope,
    mark("rect", { class: "rim", ...box }));
  if (!op) node.card.append(mark("path", { class: "store", d: `M${x + 5} ${y - 20}v40` }));
  else {
    const fixed = inputs.findIndex(({ value }) => value !== undefined), sign = SIGNS[op] || op;
    const said = fixed < 0 ? sign : fixed ? sign + inputs[fixed].text : inputs[fixed].text + sign;
    const wide = Math.max(20, 7 * said.length + 10), high = said.length > 2 ? y - HALF - 6 : y - 13;
    const left = said.length > 2 ? x + 10 : x - 10;
    const disc = { class: "disc", x: left, y: high - 10, width: wide, height: 20, rx: 10 };
    node.card.append(mark("rect", disc),
      text(left + wide / 2, high + 4, "sign", said));
  }
  return node.card;
}

class Playground {
  constructor(form) {
    const find = (selector) => form.querySelector(selector);
    Object.assign(this, { form, numbers: {}, input: find("input"), refused: find(".refused"),
      stage: find(".stage"), inputs: find(".inputs"), drawing: find(".drawing"), say: find(".say"),
      formulaText: find(".formula"), count: find(".count"), result: find(".result") });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.read();
    });
    const moves = { first: () => 0, back: () => this.at - 1, next: () => this.at + 1,
      last: () => Infinity };
    for (const [name, move] of Object.entries(moves)) {
      find(`.${name}`).addEventListener("click", () => this.go(move()));
    }
    this.read();
  }

  read() {
    const text = this.input.value;
    try {
      this.formula = new Formula(text);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.refuse(text, error);
      return;
    }
    this.refused.hidden = true;
    this.stage.hidden = false;
    this.input.removeAttribute("aria-invalid");
    this.title = text;
    const { picture, ways } = drawFormula(this.formula, text);
    this.ways = ways;
    this.drawing.replaceChildren(picture);
    this.inputs.replaceChildren(...[...this.formula.variables.keys()].map((name, at) =>
      this.field(name, at)));
    this.compute(Infinity);
  }

  refuse(text, { at, message }) {
    this.refused.firstChild.textContent = `Position ${at + 1}: ${message}`;
    this.refused.lastChild.textContent = `${text}\n${" ".repeat(at)}^`;
    this.refused.hidden = false;
    this.stage.hidden = true;
    this.input.setAttribute("aria-invalid", "true");
    this.input.focus();
    this.input.setSelectionRange(at, at + 1);
  }

  field(name, at) {
    const field = document.createElement("input"), label = document.createElement("label");
    this.numbers[name] ??= [2, 1, 3, 0.5][at % 4];
    Object.assign(field, { type: "number", step: "any", value: this.numbers[name] });
    field.addEventListener("input", () => {
      if (!Number.isFinite(field.valueAsNumber)) return;
      this.numbers[name] = field.valueAsNumber;
      this.compute(this.at);
    });
    label.append(`${name} = `, field);
    return label;
  }

  compute(at) {
    const { result, variables } = this.formula;
    const { steps, adjoints } = traceFormula(this.formula, this.numbers);
    this.steps = steps;
    this.result.textContent = [...variables.values()].map((node) =>
      `∂${result.name}/∂${node.name} = ${shownNumber(adjoints.get(node) ?? 0)}`).join(",  ");
    this.go(at);
  }

  go(at) {
    const { steps, formula } = this;
    this.at = Math.max(0, Math.min(at, steps.length - 1));
    const now = steps[this.at];
    for (const node of formula.nodes) {
      const done = steps.slice(0, this.at + 1).filter((step) => step.node === node);
      const value = node.op ? done.find((step) => "value" in step)?.value : this.numbers[node.name];
      const slope = done.findLast((step) => "adjoint" in step)?.adjoint;
      node.told.textContent = value === undefined ? "·" : shownNumber(value);
      node.slope.textContent = slope === undefined ? "·" : shownNumber(slope);
      node.card.classList.toggle("now", node === now.node);
    }
    for (const { from, to, line } of this.ways) {
      const lit = now.edges.some(([a, b]) => a === from && b === to);
      line.setAttribute("class", lit ? now.back ? "way back" : "way on" : "way");
    }
    this.say.textContent = now.say;
    this.formulaText.textContent = now.formula;
    this.count.textContent = `step ${this.at + 1} of ${steps.length}`;
  }
}

for (const form of document.querySelectorAll("form.playground")) new Playground(form);
