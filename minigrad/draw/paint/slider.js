// A slider over pictures. Its children, one <details> for each picture, are what it shows, and
// what the reader sees where scripts do not run.

const PREVIOUS = "M10 3 5 8l5 5";
const NEXT = "M6 3l5 5-5 5";

class Slider extends Card {
  build() {
    this.parts = [...this.querySelectorAll(":scope > details")].map((part) => ({
      words: part.querySelector("summary").textContent, picture: pictureFrom(part.querySelector("img")),
      text: part.querySelector("pre").textContent,
    }));
    this.viewer = new Viewer(this, [["← →", "the picture before, the next one"]]);
    this.keys = { ...this.viewer.keys, ArrowLeft: () => this.go(this.at - 1),
      ArrowRight: () => this.go(this.at + 1), Home: () => this.go(0), End: () => this.go(Infinity) };
    this.say = html("p", { class: "say", role: "status", "aria-live": "polite" });
    this.text = html("pre", { tabindex: "0", role: "group", "aria-label": "as text" });
    this.raise(Slider.sheets, html("div",
      { class: "slider", role: "group", "aria-label": this.dataset.title },
      this.controls(), this.say, this.viewer.frame,
      html("details", {}, html("summary", {}, "as text"), this.text)));
    this.go(0);
  }

  controls() {
    const last = this.parts.length - 1;
    this.range = html("input", { type: "range", min: 0, max: last, value: 0, "aria-label": "pass" });
    this.range.addEventListener("input", () => this.go(Number(this.range.value)));
    return html("div", { class: "controls" },
      button(PREVIOUS, "previous picture", "previous", () => this.go(this.at - 1)), this.range,
      button(NEXT, "next picture", "next", () => this.go(this.at + 1)));
  }

  go(at) {
    this.at = Math.max(0, Math.min(at, this.parts.length - 1));
    const { words, picture, text } = this.parts[this.at];
    this.say.textContent = `${this.at + 1} of ${this.parts.length} · ${words}`;
    this.range.value = this.at;
    this.range.setAttribute("aria-valuetext", this.say.textContent);
    this.text.textContent = text;
    this.viewer.frame.hidden = !picture;
    if (picture) this.viewer.put(picture);
  }

  paint(dark) {
    for (const { picture } of this.parts) if (picture) picture.paint(dark);
  }
}

function defineSlider(tag, sheets) {
  Slider.sheets = sheets;
  if (!customElements.get(tag)) customElements.define(tag, Slider);
}
