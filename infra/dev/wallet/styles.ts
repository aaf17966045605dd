const CSS = `
:root { color-scheme: dark; background: #0a100e; }
main { margin: 48px auto; }
dialog, main { pointer-events: auto; box-sizing: border-box; width: min(380px, calc(100vw - 32px)); padding: 20px;
  border: 1px solid #6f837a; border-radius: 14px; background: #19231f; color: #edf2ee; font: 15px/22px system-ui, sans-serif;
  box-shadow: 0 32px 80px rgb(0 0 0 / 0.7); }
dialog::backdrop { background: rgb(3 6 5 / 0.5); }
a { color: #8cc8ff; }
h1 { margin: 4px 0 8px; font-size: 20px; line-height: 26px; }
p { margin: 0 0 12px; overflow-wrap: anywhere; }
.ribbon { color: #f2ce86; font-size: 13px; line-height: 18px; }
.line { display: grid; padding: 10px 12px; border-radius: 8px; background: #222e29; }
code { color: #b5c2bb; font-size: 12px; overflow-wrap: anywhere; }
.panel { display: grid; gap: 10px; margin-bottom: 16px; }
label { display: grid; grid-template-columns: 90px 1fr; align-items: center; gap: 8px; }
.row, .buttons { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; }
.row output { flex: 1; font-weight: 600; }
.buttons { justify-content: flex-end; }
button, select { min-height: 36px; padding: 0 12px; border: 1px solid #6f837a; border-radius: 8px; background: #111916;
  color: inherit; font: inherit; cursor: pointer; }
button.primary { border-color: transparent; background: #f2ce86; color: #1c1607; font-weight: 600; }
:is(button, select):focus-visible { outline: 3px solid #8cc8ff; outline-offset: 2px; }
`;

/** A sheet made by script is no inline style: the page's policy has none of those. */
export function styles(): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(CSS);
  return sheet;
}
