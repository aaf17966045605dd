// Draws the icons of the installed app and the picture of a shared link into shell/public, with the fonts and colours of the
// design system. Run after a change of the mark: node --import tsx storybook/pictures/app-icons.ts
import { mkdir } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { CHROMIUM } from '../../infra/test/chromium.ts';
import { LOGO_PATHS } from '../../services/contracts/drawing/logo.ts';

const PUBLIC = fileURLToPath(new URL('../../shell/public/', import.meta.url));
const FONT = pathToFileURL(
  fileURLToPath(import.meta.resolve('@fontsource-variable/archivo/files/archivo-latin-wdth-normal.woff2')),
);
const BG = '#0A100E';
const MANILA = '#F2CE86';
const LIVE = '#71DDAB';
const YARNS = ['#E5B455', '#E5B455', '#DAD3C1', '#E5B455', '#E5B455', '#DAD3C1'];

/** The C of laid cord. */
function mark(size: number): string {
  const strands = LOGO_PATHS.map(
    (d, index) => `<path d="${d}" fill="${index === LOGO_PATHS.length - 1 ? LIVE : MANILA}"/>`,
  );
  return `<svg width="${size}" height="${size}" viewBox="0 0 24 24">${strands.join('')}</svg>`;
}

/** A ring of laid cord: lobes as in the dial (storybook/ui/README.md#cord-dial). */
function ring(size: number, lobes = 100): string {
  const c = size / 2;
  const ro = c * 0.98;
  const ri = ro - size * 0.078;
  const pitch = (2 * Math.PI) / lobes;
  const w = 0.8 * ((ro + ri) / 2) * pitch;
  const at = (radius: number, angle: number) =>
    `${(c + radius * Math.sin(angle)).toFixed(1)} ${(c - radius * Math.cos(angle)).toFixed(1)}`;
  const paths = Array.from({ length: lobes }, (_, i) => {
    const a = i * pitch;
    const [from, to] = [a - 0.55 * pitch, a + 1.55 * pitch];
    const [inner, outer] = [ri + w / 2, ro - w / 2];
    const third = (outer - inner) * 0.3;
    const d = `M${at(inner, from)}C${at(inner + third, from + 0.25 * pitch)} ${at(outer - third, to - 0.25 * pitch)} ${at(outer, to)}`;
    const line = (stroke: string | undefined, width: number) =>
      `<path d="${d}" stroke="${stroke}" stroke-width="${width.toFixed(1)}" stroke-linecap="round" fill="none"/>`;
    return line('#1A1408', w * 1.24) + line(YARNS[i % YARNS.length], w);
  });
  return `<svg width="${size}" height="${size}" viewBox="0 0 ${size} ${size}">${paths.join('')}</svg>`;
}

const page = (width: number, height: number, background: string, body: string) => `<!doctype html><style>
  @font-face { font-family: Archivo; src: url(${FONT}); font-weight: 100 900; font-stretch: 62% 125%; }
  body { margin: 0; width: ${width}px; height: ${height}px; background: ${background}; display: grid; place-items: center; overflow: hidden;
    font-family: Archivo; color: #EDF2EE; }
  .tile { display: grid; place-items: center; width: 100%; height: 100%; background: ${BG}; border-radius: 22%; }
  .share { display: grid; grid-template-columns: 1fr auto; align-items: center; gap: 56px; width: 1056px; }
  .share > p { display: flex; align-items: center; gap: 18px; margin: 0 0 36px; font-size: 34px; font-weight: 650; font-stretch: 118%; }
  h1 { margin: 0; font-size: 62px; line-height: 66px; font-weight: 650; font-stretch: 112%; letter-spacing: -0.02em; }
  .brand { display: flex; align-items: center; gap: 18px; margin-bottom: 40px; font-size: 34px; font-weight: 650; font-stretch: 118%; }
  .text { margin-top: 24px; font-size: 27px; line-height: 37px; color: #B5C2BB; }
  .dial { position: relative; display: grid; place-items: center; }
  .dial > svg { grid-area: 1 / 1; }
</style>${body}`;

const share = `<div class="share"><div><div class="brand">${mark(52)}CORD</div><h1>Your years on Discord, wound into CORD.</h1>
  <div class="text">Run a simulated mining node, keep your streak, climb the rankings.</div></div>
  <div class="dial">${ring(400)}${mark(168)}</div></div>`;

/** Full pictures are cut to the shape of the device; the others bring their own tile. */
const PICTURES: [file: string, width: number, height: number, background: string, body: string][] = [
  ['icons/icon-192.png', 192, 192, 'transparent', `<div class="tile">${mark(124)}</div>`],
  ['icons/icon-512.png', 512, 512, 'transparent', `<div class="tile">${mark(332)}</div>`],
  ['icons/maskable-512.png', 512, 512, BG, mark(268)],
  ['icons/apple-touch-icon.png', 180, 180, BG, mark(110)],
  ['share.png', 1200, 630, BG, share],
];

await mkdir(`${PUBLIC}icons`, { recursive: true });
const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: ['--no-sandbox', '--disable-gpu', '--allow-file-access-from-files'],
});
for (const [file, width, height, background, body] of PICTURES) {
  const tab = await browser.newPage({ viewport: { width, height } });
  await tab.goto(pathToFileURL(fileURLToPath(import.meta.url)).href);
  await tab.setContent(page(width, height, background, body));
  await tab.evaluate(() => document.fonts.ready);
  await tab.screenshot({ path: PUBLIC + file, omitBackground: background === 'transparent' });
  await tab.close();
}
await browser.close();
