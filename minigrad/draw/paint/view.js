// A drawing that one can look at closely. Its children, an image and a text, are what the reader
// sees where scripts do not run.

class View extends Card {
  build() {
    this.album = new Album(this);
    const viewer = new Viewer(this);
    this.keys = viewer.keys;
    viewer.album = this.album;
    viewer.turned = () => this.paint(this.dark);
    viewer.put(this.album.picture);
    const frame = group("div.view", first(this, "img").alt, viewer.frame, html("slot"));
    first(this, "picture, img").slot = "unseen"; // a slot that is nowhere
    this.raise({}, frame);
  }

  paint(dark) {
    this.dark = dark;
    this.album.picture.paint(dark);
  }
}

function defineView(tag, sheets) {
  Card.sheets = sheets;
  View.parts = { set, first, all, fill, html, svg, group, on, button, wordButton, flag, hang,
    Card, Album, Viewer };
  if (!customElements.get(tag)) customElements.define(tag, View);
}
