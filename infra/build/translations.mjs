import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { definedTexts, screenFiles, textFiles } from './texts-in-code.mjs';

/** Where a package has its languages besides English, each a file (shell/sdk, Texts). */
const fileOf = (dir, code) => path.join(dir, 'languages', `${code}.json`);

/** @param {string} root @returns {string[]} the codes of the languages besides English */
export function languages(root) {
  const files = readdirSync(path.join(root, 'shell/languages')).filter((name) => name.endsWith('.json'));
  return files.map((name) => path.basename(name, '.json'));
}

/**
 * All texts of a package in a language, by the name that they were defined with.
 * @param {string} root @param {string} dir of the package, relative to the root @param {string} code
 * @returns {Record<string, Record<string, string | Record<string, string>>>}
 */
export function translationsIn(root, dir, code) {
  return JSON.parse(readFileSync(path.join(root, fileOf(dir, code)), 'utf8'));
}

/**
 * What is wrong with the translations of a package.
 * @param {string} root @param {string} dir of the package, relative to the root @param {string} code
 * @returns {{texts: number, faults: string[]}} how many tables of texts it has
 */
export function faultsIn(root, dir, code) {
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

/** The name that texts are defined with. */
function nameOf(constant, source) {
  return new RegExp(`${constant}\\s*=\\s*defineTexts(?:<[^(]*>)?\\(\\s*'([^']+)'`).exec(source)?.[1];
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

/** How a service refuses (services/kit/problem.ts): the type of the problem, by which a page shows it in its language. */
const REFUSAL =
  /\b(?:(?:notFound|conflict|forbidden|refused|unavailable|notTaken)\(|new Problem\(\s*\d+,)\s*'([a-z-]+)'/g;

/** The types of every problem that a service writes out. @param {string} root @returns {string[]} */
export function refusalTypes(root) {
  const sources = screenFiles(root, 'services').map((file) => readFileSync(path.join(root, file), 'utf8'));
  return [...new Set(sources.flatMap((source) => [...source.matchAll(REFUSAL)].map(([, type]) => type)))].sort();
}

const valuesIn = (text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, value]) => value);
