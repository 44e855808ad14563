// The key and the notes of a picture: part of it where it fits, else below it, as wide as the page.

class Legend {
  constructor(root) {
    this.parts = [];
    let part = this.graph = [...root.children].find((child) => first(child, ".node"));
    while ((part = part && part.nextElementSibling)) this.parts.push(part);
  }

  // The same as lines of a page: samples with their words, then notes, then code.
  lines() {
    const found = [];
    let sample = null;
    const walk = (part) => {
      const children = [...part.children], last = children.at(-1);
      if (part.tagName === "rect") sample = part;
      else if (part.tagName === "text") {
        const line = part.matches(".code") ? html("pre") : html("p");
        line.textContent = part.textContent;
        found.push(sample ? this.item([sample], part, { x: 2, y: 2 }) : line);
        sample = null;
      } else if (last.tagName === "text" && !first(part,
        "g")) found.push(this.item(children.slice(0, -1), last));
      else children.forEach(walk);
    };
    this.parts.forEach(walk);
    return found;
  }

  item(sample, words, place = {}) {
    const copies = sample.map((part) => fill(part.cloneNode(true), place));
    return html("span", svg("svg", { viewBox: "-2 -4 28 22", width: 28, height: 22,
      "aria-hidden": "true" }, ...copies),
      words.textContent);
  }
}
