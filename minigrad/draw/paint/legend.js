// The key and the notes of a picture: part of it where it fits, else below it, as wide as the page.

class Legend {
  constructor(root) {
    this.root = root;
    this.parts = [];
    let part = [...root.children].find((child) => child.querySelector(".node"));
    while ((part = part && part.nextElementSibling)) this.parts.push(part);
    root.setAttribute("preserveAspectRatio", "xMidYMin slice"); // what is too low is cut off
  }

  // How high the picture is without it; outlines are not part of a rectangle.
  get top() {
    const { root } = this, { top, width } = root.getBoundingClientRect();
    const first = this.parts[0].getBoundingClientRect().top;
    return (first - top) * root.viewBox.baseVal.width / width - 3;
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
      } else if (last.tagName === "text") found.push(this.item(children.slice(0, -1), last));
      else children.forEach(walk);
    };
    this.parts.forEach(walk);
    return found;
  }

  item(sample, words, place = {}) {
    const copies = sample.map((part) => fill(part.cloneNode(true), place, []));
    return html("span", {}, svg("svg", { viewBox: "0 -3 24 20", width: 24, height: 20,
      "aria-hidden": "true" }, ...copies),
      words.textContent);
  }
}
