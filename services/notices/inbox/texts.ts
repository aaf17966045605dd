import type { NoticeTexts } from './text-table.js';
import { GERMAN } from './texts.de.js';
import { ENGLISH } from './texts.en.js';

const LANGUAGES: Readonly<Record<string, NoticeTexts>> = { en: ENGLISH, de: GERMAN };

/** The languages of notices besides English. */
export const NOTICE_LANGUAGES: readonly string[] = Object.keys(LANGUAGES).filter((code) => code !== 'en');

/** @param language from a user's record or a browser, `de` or `de-AT`; English when it is not translated */
export function textsIn(language: string | undefined): NoticeTexts {
  return LANGUAGES[language?.split('-')[0] ?? ''] ?? ENGLISH;
}
