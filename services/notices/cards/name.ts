import { CARD_NAME_MAX } from '@cord/contracts/drawing/card';
import { charactersOf } from './scripts.js';

/** Maximum number of marks on one letter: more would overlap the lines above and below. */
const MARKS_MAX = 3;
/** Invisible characters: controls, direction marks, unassigned ones. Joiners and emoji variants stay. */
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\ufffd\u2800\u3164\uffa0]/gu;

/**
 * Returns a name for a card: at most 22 characters, with a final ellipsis when it is longer. Characters without a font
 * are left out, so that no empty box is drawn.
 * @param drawable returns a character in the form that a font has; '' without one
 * @returns '' when nothing is left
 */
export async function nameOnCard(given: string, drawable: (character: string) => Promise<string>): Promise<string> {
  const clean = given.normalize('NFC').replace(/\s+/gu, ' ').replace(UNSEEN, '');
  const drawn: string[] = [];
  for (const { segment } of charactersOf(clean)) {
    if (drawn.length > CARD_NAME_MAX) break;
    const character = await drawable(plain(segment));
    if (character !== '') drawn.push(character);
  }
  const name = drawn.join('').replace(/ +/g, ' ').trim();
  const left = [...charactersOf(name)].map(({ segment }) => segment);
  if (left.length <= CARD_NAME_MAX) return name;
  return `${left
    .slice(0, CARD_NAME_MAX - 1)
    .join('')
    .trimEnd()}…`;
}

/** Removes excess marks, and skin tones, which single-colour emoji lack. */
function plain(character: string): string {
  let marks = 0;
  return [...character.replace(/\p{Emoji_Modifier}/gu, '')]
    .filter((letter) => !/\p{M}/u.test(letter) || ++marks <= MARKS_MAX)
    .join('');
}
