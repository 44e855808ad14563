// What a node depends on, and what depends on it: lit while the pointer or the focus is on it.
// The picture is one tab stop; inside it the arrow keys go from node to node.

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

class Trail {
  constructor(picture, say) {
    Object.assign(this, { picture, say });
    const { root } = picture;
    const at = (event) => event.target.closest("g.node, g.title");
    on(root, "pointerover", (event) => this.follow(at(event) || this.focused));
    on(root, "pointerleave", () => this.follow(this.focused));
    on(root, "focusin", (event) => this.enter(at(event)));
    on(root, "focusout", () => this.enter(null));
    on(root, "keydown", (event) => this.press(event));
  }

  enter(node) {
    this.focused = node;
    if (node) this.stop(node);
    this.follow(node);
  }

  // The one node at which the tab key stops.
  stop(node) {
    for (const other of this.stops()) set(other, "tabindex", "-1");
    set(node, "tabindex", "0");
  }

  stops() {
    const { nodes, titles } = this.picture;
    return [...nodes.values(), ...titles.filter((title) => title.matches(".box"))];
  }

  follow(node) {
    if (node === this.node) return;
    this.node = node;
    const { picture } = this;
    if (!node || !node.matches(".node")) return this.light([]);
    const { id } = node.dataset;
    const up = picture.reach(picture.into, id), down = picture.reach(picture.out, id);
    this.light([id], [], up, down);
  }

  // Lights the nodes of these ids, the edge between the two `ends`, and sets of ids: what comes
  // before, and what comes after.
  light(own, ends = [], up = new Set(), down = new Set()) {
    const { root, nodes, edges } = this.picture;
    flag(root, "trailing", own.length + ends.length);
    for (const [id, node] of nodes) {
      flag(node, "lit", up.has(id) || down.has(id) || own.includes(id));
      flag(node, "self", own.includes(id));
    }
    for (const edge of edges) {
      const { from, to } = edge.dataset;
      const before = up.has(from) && (up.has(to) || own.includes(to));
      const after = down.has(to) && (down.has(from) || own.includes(from)) ||
        from === ends[0] && to === ends[1];
      flag(edge, "lit", before || after);
      flag(edge, "up", before);
      flag(edge, "down", after);
    }
    this.say(own.length === 1 ? this.tell(own[0]) : "", own);
  }

  // A node in words, with those right before it and behind it.
  tell(id) {
    const { nodes, into, out } = this.picture;
    const name = (node) => {
      const at = first(node, ".name, .term") || first(node, "text"), next = at.nextSibling;
      return at.textContent + (next?.matches?.(".sub") ? next.textContent : "");
    };
    const words = (word, ids = []) => [...ids].filter((one) => nodes.has(one)).map((one, at) =>
      (at ? ", " : word) + name(nodes.get(one))).join("");
    return nodes.get(id).getAttribute("aria-label") + words("; from ", into.get(id)) +
      words("; to ", out.get(id));
  }

  press(event) {
    const way = WAYS[event.key];
    if (!way || !this.focused || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const next = this.next(...way);
    if (next) next.focus();
  }

  // The nearest node in a direction; what lies aside counts as twice as far.
  next(right, down) {
    const middle = (node) => {
      const { left, top, width, height } = placeOf(node);
      return [left + width / 2, top + height / 2];
    };
    const [x, y] = middle(this.focused);
    let best = null, least = Infinity;
    for (const node of this.stops()) {
      const [a, b] = middle(node);
      const along = (a - x) * right + (b - y) * down;
      const aside = Math.abs((a - x) * down) + Math.abs((b - y) * right);
      if (along > 1 && along + 2 * aside < least) [best, least] = [node, along + 2 * aside];
    }
    return best;
  }
}
