import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fontIn } from './font-files.js';

/** A file of a font that holds some of its letters. */
export interface Slice {
  /** `noto-sans-jp-12`: unique. */
  id: string;
  file: string;
  /** What its letters vary by: the CORD font has widths beside weights. */
  axes: readonly ('wght' | 'wdth')[];
  /** First and last code point of each range, in order. */
  ranges: readonly (readonly [number, number])[];
}

const require = createRequire(import.meta.url);

/** The CORD font, then what stands in for the letters that it lacks. Those of East Asia follow by the name's own script. */
const WESTERN = ['archivo', 'noto-sans', 'noto-sans-arabic', 'noto-sans-hebrew', 'noto-sans-thai'];
const JAPANESE = 'noto-sans-jp';
const KOREAN = 'noto-sans-kr';
const CHINESE = 'noto-sans-sc';
const EMOJI = 'noto-emoji';
/** All in one file, since emoji that stand side by side are drawn with one font. */
const EMOJI_FILE = '@fontsource/noto-emoji/files/noto-emoji-emoji-600-normal.woff2';

/** Joins and chooses forms; stands in no font by itself. */
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

/** `U+0100-02BA` as its first and last code point. */
function rangeOf(text: string): [number, number] {
  const [first = '', last = first] = text.replace('U+', '').split('-');
  return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
}

/** Families in the order in which they are searched for a name's letters. Han is drawn as in the language that the rest of the name is in. */
function familiesFor(name: string): string[] {
  const eastern = /\p{Script=Hangul}/u.test(name)
    ? [KOREAN, JAPANESE, CHINESE]
    : /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(name)
      ? [JAPANESE, CHINESE, KOREAN]
      : [CHINESE, JAPANESE, KOREAN];
  return [...WESTERN, ...eastern, EMOJI];
}

/** The letters of a character that a font must have. */
const lettersOf = (character: string) => [...character].filter((letter) => !JOINERS.test(letter));

/** Whether a slice claims to have a letter; some claim letters that they lack. */
function promises({ ranges }: Slice, letter: string): boolean {
  const point = letter.codePointAt(0) ?? 0;
  return ranges.some(([first, last]) => first <= point && point <= last);
}

/** The first slice that has all of a character, so that its parts may join; null where none has. */
async function sliceOf(character: string, name: string): Promise<Slice | null> {
  const letters = lettersOf(character);
  const families = EMOJI_FIRST.test(character) ? [EMOJI, ...familiesFor(name)] : familiesFor(name);
  for (const family of families)
    for (const slice of slicesOf(family))
      if (letters.every((letter) => promises(slice, letter)) && (await hasAll(slice, letters))) return slice;
  return null;
}

async function hasAll({ file }: Slice, letters: readonly string[]): Promise<boolean> {
  const { points } = await fontIn(file);
  return letters.every((letter) => points.has(letter.codePointAt(0) ?? 0));
}

/** A character as it can be drawn: its first letter alone where no font has all of it; '' where none has that either. */
export async function drawable(character: string, name: string): Promise<string> {
  const [first = ''] = character;
  if ((await sliceOf(character, name)) !== null) return character;
  return first !== '' && (await sliceOf(first, name)) !== null ? first : '';
}

/** The slices that a text needs, each with its letters, in the order in which they come. */
export async function slicesFor(text: string): Promise<Map<Slice, string>> {
  const needed = new Map<Slice, string>();
  for (const { segment } of charactersOf(text)) {
    const slice = await sliceOf(segment, text);
    if (slice) needed.set(slice, (needed.get(slice) ?? '') + segment);
  }
  return needed;
}

/** What a reader counts as one: a letter with its marks, an emoji with its tone. */
export function charactersOf(text: string): Iterable<{ segment: string }> {
  return characters.segment(text);
}
