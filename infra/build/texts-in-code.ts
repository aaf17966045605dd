import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sourceFiles } from './source-files.ts';
import { isProperty, type Node, parsed, stringOf, textOf, walk } from './syntax.ts';

/**
 * Files whose strings no user reads: texts.ts, language names, tests, stories and their helpers, and descriptions of a
 * service's variables.
 */
const SKIPPED =
  /(^|[/-])texts(\.[a-z]{2})?\.ts$|\/languages\/index\.ts$|\/date-names\.ts$|\.(test|stories)\.tsx?$|\.(fixtures|stage)\.tsx?$|\.d\.ts$|^services\/[\w-]+\/config\.ts$/;

/** Matches what looks like text: an initial capital letter, or two words in a row. */
const READS_AS_TEXT = /^[^\p{L}]*\p{Lu}\p{Ll}|\p{Ll}{2,}[.,:;!?…]? \p{L}{2,}/u;

/** Words between two values of a template: `${rank} of ${miners}`. */
const JOINS_VALUES = /… \p{Ll}{2,}/u;

/** A number with its sign in a sentence, which differs by language: `${share}% of it`, `×${factor}`. */
const WRITES_A_NUMBER = /×…|…\s?%[\s.,;:]/u;

/** Selectors, media queries, lengths, cookies, headers, error names. */
const FOR_MACHINES = /[=[\]]|^\(|^#|^\w+Error$|^\d+px |^no-store, |^event: /;

/**
 * Calls of a service whose strings no user reads: log lines, names of periodic work, seals and shutdown steps. A page
 * shows a refusal by its problem type, in the user's language (translations.ts, `refusalTypes`).
 */
const CALLS_NOT_READ =
  /(^|\.)(badInput|notFound|conflict|refused|unavailable|log\.(debug|info|warn|error)|shutdown\.on|createSeal|documentSchema)$/;

/** Names and units that are the same in every language; names of keys, as printed and as in browsers. */
const NAMES = new Set([
  'CORD',
  'Enter',
  'Esc',
  'Escape',
  'Discord',
  'English',
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

/** Attributes and properties read by a browser, a library or the kit; `document` names a collection's documents. */
const NOT_TEXTS = new Set([
  ...['className', 'data-testid', 'testId', 'rel', 'viewBox', 'd', 'timeZone', 'queryKey', 'key'],
  'document',
]);

/**
 * Finds the strings of a source file that a user could read and that do not come from a texts.ts.
 * @param name the file, for the message and its syntax
 */
export function literalTexts(name: string, source: string): { line: number; text: string }[] {
  const found: { line: number; text: string }[] = [];
  walk(parsed(name, source).program, (node, parents) => {
    if (isNotRead(node, parents, (part) => source.slice(part.start, part.end))) return false;
    const text = textOf(node);
    if (text !== null && isRead(text, node.type === 'JSXText')) {
      const written = source.slice(node.start, node.end);
      const start = node.start + written.length - written.trimStart().length;
      found.push({ line: source.slice(0, start).split('\n').length, text: text.trim() });
    }
    return true;
  });
  return found;
}

/** Text between tags is always visible, even one letter; a string only if it looks like text. */
function isRead(text: string, betweenTags: boolean): boolean {
  const trimmed = text.replace(/\s+/g, ' ').trim();
  if (NAMES.has(trimmed) || FOR_MACHINES.test(trimmed)) return false;
  if (betweenTags) return /\p{L}/u.test(trimmed);
  return [READS_AS_TEXT, JOINS_VALUES, WRITES_A_NUMBER].some((form) => form.test(trimmed));
}

/** TypeScript syntax that contains values. */
const TYPED_VALUES =
  /^TS(As|Satisfies|NonNull|Instantiation)Expression$|^TSTypeAssertion$|^TS(Enum|Module)|^TSParameterProperty$/;

/** Whether a node is never shown: types, imports, property names, error messages for developers, browser input. */
function isNotRead(node: Node, parents: readonly Node[], written: (part: Node) => string): boolean {
  const [parent, grandparent] = parents;
  if (/^(Import|ExportAll)Declaration$/.test(node.type)) return true;
  if (node.type === 'ExportNamedDeclaration') return node.declaration === null;
  if (node.type.startsWith('TS')) return !TYPED_VALUES.test(node.type);
  if (node.type === 'JSXAttribute') return NOT_TEXTS.has(written(node.name));
  if (isProperty(node, parent)) return NOT_TEXTS.has(written(node.key));
  if (node.type === 'NewExpression') return /(Error|Host|Problem)$/.test(written(node.callee));
  if (node.type === 'ClassDeclaration') return node.superClass !== null && /Error$/.test(written(node.superClass));
  if (textOf(node) === null || !parent) return false;
  if (parent.type === 'CallExpression') return CALLS_NOT_READ.test(written(parent.callee));
  return isProperty(parent, grandparent) && (parent.key === node || isNameOfWork(parent, grandparent, written));
}

/** Whether it names periodic work of a service for the log: `{ name: 'pushes', run }`. */
function isNameOfWork({ key }: Node, object: Node | undefined, written: (part: Node) => string): boolean {
  const properties: Node[] = object?.properties ?? [];
  return written(key) === 'name' && properties.some((property) => property.key && written(property.key) === 'run');
}

/** Returns every source file of a folder that contributes to a user's screen. */
export function screenFiles(root: string, folder: string): string[] {
  const files = sourceFiles([`${folder}/**/*.{ts,tsx}`, '!**/{test,testing,gallery}/**'], root);
  return files.filter((file) => !SKIPPED.test(file));
}

/** Returns every texts.ts of a folder. @returns paths relative to the root */
export function textFiles(root: string, folder: string): string[] {
  return sourceFiles([`${folder}/**/texts.ts`, `${folder}/**/*-texts.ts`], root);
}

/** Runs `literalTexts` on the files of a folder and formats the results as lines. */
export function literalTextsBelow(root: string, folder: string): string[] {
  return screenFiles(root, folder).flatMap((file) =>
    literalTexts(file, readFileSync(path.join(root, file), 'utf8')).map(({ line, text }) => `${file}:${line} ${text}`),
  );
}

/** Returns the texts of a texts.ts by export name: each key with its one string, or one per plural form. */
export function definedTexts(name: string, source: string): Map<string, Map<string, string[]>> {
  const defined = new Map<string, Map<string, string[]>>();
  walk(parsed(name, source).program, ({ type, id, init }) => {
    if (type !== 'VariableDeclarator' || init?.type !== 'CallExpression' || init.callee.name !== 'defineTexts') return;
    const [, base] = init.arguments;
    if (base?.type === 'ObjectExpression') defined.set(id.name, keysOf(base));
  });
  return defined;
}

function keysOf(object: Node): Map<string, string[]> {
  const named = (object.properties as Node[]).filter((property) => isProperty(property, object));
  return new Map(named.map(({ key, value }) => [key.name ?? key.value, stringsIn(value)]));
}

function stringsIn(value: Node): string[] {
  const found: string[] = [];
  walk(value, (node) => {
    const text = stringOf(node);
    if (text !== null) found.push(text);
  });
  return found;
}

/**
 * Returns the keys of a texts.ts that no file uses, as `t.key`, `'key'`, or dynamically as `t[`group.${...}`]`.
 * @param sources the files that may use them, by name
 */
export function unusedKeys(
  keys: ReadonlyMap<string, readonly string[]>,
  sources: ReadonlyMap<string, string>,
): string[] {
  const used = new Set<string>();
  const groups = new Set<string>();
  for (const [name, source] of sources) {
    walk(parsed(name, source).program, (node) => {
      if (node.type === 'MemberExpression' && !node.computed) used.add(node.property.name);
      if (node.type === 'Literal' && typeof node.value === 'string') used.add(node.value);
      const head = node.type === 'TemplateLiteral' && node.expressions.length > 0 ? node.quasis[0].value.cooked : '';
      if (head.endsWith('.')) groups.add(head);
    });
  }
  return [...keys.keys()].filter((key) => !used.has(key) && ![...groups].some((group) => key.startsWith(group)));
}
