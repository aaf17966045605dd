import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fontIn } from './font-files.js';

/** A font file with some of its letters. */
export interface Slice {
  /** `noto-sans-jp-12`: unique. */
  id: string;
  file: string;
  /** Variable axes: the CORD font has width beside weight. */
  axes: readonly ('wght' | 'wdth')[];
  /** First and last code point of each range, in order. */
  ranges: readonly (readonly [number, number])[];
}

const require = createRequire(import.meta.url);

/** The CORD font, then the fallbacks for letters that it lacks. East Asian fonts are added by the name's own script. */
const WESTERN = ['archivo', 'noto-sans', 'noto-sans-arabic', 'noto-sans-hebrew', 'noto-sans-thai'];
const JAPANESE = 'noto-sans-jp';
const KOREAN = 'noto-sans-kr';
const CHINESE = 'noto-sans-sc';
const EMOJI = 'noto-emoji';
/** One file, since adjacent emoji are drawn with one font. */
const EMOJI_FILE = '@fontsource/noto-emoji/files/noto-emoji-emoji-600-normal.woff2';

/** Join letters or select variants; no font has them as glyphs. */
const JOINERS = /^(?:\u200c|\u200d|\ufe0e|\ufe0f)$/;
const EMOJI_FIRST = /\p{Emoji_Presentation}|\p{Emoji}\ufe0f/u;

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The slices of each family, read once: 2 ms and some 200 KB. */
const read = new Map<string, Slice[]>([
  [EMOJI, [{ id: EMOJI, file: require.resolve(EMOJI_FILE), axes: [], ranges: [[0, 0x10ffff]] }]],
]);

function slicesOf(family: string): Slice[] {
  const known = read.get(family);
  if (known) return known;
  const axes = family === 'archivo' ? (['wght', 'wdth'] as const) : (['wght'] as const);
  const listed = require.resolve(`@fontsource-variable/${family}/unicode.json`);
  const slices = Object.entries(JSON.parse(readFileSync(listed, 'utf8')) as Record<string, string>).map(
    ([key, ranges]) => {
      const id = `${family}-${key.replace(/[[\]]/g, '')}`;
      const name = `${id}-${axes.at(-1)}-normal.woff2`;
      const file = require.resolve(`@fontsource-variable/${family}/files/${name}`);
      return { id, file, axes, ranges: ranges.split(',').map(rangeOf) };
    },
  );
  read.set(family, slices);
  return slices;
}

/** Reads `U+0100-02BA` as its first and last code point. */
function rangeOf(text: string): [number, number] {
  const [first = '', last = first] = text.replace('U+', '').split('-');
  return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
}

/** Returns the families in the order in which they are searched. Han is drawn in the style of the language of the name's other letters. */
function familiesFor(name: string): string[] {
  const eastern = /\p{Script=Hangul}/u.test(name)
    ? [KOREAN, JAPANESE, CHINESE]
    : /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(name)
      ? [JAPANESE, CHINESE, KOREAN]
      : [CHINESE, JAPANESE, KOREAN];
  return [...WESTERN, ...eastern, EMOJI];
}

/** Returns the letters of a character that a font must have. */
const lettersOf = (character: string) => [...character].filter((letter) => !JOINERS.test(letter));

/** Returns whether a slice's ranges include a letter; some include letters that the file lacks. */
function covers({ ranges }: Slice, letter: string): boolean {
  const point = letter.codePointAt(0) ?? 0;
  return ranges.some(([first, last]) => first <= point && point <= last);
}

/** Returns the first slice with all letters of a character, so that they can join; null without one. */
async function sliceOf(character: string, name: string): Promise<Slice | null> {
  const letters = lettersOf(character);
  const families = EMOJI_FIRST.test(character) ? [EMOJI, ...familiesFor(name)] : familiesFor(name);
  for (const family of families)
    for (const slice of slicesOf(family))
      if (letters.every((letter) => covers(slice, letter)) && (await hasAll(slice, letters))) return slice;
  return null;
}

async function hasAll({ file }: Slice, letters: readonly string[]): Promise<boolean> {
  const { points } = await fontIn(file);
  return letters.every((letter) => points.has(letter.codePointAt(0) ?? 0));
}

/** Returns a drawable form of a character: only its first letter when no font has all of it; '' when none has that either. */
export async function drawable(character: string, name: string): Promise<string> {
  const [first = ''] = character;
  if ((await sliceOf(character, name)) !== null) return character;
  return first !== '' && (await sliceOf(first, name)) !== null ? first : '';
}

/** Returns the slices that a text needs, each with its letters, in order of appearance. */
export async function slicesFor(text: string): Promise<Map<Slice, string>> {
  const needed = new Map<Slice, string>();
  for (const { segment } of charactersOf(text)) {
    const slice = await sliceOf(segment, text);
    if (slice) needed.set(slice, (needed.get(slice) ?? '') + segment);
  }
  return needed;
}

/** Splits a text into what a reader counts as characters: a letter with its marks, an emoji with its tone. */
export function charactersOf(text: string): Iterable<{ segment: string }> {
  return characters.segment(text);
}
