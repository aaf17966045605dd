import { CARD, CARD_LANGUAGES, CARD_NAME_MAX } from '@cord/contracts/drawing/card';
import { CARD_TEXTS } from '@cord/contracts/drawing/card-texts';
import { TOKENS } from '@cord/contracts/drawing/colours';
import { Resvg } from '@resvg/resvg-js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Card } from './card.js';
import { drawCard, type LaidOutBox } from './draw.js';
import { OWN_LETTERS } from './fonts.js';
import { nameOnCard } from './name.js';
import { amountText, countText, dayText, factorText, turnOfAmount } from './numbers.js';
import { drawable } from './scripts.js';

const ADDS = { base: 5, age: 13, epoch: 2 };
const invite: Card = {
  kind: 'invite',
  scheme: 'light',
  language: 'en',
  name: 'Mara Okafor',
  code: 'K7M2QX9D',
  adds: ADDS,
};
const figures = { rank: 31, miners: 1_302, earnedMicro: '63334760000', accountAge: 5.4, multiplierHundredths: 350 };
const of = { userId: '0'.repeat(32), period: 'all-time', day: '2026-11-27', adds: ADDS } as const;
const ranked: Card = { kind: 'rank', scheme: 'dark', language: 'en', name: 'Mara Okafor', ...of, ...figures };

/** The colours of a picture's pixels, row by row. */
function pixelsOf(png: Buffer) {
  const image = `<image width="${CARD.width}" height="${CARD.height}" href="data:image/png;base64,${png.toString('base64')}"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${CARD.width}" height="${CARD.height}">${image}</svg>`;
  const { pixels } = new Resvg(svg, { font: { loadSystemFonts: false } }).render();
  const colour = (x: number, y: number) => pixels.readUInt32BE(4 * (y * CARD.width + x));
  const at = (x: number, y: number) => `#${(colour(x, y) >>> 8).toString(16).padStart(6, '0')}`;
  /** How many pixels of an area are of another colour than its corner. */
  const inked = (left: number, top: number, right: number, bottom: number) => {
    const ground = colour(left, top);
    let count = 0;
    for (let y = top; y < bottom; y += 1) for (let x = left; x < right; x += 1) if (colour(x, y) !== ground) count += 1;
    return count;
  };
  return { at, inked };
}

/** Draws a card, and looks whether all that is written on it lies inside. */
async function drawn(card: Card) {
  const boxes: LaidOutBox[] = [];
  const png = await drawCard(card, (box) => void boxes.push(box));
  const outside = boxes.filter(
    ({ left, top, width, height, textContent }) =>
      textContent &&
      (left < 0 || top < CARD.safe || left + width > CARD.width || top + height > CARD.height - CARD.safe + 8),
  );
  expect(outside).toEqual([]);
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([CARD.width, CARD.height]);
  return { png, boxes, ...pixelsOf(png) };
}

