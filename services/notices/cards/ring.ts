import { rimColour, type Scheme, TOKENS } from '@cord/contracts/drawing/colours';
import { dialGeometry, handPath, lobePath, lobesBesideHand, polar, strokes, ticks } from '@cord/contracts/drawing/dial';
import { LOGO_PATHS } from '@cord/contracts/drawing/logo';
import { layLobes, STRANDS, type StrandAdds } from '@cord/contracts/drawing/strands';

/** Size and centre of the dial on a card, px. */
export const DIAL = { size: 500, x: 900, y: 315 } as const;

const geometry = dialGeometry(DIAL.size);
const [left, top] = [DIAL.x - DIAL.size / 2, DIAL.y - DIAL.size / 2];

/** The ten labels of the dial with their positions, px on the card. */
export const MARKS = Array.from({ length: 10 }, (_, tenth) => {
  const { x, y } = polar(geometry, geometry.labelRadius, (tenth / 10) * 2 * Math.PI);
  return { text: `.${tenth}`, x: left + x, y: top + y };
});

/** Returns the running dial as SVG. @param turn position of the hand, 0 to 1 clockwise from the top */
export function dialSvg(adds: StrandAdds, turn: number, scheme: Scheme): string {
  const colour = (token: keyof typeof TOKENS) => TOKENS[token][scheme];
  const { center, outer, lobes, width } = geometry;
  const { gapWidth, rims } = strokes(geometry);
  const gradients = STRANDS.map((strand) => {
    const stops = rims.map(
      ({ offset, rim }) =>
        `<stop offset="${offset}" stop-color="${rim ? rimColour(strand, scheme) : colour(`y-${strand}`)}"/>`,
    );
    const place = `gradientUnits="userSpaceOnUse" cx="${center}" cy="${center}" r="${outer}"`;
    return `<radialGradient id="strand-${strand}" ${place}>${stops.join('')}</radialGradient>`;
  });
  const scale = ticks(geometry).map(({ major, x1, y1, x2, y2 }) => {
    const look = major ? `stroke="${colour('text-2')}" stroke-width="2"` : `stroke="${colour('text-3')}" opacity="0.8"`;
    return `<path d="M${x1} ${y1}L${x2} ${y2}" ${look}/>`;
  });
  const strands = layLobes(lobes, adds, 100);
  const cord = lobesBesideHand(geometry).map((index) => {
    const d = lobePath(geometry, index);
    return `<path d="${d}" stroke="${colour('y-gap')}" stroke-width="${gapWidth}"/><path d="${d}" stroke="url(#strand-${strands[index]})" stroke-width="${width}"/>`;
  });
  const ring = `<g transform="rotate(${turn * 360} ${center} ${center})"><g fill="none" stroke-linecap="round">${cord.join('')}</g><path d="${handPath(geometry)}" fill="${colour('live')}"/></g>`;
  return `<defs>${gradients.join('')}</defs><g transform="translate(${left} ${top})">${scale.join('')}${ring}</g>`;
}

/** Returns the logo as SVG, with its corner at a point of the card. */
export function logoSvg({ x, y, size }: { x: number; y: number; size: number }, scheme: Scheme): string {
  const strands = LOGO_PATHS.map((d, index) => {
    const token = index === LOGO_PATHS.length - 1 ? 'live' : 'accent';
    return `<path d="${d}" fill="${TOKENS[token][scheme]}"/>`;
  });
  return `<g transform="translate(${x} ${y}) scale(${size / 24})">${strands.join('')}</g>`;
}
