// Draws the picture of the loading screen: the cord laid around the logo, as the dial draws it (storybook/ui/README.md#cord-dial), for
// index.html, which has it before any script. Run after a change of dial or logo: node --import tsx storybook/pictures/loading-picture.ts
import { writeFileSync } from 'node:fs';
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

const FILE = fileURLToPath(new URL('../../shell/app/boot.svg', import.meta.url));
const SIZE = 148;
const LOGO = 44;
/**
 * The cord grows some lobes at a time. Each length is a group of which the opacity alone is animated, all at once and equally long: so
 * the compositor does it (with delays it does not), and the thread on which the code starts draws nothing anew.
 */
const LENGTHS = 12;
const ADDS = { base: 5, age: 13, epoch: 2 } as const;
const LAID = STRANDS.filter((strand) => strand in ADDS);

/** @returns the picture as SVG within HTML, in the colours of the page around it */
export function loadingPicture(): string {
  const geometry = dialGeometry(SIZE);
  const { center, outer, lobes, width } = geometry;
  const { gapWidth, voidWidth, rims } = strokes(geometry);
  const strands = layLobes(lobes, ADDS, 100);
  const beside = lobesBesideHand(geometry).map((index) => ({ strand: strands[index], d: lobePath(geometry, index) }));
  const gradients = LAID.map((strand) => {
    const stops = rims.map(
      ({ offset, rim }) => `<stop offset="${tidy(offset)}" class="${strand}${rim ? '-rim' : ''}"/>`,
    );
    const place = `gradientUnits="userSpaceOnUse" cx="${center}" cy="${center}" r="${tidy(outer)}"`;
    return `<radialGradient id="boot-${strand}" ${place}>${stops.join('')}</radialGradient>`;
  });
  const all = ticks(geometry);
  const scale = ['major', 'minor'].map((kind) => {
    const lines = all.filter(({ major }) => major === (kind === 'major'));
    return `<path class="${kind}" d="${lines.map(({ x1, y1, x2, y2 }) => `M${x1} ${y1}L${x2} ${y2}`).join('')}"/>`;
  });
  const hollow = beside.map(({ d }) => d).join('');
  const cord = Array.from({ length: LENGTHS }, (_, length) => {
    const part = beside.slice((length * beside.length) / LENGTHS, ((length + 1) * beside.length) / LENGTHS);
    const drawn = part.map(
      ({ strand, d }) =>
        `<path class="gap" d="${d}" stroke-width="${tidy(gapWidth)}"/><path d="${d}" stroke="url(#boot-${strand})" stroke-width="${tidy(width)}"/>`,
    );
    return `<g class="length">${drawn.join('')}</g>`;
  });
  const logo = LOGO_PATHS.map(
    (d, index) => `<path class="${index === LOGO_PATHS.length - 1 ? 'end' : 'c'}" d="${d}"/>`,
  );
  return [
    `<svg width="${SIZE}" height="${SIZE}" viewBox="0 0 ${SIZE} ${SIZE}" fill="none" aria-hidden="true">`,
    `<style nonce="__CSP_NONCE__">${styles()}</style>`,
    `<defs>${gradients.join('')}</defs>`,
    scale.join(''),
    `<path class="hollow" stroke-width="${tidy(voidWidth)}" d="${hollow}"/>`,
    `<g class="cord">${cord.join('')}</g>`,
    `<path class="hand" d="${handPath(geometry)}"/>`,
    `<g transform="translate(${(SIZE - LOGO) / 2} ${(SIZE - LOGO) / 2}) scale(${tidy(LOGO / 24)})">${logo.join('')}</g>`,
    '</svg>\n',
  ].join('\n');
}

function styles(): string {
  const laid = Array.from({ length: LENGTHS }, (_, index) => {
    const length = index + 1;
    return { length, name: `boot-${length}`, at: tidy((length * 100) / LENGTHS) };
  });
  const rules = [
    ...LAID.flatMap((strand) => [
      `.${strand}{stop-color:var(--y-${strand})}`,
      `.${strand}-rim{stop-color:var(--y-${strand}-rim)}`,
    ]),
    '.major{stroke:var(--text-2);stroke-width:2}',
    '.minor{stroke:var(--text-3);opacity:.8}',
    '.hollow,.cord{stroke-linecap:round}',
    '.hollow{stroke:var(--y-void)}',
    '.gap{stroke:var(--y-gap)}',
    '.hand{fill:var(--text)}',
    '.c{fill:var(--accent)}',
    '.end{fill:var(--live)}',
    `.length{animation:${LAY_MS}ms steps(1)}`,
    ...laid.map(({ length, name }) => `.length:nth-child(${length}){animation-name:${name}}`),
  ];
  const keyframes = laid.map(({ at, name }) => `@keyframes ${name}{from{opacity:0}${at}%{opacity:1}}`);
  return [...rules.map((rule) => rule.replaceAll(/(^|,)\./g, '$1.boot .')), ...keyframes].join('');
}

/** Two decimals are a hundredth of a pixel. */
function tidy(value: number): number {
  return Number(value.toFixed(3));
}

if (isProgram(import.meta.filename)) writeFileSync(FILE, loadingPicture());
