import { LIKE_BROWSER } from '@cord/contracts/rules/locale';
import { createI18n, type Messages, type TranslationFunction, transform } from '@nanostores/i18n';
import { atom, type ReadableAtom } from 'nanostores';
import { createElement, type ReactNode } from 'react';
import { englishDates } from './date-names';
import { type Store, useStore } from './store';

/** The language of the texts in the code; every other is loaded when a user has it. */
const BASE_LANGUAGE = 'en';

/** How English texts write dates and numbers: day before month, 24 hours (the visual language, Numbers). */
const BASE_FORMATS = 'en-GB';

type Body = Record<string, string | TranslationFunction>;
type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };
type Written = string | Forms;
type Values = Record<string, string | number>;

/** The parameters that a text names in braces. */
type ValuesOf<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? { [K in Name]: string | number } & ValuesOf<Rest>
  : unknown;

/** The texts of one module, in the language of the moment: `useTexts(texts)` in components, `texts.get()` elsewhere. */
export type Texts<B extends Body> = Messages<B>;

/** What `useTexts` gives, for functions that are handed the texts. */
export type TextsOf<T> = T extends Messages<infer B> ? B : never;

/** A language of a package, in one file: the translations of its texts, each under the name that it was defined with. */
type Translations = { default: Record<string, Record<string, Written>> };

/** Loads a language of a package; where the package has none of it there is nothing, or the promise rejects. */
type LoadLanguage = (code: string) => Promise<Translations> | undefined;

/** The languages that there are besides English, with the shell's own texts. */
type Languages = Record<string, { load: () => Promise<Translations> }>;

const language = atom(BASE_LANGUAGE);
const formats = atom(BASE_FORMATS);
const loaders = new Map<string, (code: string) => Promise<object | undefined>>();
let wanted: string | null = null;
let languages: Languages = {};

/** The language of the texts, for the page's `lang`. */
export const textLanguage: ReadableAtom<string> = language;

/** The locale that numbers and dates are written in; always of the language of the texts, so that no sentence mixes two. */
export const formatLocale: ReadableAtom<string> = formats;

/** Follows the user's record; null or undetermined is the browser's language, and a language nobody has translated is English. */
export function setLocale(locale: string | null): void {
  wanted = locale;
  const chosen = locale === null || locale === LIKE_BROWSER ? browserLocale() : locale;
  const tag = isLocale(chosen) ? chosen : BASE_LANGUAGE;
  const code = primary(tag);
  const known = code in languages;
  language.set(known ? code : BASE_LANGUAGE);
  formats.set(known || (code === BASE_LANGUAGE && tag.length > code.length) ? tag : BASE_FORMATS);
}

/** Follows who is signed in. A session that ends by itself leaves the language: the same person comes back. */
export function followLocale(state: Store<{ user: { locale: string } | null }>): void {
  state.listen(() => {
    const { user } = state.get();
    if (user !== null) setLocale(user.locale);
  });
}

/** The first language of the browser that there is here; of the English ones no other than this house's own. */
function browserLocale(): string {
  // Texts are also read where there is no page.
  const tags = globalThis.navigator?.languages ?? [];
  const tag = tags.find((each) => primary(each) === BASE_LANGUAGE || primary(each) in languages) ?? BASE_LANGUAGE;
  return primary(tag) === BASE_LANGUAGE ? BASE_LANGUAGE : tag;
}

function primary(tag: string): string {
  return tag.split('-')[0] ?? BASE_LANGUAGE;
}

/** A record may hold a tag that looks right and that Intl refuses. */
function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

