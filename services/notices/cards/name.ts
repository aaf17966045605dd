import { CARD_NAME_MAX } from '@cord/contracts/drawing/card';
import { charactersOf } from './scripts.js';

/** Marks on one letter, at the most: more of them would grow over what stands above and below. */
const MARKS_MAX = 3;
/** What is no letter: controls, what turns the direction of others, what is assigned to nothing. Joiners and the forms of emoji stay. */
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\ufffd\u2800\u3164\uffa0]/gu;

/**
 * A name as a card shows it: at most 22 characters, the last an ellipsis where it is longer. What cannot be drawn is left out, so
 * that no empty box stands for it.
 * @param drawable a character in the form that there is a font for; '' where there is none
 * @returns '' where nothing of it is left
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

/** Without more marks than fit, and without the tone of a skin, which emoji of one colour have not. */
function plain(character: string): string {
  let marks = 0;
  return [...character.replace(/\p{Emoji_Modifier}/gu, '')]
    .filter((letter) => !/\p{M}/u.test(letter) || ++marks <= MARKS_MAX)
    .join('');
}
