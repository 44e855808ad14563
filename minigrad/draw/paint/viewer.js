// A pane over a picture: it scrolls and zooms, fits, fills the screen, and finds a node.

const NARROW = 480; // pixels of a pane in which pictures run down
const LEAST = 0.15, MOST = 6, FACTOR = 1.25;
const MARGIN = 40; // pixels that are kept around a node that is shown
const TOOLS = {
  out: "M3 8h10", in: "M3 8h10M8 3v10", fit: "M6 2H2v4M10 2h4v4M6 14H2v-4M10 14h4v-4",
  full: "M9 7l5-5M10 2h4v4M7 9l-5 5M6 14H2v-4", copy: "M5 5V2h9v9h-3M2 5h9v9H2z",
  help: "M5.5 6a2.5 2.5 0 1 1 3.3 2.3Q8 8.8 8 10M8 12.2v1.3",
};
const KEYS = [["+ −", "zoom; also Ctrl and the wheel, or two fingers"],
  ["0", "fit the picture, or back to reading size"], ["F", "full screen, and back"],
  ["/", "find a node by its name; Enter: the next one"], ["drag", "move the picture"],
  ["click, Enter", "open a box with a plus; close a frame at its title"],
  ["Tab, arrows", "go from node to node: what it depends on, and what needs it, is lit"]];

class Viewer {
  constructor(host, more = [], apart = false) {
    Object.assign(this, { host, apart, title: "", scale: 1, turned: () => {} });
    this.pane = html("div.pane");
    this.call = html("p.call", { "aria-live": "polite", hidden: "" });
    this.hint = html("span.hint");
    this.help = html("dl.help", { popover: "" },
      ...[...more, ...KEYS].flatMap(([key, words]) => [html("dt", key), html("dd", words)]));
    this.legend = html("div.legend", { hidden: "" });
    this.inside = html("div.within", { popover: "", tabindex: "-1" });
    leadBack(this.inside, () => this.card);
    const tools = this.tools();
    hang(this.help, tools);
    this.frame = html("div.viewer", tools, this.help, this.call, this.pane,
      this.legend, this.inside);
    new ResizeObserver(() => this.wrap()).observe(this.pane);
    this.keys = { "+": () => this.zoom(this.scale * FACTOR), "=": () => this.keys["+"](),
      "-": () => this.zoom(this.scale / FACTOR), 0: () => this.fit(), f: () => this.fillScreen(),
      F: () => this.fillScreen(), "/": () => this.query.focus(),
        "?": () => this.help.togglePopover() };
    on(this.pane, "wheel", (event) => this.wheel(event), { passive: false });
    on(this.pane, "pointerdown", (event) => this.drag(event));
    on(this.pane, "touchstart touchmove", (event) => this.pinch(event), { passive: false });
    on(this.pane, "click", (event) => this.turn(event));
    on(this.pane, "keydown", (event) => event.key === "Enter" && this.turn(event));
  }

  tools() {
    this.query = html("input", { type: "search", placeholder: "find  /",
      "aria-label": "find a node",
      spellcheck: "false" });
    on(this.query, "input", () => this.find(0));
    on(this.query, "keydown", (event) => this.typed(event));
    const tool = (icon, label, act) => button(icon, label, "tool", act);
    const most = [tool(TOOLS.full, "full screen", () => this.fillScreen()),
      tool(TOOLS.copy, "copy as SVG", () => this.copy()), tool(TOOLS.help, "help", () => {})];
    most[2].popoverTargetElement = this.help;
    return group("div.tools", "picture", this.hint, ...this.apart ? [] : [this.query],
      tool(TOOLS.out, "zoom out", () => this.zoom(this.scale / FACTOR)),
      tool(TOOLS.in, "zoom in", () => this.zoom(this.scale * FACTOR)),
      tool(TOOLS.fit, "fit", () => this.fit()), ...this.apart ? [] : most);
  }

