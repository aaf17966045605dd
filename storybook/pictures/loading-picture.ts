// Draws the picture of the loading screen: the cord laid around the logo, as the dial draws it (storybook/ui/README.md#cord-dial), in a
// file that needs no script. Run after a change of dial, logo or colours: node --import tsx storybook/pictures/loading-picture.ts
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isProgram } from '@cord/build/is-program.ts';
import {
  dialGeometry,
  handPath,
  LAY_MS,
  lobePath,
  lobesBesideHand,
  strokes,
  ticks,
} from '../../services/contracts/drawing/dial.ts';
import { LOGO_PATHS } from '../../services/contracts/drawing/logo.ts';
import { layLobes, STRANDS } from '../../services/contracts/drawing/strands.ts';

/** Where the design system lies. */
const UI = new URL('../ui/', import.meta.url);

const FILE = fileURLToPath(new URL('feedback/loading.svg', UI));
const SIZE = 148;
const LOGO = 44;
/** The cord grows some lobes at a time: drawn anew for each frame, it would take a third of a phone's thread while the code starts. */
const LAY_STEPS = 12;
const ADDS = { base: 5, age: 13, epoch: 2 };

const tokens = readFileSync(new URL('tokens.css', UI), 'utf8');

/** @returns the picture as SVG, in the colours of the scheme of the page around it */
export function loadingPicture(): string {
  const geometry = dialGeometry(SIZE);
  const { center, inner, outer, lobes, width } = geometry;
  const { gapWidth, voidWidth, layWidth, rims } = strokes(geometry);
  const strands = layLobes(lobes, ADDS, 100);
  const beside = lobesBesideHand(geometry).map((index) => ({ strand: strands[index], d: lobePath(geometry, index) }));
  const gradients = STRANDS.filter((strand) => strand in ADDS).map((strand) => {
    const stops = rims.map(
      ({ offset, rim }) => `<stop offset="${tidy(offset)}" class="${strand}${rim ? '-rim' : ''}"/>`,
    );
    const place = `gradientUnits="userSpaceOnUse" cx="${center}" cy="${center}" r="${tidy(outer)}"`;
    return `<radialGradient id="${strand}" ${place}>${stops.join('')}</radialGradient>`;
  });
  const all = ticks(geometry);
  const scale = ['major', 'minor'].map((kind) => {
    const lines = all.filter(({ major }) => major === (kind === 'major'));
    return `<path class="${kind}" d="${lines.map(({ x1, y1, x2, y2 }) => `M${x1} ${y1}L${x2} ${y2}`).join('')}"/>`;
  });
  const hollow = beside.map(({ d }) => d).join('');
  const cord = beside.map(
    ({ strand, d }) =>
      `<path class="gap" d="${d}" stroke-width="${tidy(gapWidth)}"/><path d="${d}" stroke="url(#${strand})" stroke-width="${tidy(width)}"/>`,
  );
  const logo = LOGO_PATHS.map(
    (d, index) => `<path class="${index === LOGO_PATHS.length - 1 ? 'end' : 'c'}" d="${d}"/>`,
  );
  const mask =
    `<mask id="lay" maskUnits="userSpaceOnUse" x="0" y="0" width="${SIZE}" height="${SIZE}"><circle class="laid" cx="${center}" cy="${center}" ` +
    `r="${tidy((inner + outer) / 2)}" stroke-width="${tidy(layWidth)}" pathLength="100" transform="rotate(-90 ${center} ${center})"/></mask>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE}" height="${SIZE}" viewBox="0 0 ${SIZE} ${SIZE}" fill="none">`,
    '<title>CORD</title>',
    `<style>${styles()}</style>`,
    `<defs>${gradients.join('')}${mask}</defs>`,
    scale.join(''),
    `<path class="hollow" stroke-width="${tidy(voidWidth)}" d="${hollow}"/>`,
    `<g class="cord" mask="url(#lay)">${cord.join('')}</g>`,
    `<path class="hand" d="${handPath(geometry)}"/>`,
    `<g transform="translate(${(SIZE - LOGO) / 2} ${(SIZE - LOGO) / 2}) scale(${tidy(LOGO / 24)})">${logo.join('')}</g>`,
    '</svg>\n',
  ].join('\n');
}

function styles(): string {
  const strands = ['base', 'age', 'epoch'].map(
    (strand) => `.${strand}{stop-color:${token(`y-${strand}`)}}.${strand}-rim{stop-color:${token(`y-${strand}-rim`)}}`,
  );
  return [
    'svg{color-scheme:light dark}',
    ...strands,
    `.major{stroke:${token('text-2')};stroke-width:2}.minor{stroke:${token('text-3')};opacity:.8}`,
    `.hollow,.cord{stroke-linecap:round}.hollow{stroke:${token('y-void')}}.gap{stroke:${token('y-gap')}}`,
    `.hand{fill:${token('text')}}.c{fill:${token('accent')}}.end{fill:${token('live')}}`,
    `.laid{stroke:#fff;stroke-dasharray:100 200;animation:lay ${LAY_MS}ms steps(${LAY_STEPS}) both}`,
    '@keyframes lay{from{stroke-dashoffset:100}to{stroke-dashoffset:0}}',
    '@media (prefers-reduced-motion:reduce){.laid{animation:none}}',
  ].join('');
}

/** A colour of the design system, in its light and its dark form. */
function token(name: string): string {
  const [, value] = new RegExp(`--${name}: ([^;]+);`).exec(tokens) ?? [];
  if (value === undefined) throw new Error(`tokens.css has no --${name}`);
  return value;
}

/** Two decimals are a hundredth of a pixel. */
function tidy(value: number): number {
  return Number(value.toFixed(3));
}

if (isProgram(import.meta.filename)) writeFileSync(FILE, loadingPicture());
