import { LIKE_BROWSER } from '@cord/contracts/rules/locale';
import { createI18n, type Messages, type TranslationFunction, transform } from '@nanostores/i18n';
import { atom, type ReadableAtom } from 'nanostores';
import { createElement, type ReactNode } from 'react';
import { englishDates } from './date-names';
import { type Store, useStore } from './store';

/** Language of the texts in the code; other languages are loaded for users who have them. */
const BASE_LANGUAGE = 'en';

/** Date and number format of English texts: day before month, 24 hours (the visual language, Numbers). */
const BASE_FORMATS = 'en-GB';

type Body = Record<string, string | TranslationFunction>;
type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };
type Written = string | Forms;
type Values = Record<string, string | number>;

/** Parameters that a text names in braces. */
type ValuesOf<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? { [K in Name]: string | number } & ValuesOf<Rest>
  : unknown;

/** Texts of one module in the current language: `useTexts(texts)` in components, `texts.get()` elsewhere. */
export type Texts<B extends Body> = Messages<B>;

/** Result type of `useTexts`, for functions that receive the texts. */
export type TextsOf<T> = T extends Messages<infer B> ? B : never;

/** One language of a package, in one file: the translations of its texts by the name of their definition. */
type Translations = { default: Record<string, Record<string, Written>> };

/** Loads a language of a package; undefined or a rejection means that the package has no translation. */
type LoadLanguage = (code: string) => Promise<Translations> | undefined;

/** The languages besides English, with the shell's own texts. */
type Languages = Record<string, { load: () => Promise<Translations> }>;

const language = atom(BASE_LANGUAGE);
const formats = atom(BASE_FORMATS);
const loaders = new Map<string, (code: string) => Promise<object | undefined>>();
let wanted: string | null = null;
let languages: Languages = {};

/** Language of the texts, for the page's `lang`. */
export const textLanguage: ReadableAtom<string> = language;

/** Locale of numbers and dates; always in the language of the texts, so that no sentence mixes two. */
export const formatLocale: ReadableAtom<string> = formats;

/** Sets the locale of the user's record. Null or undetermined selects the browser's language; a language without translation becomes English. */
export function setLocale(locale: string | null): void {
  wanted = locale;
  const chosen = locale === null || locale === LIKE_BROWSER ? browserLocale() : locale;
  const tag = isLocale(chosen) ? chosen : BASE_LANGUAGE;
  const code = primary(tag);
  const known = code in languages;
  language.set(known ? code : BASE_LANGUAGE);
  formats.set(known || (code === BASE_LANGUAGE && tag.length > code.length) ? tag : BASE_FORMATS);
}

/** Follows the signed-in user's locale. An expired session keeps the language, since the same person returns. */
export function followLocale(state: Store<{ user: { locale: string } | null }>): void {
  state.listen(() => {
    const { user } = state.get();
    if (user !== null) setLocale(user.locale);
  });
}

/** Returns the browser's first available language. Any English becomes the base language. */
function browserLocale(): string {
  // `navigator` is missing outside of a page.
  const tags = globalThis.navigator?.languages ?? [];
  const tag = tags.find((each) => primary(each) === BASE_LANGUAGE || primary(each) in languages) ?? BASE_LANGUAGE;
  return primary(tag) === BASE_LANGUAGE ? BASE_LANGUAGE : tag;
}

function primary(tag: string): string {
  return tag.split('-')[0] ?? BASE_LANGUAGE;
}

/** A record may hold a well-formed tag that Intl rejects. */
function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

const i18n = createI18n(language, {
  baseLocale: BASE_LANGUAGE,
  // English texts remain when a translation is missing or does not load.
  get: (code: string, ids: string[]) =>
    Promise.all(
      ids.map(async (id) => ({
        [id]: ((await loaders
          .get(id)?.(code)
          .catch(() => null)) ?? {}) as Record<string, string>,
      })),
    ),
});

/**
 * Sets the available languages, with the translations of the shell.
 * @param locale used until the user's record provides one
 */
export function translate(by: Languages, locale: string | null = wanted): void {
  languages = by;
  // Cached translations of the previous languages are discarded.
  for (const code of Object.keys(i18n.cache)) if (code !== BASE_LANGUAGE) delete i18n.cache[code];
  setLocale(locale);
}

