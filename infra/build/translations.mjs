import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { definedTexts, screenFiles, textFiles } from './texts-in-code.mjs';

/** Where the shell keeps its languages, each a folder (shell/sdk, Texts). */
const LANGUAGES = 'shell/languages';

/** @param {string} root @returns {string[]} the codes of the languages besides English */
export function languages(root) {
  return readdirSync(path.join(root, LANGUAGES), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

/**
 * Every text in a language: where its translation stands, and what is wrong with it. The shell's stand in the folder of the
 * language under the name of the texts, a module's beside them.
 *
 * @param {string} root
 * @param {string} dir of the package, relative to the root
 * @param {string} code of the language
 * @returns {{file: string, faults: string[]}[]}
 */
export function translationsOf(root, dir, code) {
  const read = (file) => readFileSync(path.join(root, file), 'utf8');
  return textFiles(root, dir).flatMap((texts) =>
    [...definedTexts(texts, read(texts))]
      .filter(([, keys]) => keys.size > 0)
      .map(([constant, keys]) => {
        const name = new RegExp(`${constant}\\s*=\\s*defineTexts\\(\\s*'([^']+)'`).exec(read(texts))?.[1];
        const file = dir === 'shell' ? `${LANGUAGES}/${code}/${name}.json` : texts.replace(/\.ts$/, `.${code}.json`);
        if (!existsSync(path.join(root, file))) return { file, faults: ['is missing'] };
        const translation = JSON.parse(read(file));
        return { file, faults: [...missingKeys(keys, translation), ...translationFaults(keys, translation)] };
      }),
  );
}

/** @param {Map<string, string[]>} keys of the texts.ts @param {Record<string, unknown>} translation */
export function missingKeys(keys, translation) {
  return [...keys.keys()].filter((key) => !(key in translation)).map((key) => `${key}: not translated`);
}

/**
 * What is wrong with a translation: keys that are not there in English, or values that are not named alike.
 *
 * @param {Map<string, string[]>} keys of the texts.ts
 * @param {Record<string, string | Record<string, string>>} translation the JSON file
 */
export function translationFaults(keys, translation) {
  return Object.entries(translation).flatMap(([key, translated]) => {
    const english = keys.get(key);
    if (english === undefined) return [`${key}: no such text`];
    const known = new Set(english.flatMap(valuesIn));
    const forms = typeof translated === 'string' ? [translated] : Object.values(translated);
    return forms
      .flatMap(valuesIn)
      .filter((value) => !known.has(value) && value !== 'count')
      .map((value) => `${key}: {${value}} is not given`);
  });
}

/** How a service refuses (services/kit/problem.ts): the type of the problem, by which a page says it in its language. */
const REFUSAL =
  /\b(?:(?:notFound|conflict|forbidden|refused|unavailable|notTaken)\(|new Problem\(\s*\d+,)\s*'([a-z-]+)'/g;

/** The types of every problem that a service writes out. @param {string} root @returns {string[]} */
export function refusalTypes(root) {
  const sources = screenFiles(root, 'services').map((file) => readFileSync(path.join(root, file), 'utf8'));
  return [...new Set(sources.flatMap((source) => [...source.matchAll(REFUSAL)].map(([, type]) => type)))].sort();
}

const valuesIn = (text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, value]) => value);
