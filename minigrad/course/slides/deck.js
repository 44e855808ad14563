// Start reveal.js: keys n (or s) for the presenter's notes, d for dark or light, f for the full screen.
function changeTheme() {
  const root = document.documentElement, dark = matchMedia("(prefers-color-scheme: dark)").matches
  const now = root.style.colorScheme || (dark ? "dark" : "light")
  root.style.colorScheme = now === "dark" ? "light" : "dark"
}
Reveal.initialize({
  width: 1280, height: 720, margin: 0, minScale: 0.1, maxScale: 4, center: false, display: "flex",
  controls: false, hash: true, transition: "none", pdfSeparateFragments: false,
  plugins: [RevealNotes],
  keyboard: { 68: changeTheme, 78: () => Reveal.getPlugin("notes").open() },
})
