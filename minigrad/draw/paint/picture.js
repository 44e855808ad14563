// A drawing as part of the page: taken out of its image, in the page's theme, with its graph.

const MEDIA = "@media (prefers-color-scheme: dark)";
const END = "<" + "/"; // a script that says it at once would end there
const EDGE = 6; // around a graph whose key stands elsewhere
const SIDES = { _bar: "adjoint of ", _dot: "tangent of " };

function pictureFrom(address = "") {
  const start = "data:image/svg+xml;base64,";
  if (!address.startsWith(start)) return null;
  const bytes = Uint8Array.from(atob(address.slice(start.length)), (c) => c.charCodeAt(0));
  return new Picture(new TextDecoder().decode(bytes));
}

// The pictures that one comes to by opening and closing things; the first is the element's image.
class Album {
  constructor(element) {
    this.told = JSON.parse(element.getAttribute("album") || '{"pages":[{"moves":{}}]}');
    this.parts = (this.told.parts || []).map((text) => text.replaceAll("`", '"'));
    this.pictures = [pictureFrom(first(element, "img")?.src)];
    this.at = 0;
    const { pages } = this.told, twin = pictureFrom(first(element, "source")?.srcset);
    if (twin) {
      this.told.upright = pages.length;
      this.pictures[pages.length] = twin;
      pages.push(pages[0]);
    }
  }

  get picture() {
    return this.pictureAt(this.place);
  }

  pictureAt(place) {
    return this.pictures[place] ||= new Picture(this.source(this.told.pages[place]));
  }

  get page() {
    return this.told.pages[this.place];
  }

  // On a narrow page the first picture has a twin that runs down.
  get place() {
    return this.at === 0 && this.narrow && this.told.upright || this.at;
  }

  source({ size, alt, head, foot, places }) {
    const { parts } = this, style = this.pictures[0].rules + this.told.style, [width, height,
      ...shifts] = size;
    const moved = (x, y, text) => `<g transform="translate(${x} ${y})">${text}${END}g>`;
    const found = [];
    for (let at = 0; at < places.length; at += 3) {
      found.push(moved(places[at + 1], places[at + 2], parts[places[at]]));
    }
    const all = (numbers) => numbers.map((number) => parts[number]).join("\n");
    return `<svg xmlns="${SVG}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ` +
      `role="img" aria-label="${alt}">\n<style>\n${style}${END}style>\n${all(head)}\n` +
      `${moved(shifts[0], shifts[1], found.join("\n"))}\n` +
      `${moved(shifts[2], shifts[3], all(foot))}\n${END}svg>\n`;
  }
}

// The texts of a node: its name with the index and the value, then all others.
function wordsOf(node) {
  const words = [];
  for (const text of all(node, "text")) {
    const said = text.textContent, named = words.length && text.matches(".sub, .value");
    if (named) words[words.length - 1] += (text.matches(".value") ? " = " : "") + said;
    else words.push(said);
  }
  return words;
}

const parseSvg = (text) => new DOMParser().parseFromString(text, "image/svg+xml").documentElement;

class Picture {
  constructor(source) {
    this.source = source;
    this.root = document.importNode(parseSvg(source), true);
    // An image may hold no tab stops; and what listens for the focus would be a stop itself.
    fill(this.root, { role: "group", tabindex: "-1" });
    this.style = first(this.root, "style");
    this.rules = this.style.textContent;
    const [, , width, height] = this.root.getAttribute("viewBox").split(" ").map(Number);
    Object.assign(this, { width, height, all: [0, 0, width, height], legend: new Legend(this.root),
      nodes: new Map(), into: new Map(), out: new Map() });
    for (const node of all(this.root, "g.node")) this.take(node);
    this.titles = all(this.root, "g.title");
    this.boxes = [...all(this.root, "g[data-box]"), ...this.titles];
    this.edges = all(this.root, "g[data-from]");
    this.stubs = all(this.root, "g.stub");
    for (const { dataset } of this.edges) {
      this.link(this.into, dataset.to, dataset.from);
      this.link(this.out, dataset.from, dataset.to);
    }
  }

  // Shows all of it; or its graph, where key and notes stand elsewhere, and a title that is seen.
  crop(alone) {
    const { root, legend: { graph } } = this, [title] = root.getElementsByClassName("title");
    let view = this.all;
    if (alone && graph) {
      const { x, y, width, height } = graph.getBBox(), seen = title?.getBBox().width;
      const moved = graph.getAttribute("transform") || "0 0"; // pictures in a row have no place
      const [right, down] = moved.match(/-?[\d.]+/g).map(Number);
      const left = seen ? 0 : Math.max(0, x + right - EDGE), top = seen ? 0 : y + down - EDGE;
      const end = seen ? view[2] : Math.min(view[2], x + right + width + EDGE);
      view = [left, top, end - left, y + height + down + EDGE - top];
    }
    [, , this.width, this.height] = view;
    set(root, "viewBox", view.join(" "));
  }

  take(node) {
    this.nodes.set(node.id, node);
    node.dataset.id = node.id;
    node.removeAttribute("id"); // a page may show a picture twice
    fill(node, { tabindex: this.nodes.size > 1 ? "-1" : "0", role: "img" });
    this.name(node);
  }

  // What can be opened and closed says so: a box by a plus in its corner, a frame by its title.
  offer(moves, inside = {}) {
    for (const [id, node] of this.nodes) {
      if (id in inside) this.mark(fill(node, { role: "button" }));
    }
    for (const box of this.boxes) {
      const { box: closed, frame } = box.dataset;
      if (!((closed ?? frame) in moves)) continue;
      box.classList.add("box");
      fill(box, { role: "button", "aria-expanded": closed === undefined });
      if (closed !== undefined) this.mark(box);
      else fill(box, { tabindex: "-1", "aria-label":
        `close ${first(box, "text").textContent}` });
    }
  }

  mark(box) {
    box.classList.add("box");
    const shape = first(box, "rect.rim");
    if (!shape || first(box, ".inside, .plus")) return; // the number of values inside says it
    const [x, y, width] = ["x", "y", "width"].map((name) => Number(shape.getAttribute(name)));
    box.append(svg("path", { class: "plus", d: `M${x + width - 10} ${y + 7}h6m-3 -3v6` }));
  }

  // The node or the title of what was opened or closed.
  find(handle) {
    return this.boxes.find(({ dataset }) => dataset.box === handle || dataset.frame === handle);
  }

  name(node) {
    const side = SIDES[node.dataset.id.slice(-4)] || "";
    const tip = first(node, ".formula") && first(node, "title"); // of a card in lanes
    set(node, "aria-label", tip ? tip.textContent : side + wordsOf(node).join(", "));
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
    this.style.textContent = this.rules.replaceAll(MEDIA, dark ? "@media all" : "@media not all");
  }

  // The picture with its labels of now, as a file of its own.
  text() {
    const copy = parseSvg(this.source);
    set(copy, "aria-label", this.root.getAttribute("aria-label"));
    for (const [id, node] of this.nodes) {
      const same = first(copy, `#${id}`), texts = all(same, "text");
      if (!first(node, "title")) first(same, "title").remove();
      all(node, "text").forEach((text, at) => {
        texts[at].replaceChildren(...[...text.childNodes].map((part) => part.cloneNode(true)));
      });
    }
    const chips = all(this.root, "g.chip");
    all(copy, "g.chip").forEach((chip, at) => chips[at].matches(".waiting") ? chip.remove() :
      chip.replaceWith(chips[at].cloneNode(true)));
    return new XMLSerializer().serializeToString(copy) + "\n";
  }
}
