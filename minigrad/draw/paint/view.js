// A drawing that one can look at closely. Its children, an image and a text, are what the reader
// sees where scripts do not run.

class View extends Card {
  build() {
    this.picture = pictureFrom(this.querySelector("img"));
    const viewer = new Viewer(this);
    this.keys = viewer.keys;
    viewer.put(this.picture);
    const frame = html("div", { class: "view", role: "group",
      "aria-label": this.querySelector("img").alt }, viewer.frame, html("slot"));
    this.querySelector("img").slot = "unseen"; // a slot that is nowhere
    this.raise({}, frame);
  }

  paint(dark) {
    this.picture.paint(dark);
  }
}

function defineView(tag, sheets, parts) {
  Card.sheets = sheets;
  View.parts = parts;
  if (!customElements.get(tag)) customElements.define(tag, View);
}