  // Opens or closes what was clicked: it stays where it is on the screen.
  turn(event) {
    const box = event.target.closest(".box"), { album } = this;
    if (!box || !album) return;
    event.preventDefault();
    const inside = album.told.inside?.[box.dataset.id];
    if (inside) return this.look(box, album.pictureAt(inside));
    const handle = box.dataset.box ?? box.dataset.frame, to = album.page.moves[handle];
    this.call.hidden = typeof to === "number";
    if (typeof to !== "number") return this.offer(to);
    const before = placeOf(box);
    album.at = to;
    this.turned(handle);
    this.put(album.picture);
    const now = album.picture.find(handle) || album.picture.nodes.values().next().value;
    const after = placeOf(now);
    this.pane.scrollBy(after.left - before.left, after.top - before.top);
    now.focus({ preventScroll: true });
    this.reveal(now);
  }

  // What a card holds, over the picture, in which nothing moves.
  look(card, picture) {
    const { inside, host } = this, { left, bottom } = placeOf(card), { root } = picture;
    picture.paint(host.dark);
    const { width, height } = picture;
    this.card = card;
    inside.replaceChildren(root);
    inside.showPopover();
    inside.style.inset = `min(${bottom}px, 100vh - ${height + 4}px) auto auto ` +
      `max(0px, min(${left}px, 100vw - ${width + 24}px))`;
    inside.focus();
  }

  // What the page does not hold is drawn by a call, which is ready to be pasted.
  offer(call) {
    this.call.replaceChildren("not in this page: ", html("code", call));
    navigator.clipboard?.writeText(call).then(() => this.call.append(" (copied)"), () => {});
  }

  // Shows a picture, at the place and in the size of the one before.
  put(picture) {
    if (picture === this.picture) return;
    this.picture = picture;
    if (this.album) picture.offer(this.album.page.moves, this.album.told.inside);
    this.trail = picture.trail ||= new Trail(picture, (words, ids) => {
      this.hint.textContent = words || this.title;
      this.hear?.(ids);
    });
    const { scrollLeft, scrollTop } = this.pane;
    this.pane.replaceChildren(picture.root);
    this.legend.replaceChildren(...picture.legend.lines());
    this.wrap();
    Object.assign(this.pane, { scrollLeft, scrollTop });
    if (this.query.value) this.find(this.at);
  }

  // size -----------------------------------------------------------------------------------------

  size() {
    const { root, width, height } = this.picture;
    Object.assign(root.style, { width: `${width * this.scale}px`,
      height: `${height * this.scale}px` });
  }

  // Of a picture that is wider than its pane, the legend stands below it; on a phone, where the pane
  // of a player is low, in it. None is made smaller at first: its letters could not be read.
  wrap() {
    const { picture, pane } = this, room = pane.offsetWidth;
    if (!picture || !room) return;
    const { album } = this, narrow = room <= NARROW;
    if (album?.told.upright && Boolean(album.narrow) !== narrow) {
      Object.assign(album, { narrow });
      this.begun = album.at > 0;
      this.turned();
      return this.put(album.picture);
    }
    const alone = picture.legend.parts.length > 0 &&
      (this.apart || picture.all[2] * this.scale > room);
    picture.crop(alone);
    this.legend.hidden = !alone;
    (this.apart && narrow ? pane : this.frame).append(this.legend);
    this.size();
    if (!this.begun) this.reveal(this.shown);
    this.begun = true;
  }

  // The point (x, y) of the screen stays on the same spot of the picture; else the middle does.
  zoom(scale, x, y) {
    if (!this.picture) return;
    const { pane } = this, { root } = this.picture;
    const frame = placeOf(pane), before = placeOf(root);
    if (x === undefined) [x, y] = [frame.x + frame.width / 2, frame.y + frame.height / 2];
    const across = (x - before.x) / before.width, down = (y - before.y) / before.height;
    this.scale = Math.max(LEAST, Math.min(scale, MOST));
    this.wrap();
    const after = placeOf(root);
    pane.scrollLeft += after.x + across * after.width - x;
    pane.scrollTop += after.y + down * after.height - y;
  }

