// What each op computes of single numbers. Derivatives are not written here: they come from the
// engine's rules, as instructions in terms of these ops.

const sigmoid = (x) => x >= 0 ? 1 / (1 + Math.exp(-x)) : Math.exp(x) / (1 + Math.exp(x));
const power = (x, y) => x === 1 || x === -1 && Math.abs(y) === Infinity ? 1 : x ** y;

function modulo(x, y) {
  const rest = x % y;
  return rest !== 0 && rest < 0 !== y < 0 ? rest + y : rest;
}

function divideDown(x, y) {
  if (y === 0) return x / y;
  const rest = x % y, whole = (x - rest) / y - (rest !== 0 && rest < 0 !== y < 0);
  const low = Math.floor(whole);
  return whole - low > 0.5 ? low + 1 : low;
}

function roundEven(x, places) {
  const scale = 10 ** places, y = x * scale, low = Math.floor(y), rest = y - low;
  return (rest < 0.5 || rest === 0.5 && low % 2 === 0 ? low : low + 1) / scale;
}

const VALUES = {
  Add: (x, y) => x + y,
  Sub: (x, y) => x - y,
  Mul: (x, y) => x * y,
  Div: (x, y) => x / y,
  Neg: (x) => -x,
  Power: power,
  ScalarPower: power,
  Remainder: modulo,
  Exp: Math.exp,
  Log: Math.log,
  Log1p: Math.log1p,
  Expm1: Math.expm1,
  Sqrt: Math.sqrt,
  Sin: Math.sin,
  Cos: Math.cos,
  Tanh: Math.tanh,
  Sigmoid: sigmoid,
  Softplus: (x) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x))),
  Softsign: (x) => x / (1 + Math.abs(x)),
  Abs: Math.abs,
  Relu: (x) => Math.max(x, 0),
  Maximum: Math.max,
  Minimum: Math.min,
  Clip: (x, low, high) => Math.min(Math.max(x, low), high),
  Where: (x, y, w) => x ? y : w,
  Keep: (x, y, when) => Boolean(x) === Boolean(when) ? y : 0,
  Sign: Math.sign,
  Floor: Math.floor,
  FloorDivide: divideDown,
  Round: roundEven,
  Equal: (x, y) => x === y,
  NotEqual: (x, y) => x !== y,
  Less: (x, y) => x < y,
  LessEqual: (x, y) => x <= y,
  Greater: (x, y) => x > y,
  GreaterEqual: (x, y) => x >= y,
  LogicalNot: (x) => Number(x) === 0,
  Identity: (x) => x,
  Detach: (x) => x,
  Cast: Number,
  ZerosLike: () => 0,
};

const READ = { inf: Infinity, "-inf": -Infinity, nan: NaN };

function readNumber(text) {
  const plain = text.replace("−", "-");
  return plain in READ ? READ[plain] : Number(plain);
}

const isNumber = (text) => text.trim() !== "" &&
  (text === "nan" || !Number.isNaN(readNumber(text)));

// All slots: inputs, then constants, then what each instruction computes.
function runProgram({ constants, code }, inputs) {
  const slots = [...inputs, ...constants.map(readNumber)];
  for (const [op, ...from] of code) slots.push(VALUES[op](...from.map((slot) => slots[slot])));
  return slots;
}

// A number as the drawings write it: four digits, as %.4g.
function numberText(number) {
  const x = Number(number);
  if (!Number.isFinite(x)) return Number.isNaN(x) ? "nan" : x > 0 ? "inf" : "-inf";
  if (x === 0) return Object.is(x, -0) ? "-0" : "0";
  let [digits, power] = x.toExponential(3).split("e");
  const [exact] = x.toExponential(40).split("e");
  const [, kept, last, rest] = exact.match(/^(-?\d\.\d\d(\d))(\d+)$/);
  if (/^50*$/.test(rest) && last % 2 === 0) digits = kept; // a tie goes to the even digit
  power = Number(power);
  if (power < -4 || power > 3) {
    const trimmed = digits.replace(/\.?0+$/, "");
    return `${trimmed}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  }
  const fixed = Number(`${digits}e${power}`).toFixed(3 - power);
  return fixed.includes(".") ? fixed.replace(/\.?0+$/, "") : fixed;
}

// The first instruction up to a slot whose result is not finite, with its numbers.
function birthWords({ constants, code, leaves, signs }, values, until) {
  const start = leaves.length + constants.length;
  const at = code.findIndex((_, place) => place + start <= until &&
    !Number.isFinite(Number(values[place + start])));
  if (at < 0 || until < start) return "given";
  const [op, ...from] = code[at];
  const told = from.map((slot) => numberText(values[slot]));
  return signs[op] ? told.join(` ${signs[op]} `) : `${op.toLowerCase()}(${told.join(", ")})`;
}
