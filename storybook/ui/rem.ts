/** px of one rem, unless a person sets another font size in the browser. */
export const REM_PX = 16;

/** A length in px as the build makes it of styles (infra/build/rem.mjs): it follows the font size that a person sets. What is a text may have several. */
export function rem<Length extends number | string | undefined>(px: Length): Length | string {
  if (typeof px === 'number') return `${px / REM_PX}rem`;
  return typeof px === 'string' ? px.replace(/([\d.]+)px/g, (_, n) => `${n / REM_PX}rem`) : px;
}

let scale: number | undefined;

/** How many times larger than usual the font size is that a person sets, as the page began: for what is drawn or measured in px. */
export function remScale(): number {
  scale ??= Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / REM_PX || 1;
  return scale;
}