  fit() {
    if (!this.picture) return;
    const { width, height } = this.picture, { pane } = this;
    const most = parseFloat(getComputedStyle(pane).maxHeight) || pane.clientHeight;
    const fits = Math.min(pane.clientWidth / width, most / height, MOST);
    this.zoom(Math.abs(this.scale - fits) < 1e-3 ? 1 : fits);
  }

  fillScreen() {
    const { host } = this;
    if (document.fullscreenElement) return document.exitFullscreen();
    if (host.requestFullscreen && document.fullscreenEnabled) return host.requestFullscreen();
    return host.toggleAttribute("filling"); // a frame that may not fill the screen fills itself
  }

  wheel(event) {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    this.zoom(this.scale * Math.exp(-event.deltaY / 300), event.clientX, event.clientY);
  }

  pinch(event) {
    if (event.touches.length !== 2) return;
    if (event.cancelable) event.preventDefault();
    const [a, b] = event.touches;
    const apart = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
    if (event.type === "touchstart") this.pinched = { apart, scale: this.scale };
    else this.zoom(this.pinched.scale * apart / this.pinched.apart,
      (a.clientX + b.clientX) / 2, (a.clientY + b.clientY) / 2);
  }

  drag(down) {
    if (down.pointerType !== "mouse" || down.button !== 0) return;
    const { pane } = this, { scrollLeft, scrollTop } = pane;
    const move = (event) => {
      const right = event.clientX - down.clientX, low = event.clientY - down.clientY;
      if (Math.hypot(right, low) < 4 && !pane.classList.contains("dragged")) return;
      if (!pane.hasPointerCapture(down.pointerId)) pane.setPointerCapture(down.pointerId);
      pane.classList.add("dragged");
      Object.assign(pane, { scrollLeft: scrollLeft - right, scrollTop: scrollTop - low });
    };
    const end = () => {
      pane.classList.remove("dragged");
      pane.removeEventListener("pointermove", move);
    };
    on(pane, "pointermove", move);
    on(pane, "pointerup pointercancel", end, { once: true });
  }

  // Brings a node into the pane, with a margin; the page does not move.
  reveal(node) {
    this.shown = node;
    if (!node) return;
    const { pane } = this, frame = placeOf(pane), place = placeOf(node);
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const way = (low, high, from, to) => {
      const margin = Math.min(MARGIN, Math.max(0, (to - from - (high - low)) / 2));
      return low < from + margin ? low - from - margin : Math.max(0, high - to + margin);
    };
    pane.scrollBy({ left: way(place.left, place.right, frame.left, frame.right),
      top: way(place.top, place.bottom, frame.top, frame.bottom),
      behavior: still ? "instant" : "smooth" });
  }

  // words ----------------------------------------------------------------------------------------

  find(at) {
    const wanted = this.query.value.trim().toLowerCase();
    const words = (node) => node.textContent.toLowerCase();
    const found = [...this.picture.nodes.values()].filter((node) => {
      const fits = wanted !== "" && words(node).includes(wanted);
      node.classList.toggle("found", fits);
      return fits;
    });
    this.at = found.length ? at % found.length : 0;
    this.hint.textContent = !wanted ? "" : !found.length ? "no such node" :
      `${this.at + 1} of ${found.length}`;
    if (!found.length) return;
    this.reveal(found[this.at]);
    this.trail.stop(found[this.at]);
  }

  typed(event) {
    if (event.key === "Enter") this.find(this.at + 1);
    if (event.key !== "Escape") return;
    this.query.value = "";
    this.find(0);
    this.query.nextSibling.focus();
  }

  async copy() {
    const text = this.picture.text();
    try {
      await navigator.clipboard.writeText(text);
      this.hint.textContent = "copied as SVG";
    } catch { // a frame that may not write to the clipboard saves a file
      const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
      html("a", { href: address, download: "minigrad.svg" }).click();
      URL.revokeObjectURL(address);
      this.hint.textContent = "saved as SVG";
    }
  }
}
