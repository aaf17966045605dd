import { avatarColours } from '@cord/contracts/drawing/avatar';
import { CARD } from '@cord/contracts/drawing/card';
import { CARD_TEXTS } from '@cord/contracts/drawing/card-texts';
import { TOKENS } from '@cord/contracts/drawing/colours';
import { renderAsync } from '@resvg/resvg-js';
import satori, { type SatoriNode, type SatoriOptions } from 'satori';
import type { Card } from './card.js';
import { fontsFor } from './fonts.js';
import { layoutOf } from './layout.js';
import { nameOnCard } from './name.js';
import { turnOfAmount } from './numbers.js';
import { dialSvg, logoSvg } from './ring.js';
import { drawable } from './scripts.js';

/** Position of the hand on an invitation: the promised 10 %. */
const INVITE_TURN = 0.1;

/** A box after layout, px. */
export type LaidOutBox = Pick<SatoriNode, 'left' | 'top' | 'width' | 'height' | 'textContent'>;

/**
 * Draws a card as PNG of 1200 x 630. Layout blocks this thread for 10 ms; drawing takes another one 20 to 40.
 * Loaded with the first requested card: with its fonts it takes 150 MB.
 * @param onLaid called with each box
 */
export async function drawCard(given: Card, onLaid?: (box: LaidOutBox) => void): Promise<Buffer> {
  const picture = await renderAsync(await svgOf(given, onLaid), { font: { loadSystemFonts: false } });
  return picture.asPng();
}

async function svgOf(given: Card, onLaid?: (box: LaidOutBox) => void): Promise<string> {
  const name =
    (await nameOnCard(given.name, (character) => drawable(character, given.name))) ||
    CARD_TEXTS[given.language].someone;
  const card = { ...given, name };
  const { fonts, nameFamily } = await fontsFor(name);
  const { width, height } = CARD;
  const options: SatoriOptions = { width, height, fonts, ...(onLaid ? { onNodeDetected: onLaid } : {}) };
  const written = await satori(layoutOf(card, { nameFamily, colours: avatarColours(given.name) }), options);
  const turn = card.kind === 'rank' ? turnOfAmount(card.earnedMicro) : INVITE_TURN;
  const ground = `<rect width="${width}" height="${height}" fill="${TOKENS.bg[card.scheme]}"/>`;
  const under = ground + dialSvg(card.adds, turn, card.scheme) + logoSvg({ x: 64, y: 57, size: 46 }, card.scheme);
  return written.replace(/^<svg [^>]*>/, (start) => start + under);
}
