import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/**
 * Files whose strings nobody reads: texts themselves, tests, stories, and what only those use; what a service says of its
 * variables, to whoever starts it.
 */
const SKIPPED =
  /(^|[/-])texts(\.[a-z]{2})?\.ts$|\/ui\/words\.ts$|\/date-words\.ts$|\.(test|stories)\.tsx?$|\.(fixtures|stage)\.tsx?$|\.d\.ts$|^services\/[\w-]+\/config\.ts$/;
const SKIPPED_FOLDERS = new Set(['node_modules', 'dist', 'test', 'testing', 'gallery']);

/** What a reader would take for words: a capital letter at its start, or two words in a row. */
const READS_AS_WORDS = /^[^\p{L}]*\p{Lu}\p{Ll}|\p{Ll}{2,}[.,:;!?…]? \p{L}{2,}/u;

/** Words between two values of a template: `${rank} of ${miners}`. */
const JOINS_VALUES = /… \p{Ll}{2,}/u;

/** A number with its sign in a sentence, which each language writes otherwise: `${share}% of it`, `×${factor}`. */
const WRITES_A_NUMBER = /×…|…\s?%[\s.,;:]/u;

/** Selectors, media queries, lengths, cookies, headers, names of errors. */
const FOR_MACHINES = /[=[\]]|^\(|^#|^\w+Error$|^\d+px |^no-store, |^event: /;

/**
 * Calls of a service whose strings no user reads: lines of its log, and names of what it does in turn, keeps sealed or ends.
 * What it refuses a page says by the type of the problem, in its language (translations.mjs, `refusalTypes`).
 */
const CALLS_NOT_READ =
  /(^|\.)(badInput|notFound|conflict|refused|unavailable|log\.(debug|info|warn|error)|shutdown\.on|createSeal|documentSchema)$/;

/** Names of things and units, the same in every language; of keys, as they stand on them and as a browser says them. */
const NAMES = new Set([
  'CORD',
  'Esc',
  'Escape',
  'Discord',
  'English',
  'Deutsch',
  'Twitter',
  'Telegram',
  'WhatsApp',
  'Phantom',
  'Solflare',
  'Backpack',
  'Mobile Wallet Adapter',
  'Remote Mobile Wallet Adapter',
  '\u2026 min',
]);

/** Attributes and properties that a browser or a library reads, not a person. */
const NOT_READ = new Set(['className', 'data-testid', 'testId', 'rel', 'viewBox', 'd', 'timeZone', 'queryKey', 'key']);

/**
 * The strings of a source file that a user could read and that do not come from a texts.ts.
 *
 * @param {string} name the file, for the message and its syntax
 * @returns {{ line: number, text: string }[]}
 */
export function literalTexts(name, source) {
  const kind = name.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.ES2022, true, kind);
  const found = [];
  const visit = (node) => {
    if (isNotRead(node)) return;
    const text = textOf(node);
    if (text !== null && isWords(text, ts.isJsxText(node))) {
      found.push({ line: file.getLineAndCharacterOfPosition(node.getStart()).line + 1, text: text.trim() });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function textOf(node) {
  if (ts.isJsxText(node) || ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    return node.head.text + node.templateSpans.map(({ literal }) => `\u2026${literal.text}`).join('');
  }
  return null;
}

/** Text between tags is read whatever it is, were it one letter; a string only if it reads as words. */
function isWords(text, betweenTags) {
  const trimmed = text.replace(/\s+/g, ' ').trim();
  if (NAMES.has(trimmed) || FOR_MACHINES.test(trimmed)) return false;
  if (betweenTags) return /\p{L}/u.test(trimmed);
  return [READS_AS_WORDS, JOINS_VALUES, WRITES_A_NUMBER].some((form) => form.test(trimmed));
}

/** Types, imports, names of properties, messages of errors for developers, and what a browser reads. */
function isNotRead(node) {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return true;
  if (ts.isJsxAttribute(node)) return NOT_READ.has(node.name.getText());
  if (ts.isPropertyAssignment(node)) return NOT_READ.has(node.name.getText());
  if (ts.isNewExpression(node)) return /(Error|Host|Problem)$/.test(node.expression.getText());
  if (ts.isClassDeclaration(node)) return node.heritageClauses?.some((from) => /Error$/.test(from.getText()));
  if (textOf(node) === null || !node.parent) return false;
  if (ts.isCallExpression(node.parent)) return CALLS_NOT_READ.test(node.parent.expression.getText());
  return ts.isPropertyAssignment(node.parent) && (node.parent.name === node || isNameOfWork(node.parent));
}

/** What a service does in turn, as its log names it: `{ name: 'pushes', run }`. */
function isNameOfWork({ name, parent }) {
  return name.getText() === 'name' && parent.properties.some((property) => property.name?.getText() === 'run');
}

/** Every source file of a folder that a user's screen is made of. */
export function screenFiles(root, folder) {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return SKIPPED_FOLDERS.has(entry.name) ? [] : screenFiles(root, file);
    return /\.tsx?$/.test(entry.name) && !SKIPPED.test(file) ? [file] : [];
  });
}

/** Every texts.ts of a folder. @returns {string[]} relative to the root */
export function textFiles(root, folder) {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules' || entry.name === 'dist') return [];
    if (entry.isDirectory()) return textFiles(root, `${folder}/${entry.name}`);
    return /^([\w-]+-)?texts\.ts$/.test(entry.name) ? [`${folder}/${entry.name}`] : [];
  });
}

