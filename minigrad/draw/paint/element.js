// What a custom element on a learner's page needs: parts, a button, the page's theme, its keys.

const SVG = "http://www.w3.org/2000/svg";

const set = (element, name, value) => element.setAttribute(name, value);
const first = (element, selector) => element.querySelector(selector);
const all = (element, selector) => [...element.querySelectorAll(selector)];

function fill(element, attributes, children = []) {
  for (const [name, value] of Object.entries(attributes)) set(element, name, value);
  element.append(...children);
  return element;
}

// An element by its name and class, as "p.say"; its attributes may be left out.
function html(kind, ...parts) {
  const [name, ...classes] = kind.split("."), made = document.createElement(name);
  const attributes = parts[0]?.constructor === Object ? parts.shift() : {};
  if (classes[0]) made.className = classes.join(" ");
  return fill(made, attributes, parts);
}

const svg = (name, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, name), attributes, children);

// A part of the page that is named for those who do not see it.
const group = (kind, label, ...parts) => fill(html(kind, { role: "group", "aria-label": label }),
  {},
  parts);

function on(element, types, act, options) {
  for (const type of types.split(" ")) element.addEventListener(type, act, options);
  return element;
}

const button = (icon, label, name, act) => on(html(`button.${name}`,
  { type: "button", "aria-label": label, title: label },
  svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: icon }))), "click",
    act);

const wordButton = (words, act, more) =>
  on(html("button.word", { type: "button", ...more }, words), "click", act);

const flag = (element, name, is) => element.classList.toggle(name, Boolean(is));
const placeOf = (element) => element.getBoundingClientRect();

// What opens over the page stands below its anchor, to the right.
function hang(popover, anchor) {
  on(popover, "beforetoggle", () => {
    const { right, bottom } = placeOf(anchor);
    popover.style.top = `${Math.max(bottom, 0) + 4}px`;
    popover.style.right = `${document.documentElement.clientWidth - right}px`;
  });
  leadBack(popover, () => anchor);
}

// Where it closes, the focus is on what it was opened from, unless it has gone elsewhere.
function leadBack(popover, anchor) {
  on(popover, "toggle", ({ newState }) => {
    const at = popover.getRootNode().activeElement;
    if (newState === "closed" && (!at || popover.contains(at))) anchor().focus();
  });
}

// On a page that is still being read, an element is there before its children are.
function whenParsed(act) {
  if (document.readyState !== "loading") return act();
  on(document, "DOMContentLoaded", act, { once: true });
}

const KEY_EVENTS = "keydown keyup keypress";
const isPlain = ({ key, ctrlKey, metaKey, altKey }) =>
  !ctrlKey && !metaKey && !altKey && !/^F\d/.test(key);
const isTyped = (target) => target.matches("input:not([type=range])");

// The frame around a page that says nothing of themes itself, as marimo makes for each output.
function frameOf({ defaultView, documentElement: root }) {
  const silent = root && (root.style.colorScheme ||
    getComputedStyle(root).colorScheme === "normal");
  return silent ? defaultView.frameElement : null;
}

// Whether the ground on which an element stands is dark, whatever made it so.
function isDark(element) {
  for (let at = element; at; at = at.parentNode || at.host || frameOf(at)) {
    if (at.nodeType !== Node.ELEMENT_NODE) continue;
    const ground = getComputedStyle(at).backgroundColor,
      most = ground.startsWith("color(") ? 1 : 255;
    const [red, green, blue, alpha = 1] = ground.match(/[\d.]+/g).map(Number);
    if (alpha > 0.5) return 0.3 * red + 0.6 * green + 0.1 * blue < most / 2;
  }
  const told = first(document, "meta[name=color-scheme]")?.content;
  const scheme = getComputedStyle(document.documentElement).colorScheme + told;
  return scheme.includes("dark") && matchMedia("(prefers-color-scheme: dark)").matches;
}

// Calls look() now and whenever the page's theme may have changed; returns how to stop that.
function watchTheme(look) {
  const themes = new MutationObserver(look);
  const around = { attributes: true, attributeFilter: ["class", "style", "data-theme",
    "data-jp-theme-light", "data-mode"] };
  const pages = [document, frameOf(document)?.ownerDocument].filter(Boolean);
  const roots = pages.flatMap((page) => [page.documentElement, page.body]);
  for (const root of roots) themes.observe(root, around);
  const system = matchMedia("(prefers-color-scheme: dark)");
  on(system, "change", look);
  look();
  return () => {
    themes.disconnect();
    system.removeEventListener("change", look);
  };
}

// An element with a shadow of its own. Its class says what it is made of, in build(), which gives
// raise() its own style sheets and the parts; what each key does, in this.keys; and what a theme
// changes, in paint(dark).
class Card extends HTMLElement {
  connectedCallback() {
    whenParsed(() => {
      if (!this.shadowRoot) this.build();
      this.guard ||= (event) => this.keep(event);
      on(window, KEY_EVENTS, this.guard, true);
      this.leave = watchTheme(() => {
        const dark = isDark(this.parentNode);
        this.sheets[1].media = dark ? "not all" : "all";
        this.sheets[2].media = dark ? "all" : "not all";
        // A frame whose scheme is not that of the page around it would have a white ground.
        const root = document.documentElement, scheme = dark ? "dark" : "light";
        if (frameOf(document) && root.style.colorScheme !== scheme) root.style.colorScheme = scheme;
        this.paint(dark);
      });
    });
  }

  disconnectedCallback() {
    if (this.leave) this.leave();
    for (const type of KEY_EVENTS.split(" ")) removeEventListener(type, this.guard, true);
  }

  // The notebook around hears no plain key, for there d d deletes the cell; but Ctrl S still saves.
  // JupyterLab listens before any element does, so it is told before that.
  keep(event) {
    if (!event.composedPath().includes(this)) return;
    this.toggleAttribute("data-lm-suppress-shortcuts", isPlain(event));
  }

  raise(own, ...parts) {
    this.sheets = ["base", "light", "dark"].map((name) =>
      html("style", {}, `${Card.sheets[name]}\n${own[name] || ""}`));
    this.attachShadow({ mode: "open" }).append(...this.sheets, ...parts);
    on(this, KEY_EVENTS, (event) => isPlain(event) && event.stopPropagation());
    on(this.shadowRoot, "keydown", (event) => {
      const act = this.keys[event.key];
      const pressed = event.key === " " && event.target.matches("button, summary");
      if (event.defaultPrevented || !act || pressed || isTyped(event.target)) return;
      if (!isPlain(event)) return;
      event.preventDefault();
      act();
    });
  }
}
