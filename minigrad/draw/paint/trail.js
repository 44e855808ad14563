// What a node depends on, and what depends on it: lit while the pointer or the focus is on it.
// The picture is one tab stop; inside it the arrow keys go from node to node.

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

class Trail {
  constructor(picture, say) {
    Object.assign(this, { picture, say });
    const { root } = picture;
    const at = (event) => event.target.closest("g.node, g.title");
    root.addEventListener("pointerover", (event) => this.follow(at(event) || this.focused));
    root.addEventListener("pointerleave", () => this.follow(this.focused));
    root.addEventListener("focusin", (event) => this.enter(at(event)));
    root.addEventListener("focusout", () => this.enter(null));
    root.addEventListener("keydown", (event) => this.press(event));
  }

  enter(node) {
    this.focused = node;
    if (node) this.stop(node);
    this.follow(node);
  }

  // The one node at which the tab key stops.
  stop(node) {
    for (const other of this.stops()) other.setAttribute("tabindex", "-1");
    node.setAttribute("tabindex", "0");
  }

  stops() {
    const { nodes, titles } = this.picture;
    return [...nodes.values(), ...titles.filter((title) => title.matches(".box"))];
  }

  follow(node) {
    if (node === this.node) return;
    this.node = node;
    const { picture } = this;
    if (!node || !node.matches(".node")) return this.light(new Set(), new Set(), []);
    const { id } = node.dataset;
    const up = picture.reach(picture.into, id), down = picture.reach(picture.out, id);
    this.light(up, down, [id]);
  }

  // Lights sets of ids: what comes before, what comes after, and the nodes themselves.
  light(up, down, own) {
    const { root, nodes, edges } = this.picture;
    root.classList.toggle("trailing", own.length > 0);
    for (const [id, node] of nodes) {
      node.classList.toggle("lit", up.has(id) || down.has(id) || own.includes(id));
      node.classList.toggle("self", own.includes(id));
    }
    for (const edge of edges) {
      const { from, to } = edge.dataset;
      const before = up.has(from) && (up.has(to) || own.includes(to));
      const after = down.has(to) && (down.has(from) || own.includes(from));
      edge.classList.toggle("lit", before || after);
      edge.classList.toggle("up", before);
      edge.classList.toggle("down", after);
    }
    const name = own.length === 1 ? wordsOf(nodes.get(own[0])).join(" ") : "";
    this.say(name && `${name}: depends on ${up.size}, needed by ${down.size}`, own);
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
      const { left, top, width, height } = node.getBoundingClientRect();
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
