// A slider over pictures. Its children, one <details> for each picture, are what it shows, and
// what the reader sees where scripts do not run.

class Slider extends Card {
  build() {
    this.parts = all(this, ":scope > details").map((part) => ({
      words: first(part, "summary").textContent, album: new Album(part),
      text: first(part, "pre").textContent,
    }));
    this.turned = new Set(); // what was opened or closed: it stays so from picture to picture
    this.viewer = new Viewer(this, [["← →", "the picture before, the next one"]]);
    this.viewer.turned = (handle) => this.turn(handle);
    this.keys = { ...this.viewer.keys, ArrowLeft: () => this.go(this.at - 1),
      ArrowRight: () => this.go(this.at + 1), Home: () => this.go(0),
        End: () => this.go(Infinity) };
    this.say = html("p.say", { role: "status" });
    this.text = html("pre", { tabindex: "0", role: "group", "aria-label": "as text" });
    this.raise(Slider.sheets, group("div.slider", this.dataset.title,
      this.controls(), this.say, this.viewer.frame,
      html("details", html("summary", "as text"), this.text)));
    this.go(0);
  }

  controls() {
    const last = this.parts.length - 1;
    this.range = html("input", { type: "range", min: 0, max: last, "aria-label": "pass" });
    on(this.range, "input", () => this.go(Number(this.range.value)));
    return html("div.controls",
      button("M10 3 5 8l5 5", "previous picture", "previous", this.keys.ArrowLeft), this.range,
      button("M6 3l5 5-5 5", "next picture", "next", this.keys.ArrowRight));
  }

  go(at) {
    this.at = Math.max(0, Math.min(at, this.parts.length - 1));
    const { words, album, text } = this.parts[this.at];
    album.at = 0;
    for (const handle of this.turned) album.at = album.page.moves[handle] ?? album.at;
    this.viewer.album = album;
    const { picture } = album;
    this.say.textContent = `${this.at + 1} of ${this.parts.length} · ${words}`;
    this.range.value = this.at;
    set(this.range, "aria-valuetext", this.say.textContent);
    this.text.textContent = text;
    this.viewer.frame.hidden = !picture;
    if (!picture) return;
    this.paint(this.dark);
    this.viewer.put(picture);
  }

  turn(handle) {
    if (!this.turned.delete(handle)) this.turned.add(handle);
    this.paint(this.dark);
  }

  paint(dark) {
    this.dark = dark;
    for (const { album } of this.parts) {
      for (const picture of Object.values(album.pictures)) if (picture) picture.paint(dark);
    }
  }
}

function defineSlider(tag, sheets) {
  Slider.sheets = sheets;
  if (!customElements.get(tag)) customElements.define(tag, Slider);
}
