// A slider over pictures. Its children, one <details> for each picture, are what it shows, and
// what the reader sees where scripts do not run. Behind player/element.js.

const PREVIOUS = "M10 3 5 8l5 5";
const NEXT = "M6 3l5 5-5 5";
const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
const MEDIA = "@media (prefers-color-scheme: dark)";

function themed(source, dark) {
  const [head, data] = source.split(";base64,");
  if (!data) return source;
  return head + ";base64," + btoa(atob(data).replace(MEDIA, dark ? "@media all" : "@media not all"));
}

class Slider extends HTMLElement {
  connectedCallback() {
    whenParsed(() => {
      if (!this.shadowRoot) this.build();
      this.stopWatching = watchTheme(() => this.look());
    });
  }

  disconnectedCallback() {
    if (this.stopWatching) this.stopWatching();
  }

  build() {
    this.dataset.lmSuppressShortcuts = "true"; // JupyterLab's shortcuts leave keys here alone
    this.parts = [...this.querySelectorAll(":scope > details")].map((part) => ({
      words: part.querySelector("summary").textContent,
      image: part.querySelector("img"), text: part.querySelector("pre").textContent,
    }));
    this.at = 0;
    this.sheet = html("style");
    this.say = html("p", { role: "status", "aria-live": "polite" });
    this.image = html("img");
    this.text = html("pre", { tabindex: "0", role: "group", "aria-label": "as text" });
    const frame = html("div", { class: "slider", role: "group", "aria-label": this.dataset.title },
      this.controls(), this.say, this.image,
      html("details", {}, html("summary", {}, "as text"), this.text));
    this.attachShadow({ mode: "open" }).append(this.sheet, frame);
    for (const type of ["keydown", "keyup", "keypress"]) {
      this.addEventListener(type, (event) => event.stopPropagation());
    }
    this.shadowRoot.addEventListener("keydown", (event) => this.press(event));
  }

  controls() {
    const last = this.parts.length - 1;
    this.range = html("input", { type: "range", min: 0, max: last, value: 0, "aria-label": "pass" });
    this.range.addEventListener("input", () => this.go(Number(this.range.value)));
    return html("div", { class: "controls" },
      button(PREVIOUS, "previous picture", "previous", () => this.go(this.at - 1)), this.range,
      button(NEXT, "next picture", "next", () => this.go(this.at + 1)));
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
