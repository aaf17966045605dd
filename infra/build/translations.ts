import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { definedTexts, screenFiles, textFiles } from './texts-in-code.ts';

/** Path of a package's translation into a language other than English (shell/sdk, Texts). */
const fileOf = (dir: string, code: string) => path.join(dir, 'languages', `${code}.json`);

/** @returns the codes of the languages besides English */
export function languages(root: string): string[] {
  const files = readdirSync(path.join(root, 'shell/languages')).filter((name) => name.endsWith('.json'));
  return files.map((name) => path.basename(name, '.json'));
}

/** Texts of a table in a language, by key; for plurals, one text per form. */
type Translation = Record<string, string | Record<string, string>>;

/**
 * Returns all texts of a package in a language, by the name of their definition.
 * @param dir of the package, relative to the root
 */
export function translationsIn(root: string, dir: string, code: string): Record<string, Translation> {
  return JSON.parse(readFileSync(path.join(root, fileOf(dir, code)), 'utf8'));
}

/**
 * Finds errors in the translations of a package.
 * @param dir of the package, relative to the root
 * @returns the number of its text tables, and one line per fault
 */
export function faultsIn(root: string, dir: string, code: string): { texts: number; faults: string[] } {
  const translations = translationsIn(root, dir, code);
  const tables = textFiles(root, dir).flatMap((file) => {
    const source = readFileSync(path.join(root, file), 'utf8');
    return [...definedTexts(file, source)].map(([constant, keys]) => ({ name: nameOf(constant, source), keys }));
  });
  const faults = tables
    .filter(({ keys }) => keys.size > 0)
    .flatMap(({ name, keys }) => {
      const translation = translations[name];
      if (translation === undefined) return [`${name} is missing`];
      return [...missingKeys(keys, translation), ...translationFaults(keys, translation)].map(
        (fault) => `${name} ${fault}`,
      );
    });
  return { texts: tables.length, faults: faults.map((fault) => `${fileOf(dir, code)} ${fault}`) };
}

/** Returns the name in a text definition. */
function nameOf(constant: string, source: string): string {
  return new RegExp(`${constant}\\s*=\\s*defineTexts(?:<[^(]*>)?\\(\\s*'([^']+)'`).exec(source)?.[1] ?? constant;
}

/** @param keys of the texts.ts */
export function missingKeys(keys: ReadonlyMap<string, readonly string[]>, translation: Translation): string[] {
  return [...keys.keys()].filter((key) => !(key in translation)).map((key) => `${key}: not translated`);
}

/**
 * Finds errors in a translation: keys that English lacks, or different value names.
 * @param keys of the texts.ts
 */
export function translationFaults(keys: ReadonlyMap<string, readonly string[]>, translation: Translation): string[] {
  return Object.entries(translation).flatMap(([key, translated]) => {
    const english = keys.get(key);
    if (english === undefined) return [`${key}: unknown text`];
    const known = new Set(english.flatMap(valuesIn));
    const forms = typeof translated === 'string' ? [translated] : Object.values(translated);
    return forms
      .flatMap(valuesIn)
      .filter((value) => !known.has(value) && value !== 'count')
      .map((value) => `${key}: unknown value {${value}}`);
  });
}

/** Matches a service's refusal (services/kit/problem.ts); a page translates it by the problem type. */
const REFUSAL =
  /\b(?:(?:notFound|conflict|forbidden|refused|unavailable|notTaken)\(|new Problem\(\s*\d+,)\s*'([a-z-]+)'/g;

/** Returns all problem types in the sources of services. */
export function refusalTypes(root: string): string[] {
  const sources = screenFiles(root, 'services').map((file) => readFileSync(path.join(root, file), 'utf8'));
  return [...new Set(sources.flatMap((source) => [...source.matchAll(REFUSAL)].map(([, type = '']) => type)))].sort();
}

const valuesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, value = '']) => value);
