const CSS = `
:root { color-scheme: dark; background: #0a100e; }
main { margin: 3rem auto; }
dialog, main { pointer-events: auto; box-sizing: border-box; width: min(23.75rem, calc(100vw - 2rem)); padding: 1.25rem;
  border: 1px solid #6f837a; border-radius: .875rem; background: #19231f; color: #edf2ee; font: .9375rem/1.375rem system-ui, sans-serif;
  box-shadow: 0 2rem 5rem rgb(0 0 0 / 0.7); }
dialog::backdrop { background: rgb(3 6 5 / 0.5); }
a { color: #8cc8ff; }
h1 { margin: .25rem 0 .5rem; font-size: 1.25rem; line-height: 1.625rem; }
p { margin: 0 0 .75rem; overflow-wrap: anywhere; }
.ribbon { color: #f2ce86; font-size: .8125rem; line-height: 1.125rem; }
.line { display: grid; padding: .625rem .75rem; border-radius: .5rem; background: #222e29; }
code { color: #b5c2bb; font-size: .75rem; overflow-wrap: anywhere; }
.panel { display: grid; gap: .625rem; margin-bottom: 1rem; }
label { display: grid; grid-template-columns: 5.625rem 1fr; align-items: center; gap: .5rem; }
.row, .buttons { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; }
.row output { flex: 1; font-weight: 600; }
.buttons { justify-content: flex-end; }
button, select { min-height: 2.25rem; padding: 0 .75rem; border: 1px solid #6f837a; border-radius: .5rem; background: #111916;
  color: inherit; font: inherit; cursor: pointer; }
button.primary { border-color: transparent; background: #f2ce86; color: #1c1607; font-weight: 600; }
:is(button, select):focus-visible { outline: 3px solid #8cc8ff; outline-offset: 2px; }
`;

/** A constructed style sheet: the page's policy forbids inline styles. */
export function styles(): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(CSS);
  return sheet;
}