const i18n = createI18n(language, {
  baseLocale: BASE_LANGUAGE,
  // A translation that is missing or does not come leaves the English texts standing.
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
 * Sets the languages that there are, with the translations of the shell.
 * @param locale what is wanted until the user's record shows it
 */
export function translate(by: Languages, locale: string | null = wanted): void {
  languages = by;
  // What came of others is not theirs.
  for (const code of Object.keys(i18n.cache)) if (code !== BASE_LANGUAGE) delete i18n.cache[code];
  setLocale(locale);
}

/** Resolves once no text waits for its translation any more, after `withinMs` at the latest; the English stands until it comes. At once in English. */
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
 * The texts of a module, each under its key: a string, `params('{amount} CORD earned')` or
 * `plural({ one: '1 friend', other: '{count} friends' })`.
 *
 * @param name under which a language has their translations
 * @param load the language of a module; left out, the shell's
 */
export function defineTexts<B extends Body>(
  name: string,
  base: B,
  load: LoadLanguage = (code) => languages[code]?.load(),
): Texts<B> {
  // Numbered: two builds of a module may meet in one page, and each keeps its own texts.
  const id = `${name}.${loaders.size + 1}`;
  loaders.set(id, async (code) => (await load(code))?.default[name]);
  const texts = i18n(id, base);
  // A store that nobody listens to is made ready for each look at it, by a timer of its own: a page reads its texts before it listens.
  texts.listen(() => undefined);
  return texts;
}

/** The texts in the language of the moment, kept current. */
export function useTexts<B extends Body>(texts: Texts<B>): B {
  return useStore(texts);
}

/**
 * A text with values in it: `params('{amount} CORD')` is called as `t.key({ amount })`. Numbers are written by the locale.
 * The library's own `params` reads `$&` in a value as a pattern and a brace in one as a parameter; names of users have both.
 */
export function params<Text extends string>(text: Text): TranslationFunction<[values: ValuesOf<Text>], string> {
  return transform((_code, translated: Written, values: ValuesOf<Text>) =>
    fill(formOf(translated, 'other'), values as Values),
  )(text);
}

/** A text that counts: `t.key({ count: 3 })` takes the form that the language has for 3. */
export function plural<One extends string, Other extends string>(forms: {
  one: One;
  other: Other;
}): TranslationFunction<[values: { count: number } & ValuesOf<One> & ValuesOf<Other>], string> {
  return transform((code, translated: Written, values: Values) => {
    // A text without a translation counts in English.
    const rules = new Intl.PluralRules(translated === forms ? BASE_LANGUAGE : code);
    return fill(formOf(translated, rules.select(Number(values.count))), values);
  })(forms);
}

/** A translation may count where English does not, and the other way round. */
function formOf(written: Written, form: Intl.LDMLPluralRule): string {
  return typeof written === 'string' ? written : (written[form] ?? written.other);
}

/** Letters that are read from the right. */
const FROM_THE_RIGHT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** A name that is read from the right in marks that keep it together: the signs beside it would go to its other end. */
const isolated = (value: string) => (FROM_THE_RIGHT.test(value) ? `\u2068${value}\u2069` : value);

function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name] ?? whole;
    if (typeof value === 'string') return isolated(value);
    const plain = String(value);
    // English writes so few characters as they are; for all else a browser reads its rules, which takes a phone 60 ms.
    return plain.length < 4 && formats.get() === BASE_FORMATS ? plain : value.toLocaleString(formats.get());
  });
}

/**
 * A text with elements in the place of its braces: `withNodes(t.gone, { amount: <strong>{amount}</strong> })`. Each is isolated, for it
 * may be a name that is read from the right.
 */
export function withNodes(text: string, nodes: Record<string, ReactNode>): ReactNode {
  return text
    .split(/\{(\w+)\}/)
    .map((piece, index) =>
      index % 2 === 0 ? piece : createElement('bdi', { key: `${index} ${piece}` }, nodes[piece]),
    );
}

/** A date that is not known, as the design system writes every number that is not. */
const UNKNOWN_DATE = '–';

/** Dates written as `options` require, in the locale of the moment; one that is not known or cannot be read is an en dash. */
export function dateFormat(options: Intl.DateTimeFormatOptions): { format(date: number | Date): string } {
  let made = { locale: '', format: (_date: number | Date) => '' };
  return {
    format(date) {
      // Intl throws here, and an answer of an older service may be without the field.
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
