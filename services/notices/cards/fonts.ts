import { initials } from '@cord/contracts/drawing/avatar';
import { createShared } from '@cord/kit/shared';
import { LRUCache } from 'lru-cache';
import type { Font } from 'satori';
import subsetFont from 'subset-font';
import { fontIn } from './font-files.js';
import { type Slice, slicesFor } from './scripts.js';

/** The cuts of the CORD font; the width carries the tone (the visual language, Type). */
const CUTS = {
  wide: { wght: 640, wdth: 109 },
  strong: { wght: 600, wdth: 103 },
  plain: { wght: 400, wdth: 100 },
} as const;
export type Cut = keyof typeof CUTS;

/** The characters on every card: letters of the cards' languages, digits and their signs. */
export const OWN_LETTERS = `${Array.from({ length: 0x7e - 0x20 + 1 }, (_, n) => String.fromCharCode(0x20 + n)).join('')}ÄÖÜäöüß×–…`;

/** Maximum number of cached names (LRU); most names need only the CORD font, a few KB. */
const NAMES_KEPT = 64;

interface CardFonts {
  /** In the order in which they are searched for a letter. */
  fonts: Font[];
  /** Font family of the name's letters. */
  nameFamily: string;
}

/** Built once: it never changes while the service runs. */
const own = createShared<Font[]>();
const ofNames = new LRUCache<string, CardFonts>({ max: NAMES_KEPT, fetchMethod: makeFonts });

/** Returns static cuts of the CORD font, and of other fonts that this name needs. */
export function fontsFor(name: string): Promise<CardFonts> {
  return ofNames.forceFetch(name);
}

async function makeFonts(name: string): Promise<CardFonts> {
  const ofName = await Promise.all(
    [...(await slicesFor(`${name}${initials(name)}…`))].map(([slice, letters]) =>
      cut(slice, letters, 'strong', slice.id),
    ),
  );
  return { fonts: [...ofName, ...(await own.get(0, ownCuts))], nameFamily: ofName.map((font) => font.name).join(', ') };
}

async function ownCuts(): Promise<Font[]> {
  const [slice] = (await slicesFor('A')).keys();
  if (!slice) throw new Error('the CORD font is missing');
  return Promise.all((Object.keys(CUTS) as Cut[]).map((name) => cut(slice, OWN_LETTERS, name, name)));
}

/** Builds one static font of these letters: the renderer does not support variable fonts. */
async function cut({ file, axes }: Slice, letters: string, name: Cut, as: string): Promise<Font> {
  const variationAxes = Object.fromEntries(axes.map((axis) => [axis, CUTS[name][axis]]));
  const data = await subsetFont((await fontIn(file)).sfnt, letters, { targetFormat: 'sfnt', variationAxes });
  return { name: as, data, weight: 400, style: 'normal' };
}
