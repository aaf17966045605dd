import type { LANGUAGES } from '.';

export interface LanguageName {
  /** What speakers call it. */
  name: string;
  /** "complete" in itself: a language that lacks a text is not built (infra/build/translations.mjs), so that no other share can be true. */
  complete: string;
}

/** Every language that there is, as its speakers read it. */
export const LANGUAGE_NAMES: Readonly<Record<'en' | keyof typeof LANGUAGES, LanguageName>> = {
  en: { name: 'English', complete: 'complete' },
  de: { name: 'Deutsch', complete: 'vollständig' },
};
