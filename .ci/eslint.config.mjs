// What `make lint` looks for in the scripts of pages, where eslint is installed (npm i -g eslint).

import { readdirSync, readFileSync } from "node:fs";

// The files are one script on a page: what one of them defines at its top, the others use.
const rooms = ["draw/paint", "draw/player", "course/publishing"].map((room) => `minigrad/${room}`);
const files = rooms.flatMap((room) =>
  readdirSync(room).filter((name) => name.endsWith(".js")).map((name) => `${room}/${name}`));
const defined = files.flatMap((file) =>
  [...readFileSync(file, "utf8").matchAll(/^(?:const|function|class) (\w+)/gm)].map((found) => found[1]));
const browser = ["addEventListener", "atob", "Blob", "clearInterval", "CSS", "customElements", "document",
  "DOMParser", "getComputedStyle", "history", "HTMLElement", "location", "matchMedia",
  "MutationObserver", "navigator", "Node", "removeEventListener", "ResizeObserver", "setInterval",
  "setTimeout", "TextDecoder", "URL", "window", "XMLSerializer"];
const made = ["RULES"]; // which Python writes above playground.js
const known = Object.fromEntries([...defined, ...browser, ...made].map((name) => [name, "readonly"]));

export default [{
  files: ["minigrad/**/*.js"],
  languageOptions: { ecmaVersion: 2022, sourceType: "script", globals: known },
  linterOptions: { reportUnusedDisableDirectives: "error" },
  rules: {
    "no-undef": "error", "no-unused-vars": ["error", { vars: "local" }], "prefer-const": "error",
    "no-var": "error", eqeqeq: "error", "no-shadow": "off", "no-dupe-keys": "error",
    "no-dupe-class-members": "error", "no-unreachable": "error", "no-const-assign": "error",
    "no-self-assign": "error", "no-fallthrough": "error", "no-empty": "error",
    "no-cond-assign": "error", "no-implicit-globals": "off", "no-redeclare": "off",
    "no-unused-expressions": ["error", { allowShortCircuit: true }], "valid-typeof": "error",
    "use-isnan": "error", "no-loss-of-precision": "error", "no-useless-escape": "error",
    "no-eval": "error", "no-implied-eval": "error", "no-constant-condition": "error",
    "max-len": ["error", { code: 108 }], semi: "error",
  },
}];
