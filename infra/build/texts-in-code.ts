import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sourceFiles } from './source-files.ts';
import { isProperty, type Node, parsed, stringOf, textOf, walk } from './syntax.ts';

/**
 * Files whose strings nobody reads: texts themselves, the names of languages, tests, stories, and what only those use; descriptions of a
 * service's variables, for whoever starts it.
 */
const SKIPPED =
  /(^|[/-])texts(\.[a-z]{2})?\.ts$|\/languages\/index\.ts$|\/date-names\.ts$|\.(test|stories)\.tsx?$|\.(fixtures|stage)\.tsx?$|\.d\.ts$|^services\/[\w-]+\/config\.ts$/;

/** What a reader would take for a text: a capital letter at its start, or two words in a row. */
const READS_AS_TEXT = /^[^\p{L}]*\p{Lu}\p{Ll}|\p{Ll}{2,}[.,:;!?…]? \p{L}{2,}/u;

/** Words between two values of a template: `${rank} of ${miners}`. */
const JOINS_VALUES = /… \p{Ll}{2,}/u;

/** A number with its sign in a sentence, which each language writes otherwise: `${share}% of it`, `×${factor}`. */
const WRITES_A_NUMBER = /×…|…\s?%[\s.,;:]/u;

/** Selectors, media queries, lengths, cookies, headers, names of errors. */
const FOR_MACHINES = /[=[\]]|^\(|^#|^\w+Error$|^\d+px |^no-store, |^event: /;

/**
 * Calls of a service whose strings no user reads: lines of its log, and names of what it does in turn, keeps sealed or ends.
 * A page shows what it refuses by the type of the problem, in its language (translations.ts, `refusalTypes`).
 */
const CALLS_NOT_READ =
  /(^|\.)(badInput|notFound|conflict|refused|unavailable|log\.(debug|info|warn|error)|shutdown\.on|createSeal|documentSchema)$/;

/** Names of things and units, the same in every language; of keys, as they stand on them and as a browser names them. */
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

/** Attributes and properties that a browser, a library or the kit reads, not a person; `document` names a collection's documents. */
const NOT_READ = new Set([
  ...['className', 'data-testid', 'testId', 'rel', 'viewBox', 'd', 'timeZone', 'queryKey', 'key'],
  'document',
]);

/**
 * The strings of a source file that a user could read and that do not come from a texts.ts.
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

/** Text between tags is read whatever it is, were it one letter; a string only if it looks like a text. */
function isRead(text: string, betweenTags: boolean): boolean {
  const trimmed = text.replace(/\s+/g, ' ').trim();
  if (NAMES.has(trimmed) || FOR_MACHINES.test(trimmed)) return false;
  if (betweenTags) return /\p{L}/u.test(trimmed);
  return [READS_AS_TEXT, JOINS_VALUES, WRITES_A_NUMBER].some((form) => form.test(trimmed));
}

/** Syntax of TypeScript that has values in it. */
const TYPED_VALUES =
  /^TS(As|Satisfies|NonNull|Instantiation)Expression$|^TSTypeAssertion$|^TS(Enum|Module)|^TSParameterProperty$/;

/** Types, imports, names of properties, messages of errors for developers, and what a browser reads. */
function isNotRead(node: Node, parents: readonly Node[], written: (part: Node) => string): boolean {
  const [parent, grandparent] = parents;
  if (/^(Import|ExportAll)Declaration$/.test(node.type)) return true;
  if (node.type === 'ExportNamedDeclaration') return node.declaration === null;
  if (node.type.startsWith('TS')) return !TYPED_VALUES.test(node.type);
  if (node.type === 'JSXAttribute') return NOT_READ.has(written(node.name));
  if (isProperty(node, parent)) return NOT_READ.has(written(node.key));
  if (node.type === 'NewExpression') return /(Error|Host|Problem)$/.test(written(node.callee));
  if (node.type === 'ClassDeclaration') return node.superClass !== null && /Error$/.test(written(node.superClass));
  if (textOf(node) === null || !parent) return false;
  if (parent.type === 'CallExpression') return CALLS_NOT_READ.test(written(parent.callee));
  return isProperty(parent, grandparent) && (parent.key === node || isNameOfWork(parent, grandparent, written));
}

/** What a service does in turn, as its log names it: `{ name: 'pushes', run }`. */
function isNameOfWork({ key }: Node, object: Node | undefined, written: (part: Node) => string): boolean {
  const properties: Node[] = object?.properties ?? [];
  return written(key) === 'name' && properties.some((property) => property.key && written(property.key) === 'run');
}

/** Every source file of a folder that a user's screen is made of. */
export function screenFiles(root: string, folder: string): string[] {
  const files = sourceFiles([`${folder}/**/*.{ts,tsx}`, '!**/{test,testing,gallery}/**'], root);
  return files.filter((file) => !SKIPPED.test(file));
}

/** Every texts.ts of a folder. @returns paths relative to the root */
export function textFiles(root: string, folder: string): string[] {
  return sourceFiles([`${folder}/**/texts.ts`, `${folder}/**/*-texts.ts`], root);
}

/** `literalTexts` of the files of a folder, as lines to read. */
export function literalTextsBelow(root: string, folder: string): string[] {
  return screenFiles(root, folder).flatMap((file) =>
    literalTexts(file, readFileSync(path.join(root, file), 'utf8')).map(({ line, text }) => `${file}:${line} ${text}`),
  );
}

/**
 * The texts that a texts.ts defines, by the name of what it exports: each key with what is written under it, one string or
 * one for each plural form.
 */
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
 * Keys of a texts.ts that no file uses: neither `t.key` nor `'key'`, nor as one of many by `t[`group.${...}`]`.
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