/** `literalTexts` of the files of a folder, as lines to read. */
export function literalTextsBelow(root, folder) {
  return screenFiles(root, folder).flatMap((file) =>
    literalTexts(file, readFileSync(path.join(root, file), 'utf8')).map(({ line, text }) => `${file}:${line} ${text}`),
  );
}

/**
 * The texts that a texts.ts defines, by the name of what it exports: each key with what is written under it, one string or
 * one for each plural form.
 *
 * @returns {Map<string, Map<string, string[]>>}
 */
export function definedTexts(name, source) {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.ES2022, true);
  const defined = new Map();
  const visit = (node) => {
    if (ts.isVariableDeclaration(node) && node.initializer && ts.isCallExpression(node.initializer)) {
      const [, base] = node.initializer.arguments;
      if (node.initializer.expression.getText() === 'defineTexts' && base && ts.isObjectLiteralExpression(base)) {
        defined.set(node.name.getText(), keysOf(base));
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return defined;
}

function keysOf(object) {
  const named = object.properties.filter((property) => ts.isPropertyAssignment(property));
  return new Map(named.map(({ name, initializer }) => [name.text, stringsIn(initializer)]));
}

function stringsIn(node) {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return [node.text];
  const found = [];
  ts.forEachChild(node, (child) => {
    found.push(...stringsIn(child));
  });
  return found;
}

/**
 * Keys of a texts.ts that no file speaks: neither `t.key` nor `'key'`, nor as one of many by `t[`group.${...}`]`.
 *
 * @param {Map<string, string[]>} keys
 * @param {string[]} sources the files that may speak them
 */
export function unspokenKeys(keys, sources) {
  const spoken = new Set();
  const groups = new Set();
  for (const [index, source] of sources.entries()) {
    const visit = (node) => {
      if (ts.isPropertyAccessExpression(node)) spoken.add(node.name.text);
      if (ts.isStringLiteral(node)) spoken.add(node.text);
      if (ts.isTemplateExpression(node) && node.head.text.endsWith('.')) groups.add(node.head.text);
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(`${index}.tsx`, source, ts.ScriptTarget.ES2022, true, ts.ScriptKind.TSX));
  }
  return [...keys.keys()].filter((key) => !spoken.has(key) && ![...groups].some((group) => key.startsWith(group)));
}
