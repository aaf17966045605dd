import type { LANGUAGES } from '.';

/** What speakers call each language. */
export const LANGUAGE_NAMES: Readonly<Record<'en' | keyof typeof LANGUAGES, string>> = { en: 'English', de: 'Deutsch' };