/** Resolves when no text waits for its translation, or after `withinMs`; English is shown until then. Immediate in English. */
export function textsReady(withinMs: number): Promise<void> {
  const { loading } = i18n;
  if (!loading.get()) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      stop();
      resolve();
    };
    const timer = setTimeout(end, withinMs);
    const stop = loading.listen((still) => still || end());
  });
}

/**
 * Defines the texts of a module, each under its key: a string, `params('{amount} CORD earned')` or `plural({ one: '1
 * friend', other: '{count} friends' })`.
 *
 * @param name key of their translations in a language
 * @param load loads a language of the module; the shell's by default
 */
export function defineTexts<B extends Body>(
  name: string,
  base: B,
  load: LoadLanguage = (code) => languages[code]?.load(),
): Texts<B> {
  // Numbered, because two builds of a module may run in one page and each keeps its own texts.
  const id = `${name}.${loaders.size + 1}`;
  loaders.set(id, async (code) => (await load(code))?.default[name]);
  const texts = i18n(id, base);
  // Without a listener each read would mount the store again, with its own timer; a page reads its texts before it listens.
  texts.listen(() => undefined);
  return texts;
}

/** Returns the texts in the current language and follows its changes. */
export function useTexts<B extends Body>(texts: Texts<B>): B {
  return useStore(texts);
}

/**
 * A text with values: `params('{amount} CORD')` is called as `t.key({ amount })`. Numbers are formatted by the
 * locale. The library's own `params` interprets `$&` and braces in values; user names contain both.
 */
export function params<Text extends string>(text: Text): TranslationFunction<[values: ValuesOf<Text>], string> {
  return transform((_code, translated: Written, values: ValuesOf<Text>) =>
    fill(formOf(translated, 'other'), values as Values),
  )(text);
}

/** A text with a count: `t.key({ count: 3 })` uses the plural form of the language for 3. */
export function plural<One extends string, Other extends string>(forms: {
  one: One;
  other: Other;
}): TranslationFunction<[values: { count: number } & ValuesOf<One> & ValuesOf<Other>], string> {
  return transform((code, translated: Written, values: Values) => {
    // A text without a translation uses the English plural rules.
    const rules = new Intl.PluralRules(translated === forms ? BASE_LANGUAGE : code);
    return fill(formOf(translated, rules.select(Number(values.count))), values);
  })(forms);
}

/** A translation may have plural forms where English has none, and vice versa. */
function formOf(written: Written, form: Intl.LDMLPluralRule): string {
  return typeof written === 'string' ? written : (written[form] ?? written.other);
}

/** Letters of right-to-left scripts. */
const FROM_THE_RIGHT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Isolates a right-to-left name, so that neighbouring punctuation stays in place. */
const isolated = (value: string) => (FROM_THE_RIGHT.test(value) ? `\u2068${value}\u2069` : value);

function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name] ?? whole;
    if (typeof value === 'string') return isolated(value);
    const plain = String(value);
    // A short English number needs no formatting; loading the locale rules takes a phone 60 ms.
    return plain.length < 4 && formats.get() === BASE_FORMATS ? plain : value.toLocaleString(formats.get());
  });
}

/**
 * Replaces the braces of a text by elements: `withNodes(t.gone, { amount: <strong>{amount}</strong> })`. Each element
 * is isolated, since it may be a right-to-left name.
 */
export function withNodes(text: string, nodes: Record<string, ReactNode>): ReactNode {
  return text
    .split(/\{(\w+)\}/)
    .map((piece, index) =>
      index % 2 === 0 ? piece : createElement('bdi', { key: `${index} ${piece}` }, nodes[piece]),
    );
}

/** Placeholder of an unknown date, as the design system writes unknown numbers. */
const UNKNOWN_DATE = '–';

/** Formats dates by `options` in the current locale; an unknown or invalid date is an en dash. */
export function dateFormat(options: Intl.DateTimeFormatOptions): { format(date: number | Date): string } {
  let made = { locale: '', format: (_date: number | Date) => '' };
  return {
    format(date) {
      // Intl throws on an invalid date, and an older service may omit the field.
      if (Number.isNaN(new Date(date).getTime())) return UNKNOWN_DATE;
      const locale = formats.get();
      if (made.locale !== locale) {
        const byHand = locale === BASE_FORMATS ? englishDates(options) : null;
        const format = byHand
          ? (at: number | Date) => byHand(new Date(at))
          : new Intl.DateTimeFormat(locale, options).format;
        made = { locale, format };
      }
      return made.format(date);
    },
  };
}