describe('a card', () => {
  test.each([invite, ranked])('of kind $kind has its background, name, initials and dial', async (card) => {
    const { at, inked } = await drawn(card);
    expect(at(4, 4)).toBe(TOKENS.bg[card.scheme]);
    expect(inked(64, 57, 110, 104)).toBeGreaterThan(300);
    expect(inked(64, 150, 640, 570)).toBeGreaterThan(10_000);
    expect(inked(700, 110, 1_100, 520)).toBeGreaterThan(30_000);
  });

  test('in German has German numbers and dates, and its text fits', async () => {
    const textOf = ({ boxes }: { boxes: LaidOutBox[] }) => boxes.map(({ textContent }) => textContent ?? '').join('|');
    const german = await drawn({ ...invite, language: 'de' });
    expect(textOf(german)).toContain('lädt dich ein');
    const claim = german.boxes.find(({ textContent }) => textContent === CARD_TEXTS.de.claim);
    expect((claim?.top ?? 0) + (claim?.height ?? 999)).toBeLessThanOrEqual(446);
    const rank = textOf(await drawn({ ...ranked, language: 'de' }));
    expect(rank).toContain('von 1.302 Minern');
    expect(rank).toContain('63.334,76');
    expect(rank).toContain('27. November 2026. Kontoalter 5,4 Jahre, Multiplikator ×3,5.');
  });

  test('uses only letters of its own font in its texts, in each language and month', () => {
    for (const language of CARD_LANGUAGES) {
      const t = CARD_TEXTS[language];
      const days = Array.from({ length: 12 }, (_, month) =>
        dayText(`2026-${String(month + 1).padStart(2, '0')}-01`, t),
      );
      const facts = days.map((day) => t.facts(day, 5.4, factorText('5.4', t), factorText(3.5, t)));
      const counted = [t.miners(1, '1'), t.miners(1_302, countText(1_302, t))];
      const all = [t.invites, t.claim, t.code, t.bonus, t.unranked, t.someone, t.earned, ...Object.values(t.rank)];
      const missing = [...[...all, ...facts, ...counted].join('')].filter((letter) => !OWN_LETTERS.includes(letter));
      expect([language, missing]).toEqual([language, []]);
    }
  });

  const NAMES = {
    Japanese: '田中さくら',
    Korean: '김민준',
    Arabic: 'محمد العربي',
    Devanagari: 'क्षत्रिय',
    emoji: '🚀👍🏽👩🏽‍🚀🇩🇪',
  };
  test.each(Object.entries(NAMES))('draws a name in %s', async (_script, name) => {
    const { inked } = await drawn({ ...invite, name });
    expect(inked(64, 152, 90, 188)).toBeGreaterThan(20);
  });

  test('starts a right-to-left name at the right, and cuts it at its end', async () => {
    for (const letter of ['א', 'م']) {
      const { inked } = await drawn({ ...ranked, name: letter.repeat(40) });
      // The dots of the ellipsis leave the upper half of their line free.
      expect([inked(775, 368, 797, 389), inked(1_003, 368, 1_025, 396) > 20]).toEqual([0, true]);
    }
  });

  test('has a font for every letter of these names, so that no empty box appears', async () => {
    const more = ['王小明简体', 'ישראל כהן', 'Иван Грозный', 'สมชาย', 'Ελένη', 'Jiří Dvořák', 'Nguyễn Thị Hằng'];
    for (const name of [...Object.values(NAMES), ...more])
      expect(await nameOnCard(name, async (character) => drawable(character, name))).toBe(name.replace(/🏽/gu, ''));
  });

  test('is drawn without rank and earnings, and with a name that no font has or that is only marks', async () => {
    const nothing = { rank: null, miners: 0, earnedMicro: '0', accountAge: 0, multiplierHundredths: 100 };
    for (const name of ['', '\u202e\u0000', '𒀀', 'Z̸̡̢͔̗̙͎͈̎̈́a̶l̷g̸o̵'])
      expect((await drawn({ ...ranked, ...nothing, name, adds: {} })).inked(64, 230, 600, 330)).toBeGreaterThan(1_000);
  });

  test('keeps all text inside, whatever the name and the figures', async () => {
    const anyName = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.string({ maxLength: 40 }),
      fc.constant('W'.repeat(40)),
    );
    const anyCard = fc.record({
      name: anyName,
      language: fc.constantFrom(...CARD_LANGUAGES),
      rank: fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 99_999_999 })),
      miners: fc.integer({ min: 0, max: 99_999_999 }),
      earnedMicro: fc.bigInt({ min: 0n, max: 99_999_999_999n * 1_000_000n }).map(String),
    });
    await fc.assert(
      fc.asyncProperty(anyCard, async (facts) => {
        for (const card of [
          { ...invite, name: facts.name, language: facts.language },
          { ...ranked, ...facts },
        ]) {
          const { boxes } = await drawn(card);
          const written = boxes.filter(({ textContent, left }) => textContent && left < 600);
          for (const { left, width } of written) expect(left + width).toBeLessThanOrEqual(660);
        }
      }),
      { numRuns: 4, seed: 20_261_127 },
    );
  });
});

describe('the text of a card', () => {
  const all = async (character: string) => character;

  test('has a name of at most 22 characters, without characters that turn or hide others', async () => {
    expect(await nameOnCard('the_very_long_discord_name_of_32', all)).toBe('the_very_long_discord…');
    expect(await nameOnCard('  Mara \n\u202eOkafor\u200b ', all)).toBe('Mara Okafor');
    expect(await nameOnCard('\ud800x', all)).toBe('x');
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 60 }), async (name) => {
        const shown = await nameOnCard(name, all);
        expect([...new Intl.Segmenter('en').segment(shown)].length).toBeLessThanOrEqual(CARD_NAME_MAX);
        expect(shown).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
      }),
      { numRuns: 30, seed: 20_261_127 },
    );
  });

  test('has an amount cut to two places, whose decimals set the hand of the dial', () => {
    const { en, de } = CARD_TEXTS;
    expect(amountText('63334769999', en)).toBe('63,334.76');
    expect(amountText('1063334769999', de)).toBe('1.063.334,76');
    expect(amountText('0', en)).toBe('0.00');
    expect(turnOfAmount('63334760000')).toBe(0.76);
    expect(countText(1_302_000, en)).toBe('1,302,000');
  });
});
