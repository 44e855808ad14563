// A drawing as part of the page: taken out of its image, in the page's theme, with its graph.

const MEDIA = "@media (prefers-color-scheme: dark)";
const SIDES = { _bar: "adjoint of ", _dot: "tangent of " };

function pictureFrom(image) {
  const start = "data:image/svg+xml;base64,";
  if (!image || !image.src.startsWith(start)) return null;
  const bytes = Uint8Array.from(atob(image.src.slice(start.length)), (c) => c.charCodeAt(0));
  return new Picture(new TextDecoder().decode(bytes));
}

const parseSvg = (text) => new DOMParser().parseFromString(text, "image/svg+xml").documentElement;

class Picture {
  constructor(source) {
    this.source = source;
    this.root = document.importNode(parseSvg(source), true);
    // An image may hold no tab stops; and what listens for the focus would be a stop itself.
    fill(this.root, { role: "group", tabindex: "-1" }, []);
    this.style = this.root.querySelector("style");
    this.rules = this.style.textContent;
    const [, , width, height] = this.root.getAttribute("viewBox").split(" ").map(Number);
    Object.assign(this, { width, height, nodes: new Map(), into: new Map(), out: new Map() });
    for (const node of this.root.querySelectorAll("g.node")) this.take(node);
    this.edges = [...this.root.querySelectorAll("g[data-from]")];
    for (const { dataset } of this.edges) {
      this.link(this.into, dataset.to, dataset.from);
      this.link(this.out, dataset.from, dataset.to);
    }
  }

  take(node) {
    this.nodes.set(node.id, node);
    node.dataset.id = node.id;
    node.removeAttribute("id"); // a page may show a picture twice
    fill(node, { tabindex: this.nodes.size > 1 ? "-1" : "0", role: "img" }, []);
    this.name(node);
  }

  name(node) {
    const words = [...node.querySelectorAll("text")].map((text) => text.textContent);
    const side = SIDES[node.dataset.id.slice(-4)] || "";
    node.setAttribute("aria-label", side + words.join(", "));
  }

  link(map, from, to) {
    map.set(from, (map.get(from) || new Set()).add(to));
  }

  // All that one comes to from a node, along `map`; without the node itself.
  reach(map, id) {
    const found = new Set(), waiting = [...(map.get(id) || [])];
    while (waiting.length) {
      const next = waiting.pop();
      if (found.has(next) || next === id) continue;
      found.add(next);
      waiting.push(...(map.get(next) || []));
    }
    return found;
  }

  paint(dark) {
    this.style.textContent = this.rules.replace(MEDIA, dark ? "@media all" : "@media not all");
  }

  // The picture with its labels of now, as a file of its own.
  text() {
    const copy = parseSvg(this.source);
    copy.setAttribute("aria-label", this.root.getAttribute("aria-label"));
    for (const [id, node] of this.nodes) {
      const same = copy.querySelector(`#${id}`), texts = same.querySelectorAll("text");
      if (!node.querySelector("title")) same.querySelector("title").remove();
      [...node.querySelectorAll("text")].forEach((text, at) => {
        texts[at].replaceChildren(...[...text.childNodes].map((part) => part.cloneNode(true)));
      });
    }
    return new XMLSerializer().serializeToString(copy) + "\n";
  }
}
