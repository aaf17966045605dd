/** Background and letter colours, with a contrast of at least 7.2:1 (the visual language, Colour tokens). */
export interface AvatarColours {
  fill: string;
  ink: string;
}

const PALETTES: readonly AvatarColours[] = [
  { fill: '#2f4a5c', ink: '#cfe6f7' },
  { fill: '#5a3b2a', ink: '#f7dcc8' },
  { fill: '#2e5140', ink: '#cff2df' },
  { fill: '#5b2f45', ink: '#f9d2e3' },
  { fill: '#4b4a24', ink: '#f1edc0' },
  { fill: '#3b3f46', ink: '#e3e7ec' },
];

/** Returns the first letters of a name's first two words, or of its only word. Diacritics are removed. */
export function initials(name: string): string {
  const words = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    // Recomposes Hangul syllables, which NFD split.
    .normalize('NFC')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  const [first, second] = words;
  if (first === undefined) return '?';
  const letters = second === undefined ? [...first][0] : `${[...first][0]}${[...second][0]}`;
  return (letters ?? '?').toUpperCase();
}

/** The same name always gets the same colours. */
export function avatarColours(name: string): AvatarColours {
  let hash = 7;
  for (const char of name) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) >>> 0;
  return PALETTES[hash % PALETTES.length] as AvatarColours;
}
