import { defineTexts, type TextsOf } from '@cord/sdk';

/**
 * What acts and their facts are called, by code, for languages that have it: English operators read the codes themselves, as
 * they are drawn (look-next.md, Operators' room).
 */
export const ACT_TEXTS = defineTexts<Record<string, string>>(
  'operators-acts',
  {},
  { de: () => import(/* webpackChunkName: "german" */ './act-texts.de.json') },
);

type Words = TextsOf<typeof ACT_TEXTS>;

/** An act by its code, as `user.cleared`; one that nobody has words for is its code. */
export function actName(words: Words, action: string): string {
  return words[action] ?? action;
}

/** One fact of a line, as `at: ledger`. */
export function factText(words: Words, name: string, value: unknown): string {
  return `${words[`fact.${name}`] ?? name}: ${factWord(words, String(value))}`;
}

/** What a fact says, by its code. */
export function factWord(words: Words, value: string): string {
  return words[`is.${value}`] ?? value;
}
