// A slider over pictures. Its children, one <details> for each picture, are what it shows, and
// what the reader sees where scripts do not run.

const ICONS = { previous: "M10 3 5 8l5 5", next: "M6 3l5 5-5 5" };
const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
const MEDIA = "@media (prefers-color-scheme: dark)";

function made(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function button(name, act) {
  const space = "http://www.w3.org/2000/svg";
  const icon = document.createElementNS(space, "svg");
  const path = document.createElementNS(space, "path");
  icon.setAttribute("viewBox", "0 0 16 16");
  icon.setAttribute("aria-hidden", "true");
  path.setAttribute("d", ICONS[name]);
  icon.append(path);
  const found = made("button", { type: "button", "aria-label": `${name} picture` }, icon);
  found.addEventListener("click", act);
  return found;
}

function isDark(element) {
  for (let at = element; at; at = at.parentNode || at.host) {
    if (!(at instanceof Element)) continue;
    const parts = getComputedStyle(at).backgroundColor.match(/[\d.]+/g).map(Number);
    const [red, green, blue, alpha = 1] = parts;
    if (alpha > 0.5) return 0.3 * red + 0.6 * green + 0.1 * blue < 128;
  }
  const scheme = getComputedStyle(document.documentElement).colorScheme;
  return scheme.includes("dark") && matchMedia("(prefers-color-scheme: dark)").matches;
}

function themed(source, dark) {
  const [head, data] = source.split(";base64,");
  if (!data) return source;
  return head + ";base64," + btoa(atob(data).replace(MEDIA, dark ? "@media all" : "@media not all"));
}

class Slider extends HTMLElement {
  connectedCallback() {
    if (!this.shadowRoot) this.build();
    const look = () => this.look();
    this.themes = new MutationObserver(look);
    const around = { attributes: true, attributeFilter: ["class", "style", "data-theme",
      "data-jp-theme-light", "data-mode"] };
    for (const root of [document.documentElement, document.body]) this.themes.observe(root, around);
    this.system = matchMedia("(prefers-color-scheme: dark)");
    this.system.onchange = look;
    this.look();
  }

  disconnectedCallback() {
    this.themes.disconnect();
  }

  build() {
    this.dataset.lmSuppressShortcuts = "true"; // JupyterLab's shortcuts leave keys here alone
    this.parts = [...this.querySelectorAll(":scope > details")].map((part) => ({
      words: part.querySelector("summary").textContent,
      image: part.querySelector("img"), text: part.querySelector("pre").textContent,
    }));
    this.at = 0;
    this.sheet = made("style");
    this.say = made("p", { role: "status", "aria-live": "polite" });
    this.image = made("img");
    this.text = made("pre", { tabindex: "0", role: "group", "aria-label": "as text" });
    const last = this.parts.length - 1;
    this.range = made("input", { type: "range", min: 0, max: last, value: 0, "aria-label": "pass" });
    this.range.addEventListener("input", () => this.go(Number(this.range.value)));
    const controls = made("div", { class: "controls" },
      button("previous", () => this.go(this.at - 1)), this.range,
      button("next", () => this.go(this.at + 1)));
    const frame = made("div", { class: "slider", role: "group", "aria-label": this.dataset.title },
      controls, this.say, this.image,
      made("details", {}, made("summary", {}, "as text"), this.text));
    this.attachShadow({ mode: "open" }).append(this.sheet, frame);
    for (const type of ["keydown", "keyup", "keypress"]) {
      this.addEventListener(type, (event) => event.stopPropagation());
    }
    this.shadowRoot.addEventListener("keydown", (event) => this.press(event));
  }

  press(event) {
    const step = STEPS[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.go(this.at + step);
  }

  go(at) {
    this.at = Math.max(0, Math.min(at, this.parts.length - 1));
    this.look();
  }

  look() {
    const dark = isDark(this);
    const part = this.parts[this.at];
    this.sheet.textContent = Slider.themes[dark ? "dark" : "light"];
    const words = `${this.at + 1} of ${this.parts.length} · ${part.words}`;
    if (this.say.textContent !== words) this.say.textContent = words;
    this.range.value = this.at;
    this.range.setAttribute("aria-valuetext", words);
    this.text.textContent = part.text;
    this.image.hidden = !part.image;
    if (!part.image) return;
    this.image.src = themed(part.image.src, dark);
    this.image.alt = part.image.alt;
  }
}

function defineSlider(tag, themes) {
  Slider.themes = themes;
  if (!customElements.get(tag)) customElements.define(tag, Slider);
}
