import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesUnderGit } from '../build/git.ts';
import { isProgram } from '../build/is-program.ts';
import { runCommand } from '../dev/starter/problems.mjs';

/** A file of the checkout; its path is relative to the root, with `/`. */
export interface SourceFile {
  readonly file: string;
  readonly text: string;
}

/** A broken citation or link. */
export interface Fault {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

/** The possible targets of links. */
export interface Checkout {
  /** Whether a path from the root is a file or a folder. */
  exists(target: string): boolean;
  /** Text of a Markdown file; null when there is none. */
  markdown(target: string): string | null;
  /** Whether a file has this path, or a path that ends in `/<name>`. */
  hasFile(name: string): boolean;
  /** Whether code or configuration contains this identifier. */
  hasName(name: string): boolean;
}

/** Files to check: code, styles, documents, deployment configuration. */
const READ = /\.(?:ts|tsx|mts|mjs|js|css|md|ya?ml)$/;
const IS_MARKDOWN = /\.md$/;

/** Citations of a document without a path. Built of parts, so that this file does not match itself. */
const WITHOUT_PATH: readonly RegExp[] = [
  new RegExp(`\\b${'spec'}(?:ification)?,? parts? \\d`, 'i'),
  new RegExp(`(?:\\(|; )${'decisions'}[,:)]`, 'i'),
  new RegExp(`\\b${'field'}-notes\\b`, 'i'),
];
/** The path of a document in code or text, with an optional heading. */
const DOCUMENT = /(?<![\w/*<>{}$-])((?:[\w@.-]+\/)*[\w-][\w.-]*\.md)(#[\w-]+)?(?![\w/])/g;
/** A Markdown link: text in brackets, target in parentheses. */
const LINK = /\]\(([^()\s]+(?:\([^()]*\)[^()\s]*)?)\)/g;
/** A source file in backquotes. */
const NAMED_SOURCE = /`([\w@./-]+\.(?:ts|tsx|mts|mjs|css))`/g;
/** A constant, function or name in camel case in backquotes. */
const NAMED_CODE = /`(?:\w+\.)*([A-Z][A-Z0-9_]{4,}(?=`)|[a-z]+[A-Z]\w*(?=`)|\w+(?=\(\)`))/g;
const IDENTIFIER = /[A-Za-z_]\w*/g;
/** Files with identifiers. */
const HAS_NAMES = /\.(?:ts|tsx|mts|mjs|js|css|ya?ml|json|html|conf)$/;
const IS_COMMENT = /^\s*(?:\/\*|\*|\/\/|#)|\s\/\/\s|\/\*/;
const HAS_SCHEME = /^[a-z][a-z+.-]*:/i;

/**
 * Finds every broken citation and link of a file: a missing document, heading, file or name of code, and a document
 * cited without a path.
 * @returns empty when there are none
 */
export function faultsOf({ file, text }: SourceFile, checkout: Checkout): Fault[] {
  const isMarkdown = IS_MARKDOWN.test(file);
  const faults: Fault[] = [];
  let fenced = false;
  for (const [index, content] of text.split('\n').entries()) {
    if (isMarkdown && /^\s*(?:```|~~~)/.test(content)) fenced = !fenced;
    const add = (message: string): number => faults.push({ file, line: index + 1, message });
    for (const pattern of WITHOUT_PATH) {
      const [cited] = pattern.exec(content) ?? [];
      if (cited) add(`"${cited.trim()}" names a document without a path: state the rule, or link to a README`);
    }
    if (fenced) continue;
    const links = isMarkdown ? [...content.matchAll(LINK)].map(([, target = '']) => target) : [];
    for (const target of links) {
      if (HAS_SCHEME.test(target) || target.startsWith('//')) continue;
      const why = whyBroken(target, [path.posix.dirname(file)], file, checkout);
      if (why) add(why);
    }
    for (const [, document = '', anchor = ''] of content.replaceAll(LINK, ']()').matchAll(DOCUMENT)) {
      // A program may compose a path, so its end suffices.
      if (!isMarkdown && !IS_COMMENT.test(content) && checkout.hasFile(withoutDots(document))) continue;
      const why = whyBroken(document + anchor, [path.posix.dirname(file), '.'], file, checkout);
      if (why) add(why);
    }
    if (!isMarkdown) continue;
    for (const [, name = ''] of content.matchAll(NAMED_SOURCE)) {
      const isHere = checkout.exists(path.posix.join(path.posix.dirname(file), name));
      if (!isHere && !checkout.hasFile(withoutDots(name))) add(`there is no file ${name}`);
    }
    for (const [, name = ''] of content.matchAll(NAMED_CODE)) if (!checkout.hasName(name)) add(`no code has ${name}`);
  }
  return faults;
}

function withoutDots(target: string): string {
  return target.replace(/^(?:\.\.?\/)+/, '');
}

/** Returns the anchors of a Markdown file, as repository web pages derive them from headings. */
export function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set<string>();
  let fenced = false;
  for (const line of markdown.split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced;
    const [, heading] = (!fenced && /^#{1,6}\s+(.*?)\s*#*$/.exec(line)) || [];
    if (heading === undefined) continue;
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = plain.replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '').replace(/\s/g, '-');
    let unique = slug;
    for (let more = 1; anchors.has(unique); more += 1) unique = `${slug}-${more}`;
    anchors.add(unique);
  }
  return anchors;
}

function whyBroken(target: string, from: readonly string[], file: string, checkout: Checkout): string | null {
  const [linked = '', anchor] = target.split('#', 2);
  const places = linked === '' ? [file] : from.map((folder) => path.posix.join(folder, decodeURI(linked)));
  const found = places.find((place) => !place.startsWith('..') && checkout.exists(place.replace(/\/$/, '') || '.'));
  if (found === undefined) return `there is no ${linked}`;
  if (anchor === undefined) return null;
  const page = IS_MARKDOWN.test(found) ? found : path.posix.join(found, 'README.md');
  const markdown = checkout.markdown(page);
  if (markdown === null) return IS_MARKDOWN.test(page) && !linked.endsWith('.md') ? null : `there is no ${page}`;
  return anchorsOf(markdown).has(anchor) ? null : `${page} has no heading #${anchor}`;
}

/** Finds every fault in files that are tracked by git or not ignored. */
export function faultsOfCheckout(root: string): Fault[] {
  const files = filesUnderGit(root);
  const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
  const names = new Set(
    files.flatMap((file) => {
      const parts = file.split('/');
      return parts.map((_, at) => parts.slice(at).join('/'));
    }),
  );
  const known = new Set(
    files.filter((file) => HAS_NAMES.test(file)).flatMap((file) => [...new Set(read(file).match(IDENTIFIER))]),
  );
  const checkout: Checkout = {
    exists: (target) => existsSync(path.join(root, target)),
    markdown: (target) => (existsSync(path.join(root, target)) ? read(target) : null),
    hasFile: (name) => names.has(name),
    hasName: (name) => known.has(name),
  };
  return files.filter((file) => READ.test(file)).flatMap((file) => faultsOf({ file, text: read(file) }, checkout));
}

if (isProgram(import.meta.filename)) {
  await runCommand(async () => {
    const faults = faultsOfCheckout(fileURLToPath(new URL('../..', import.meta.url)));
    for (const { file, line, message } of faults) console.error(`${file}:${line}: ${message}`);
    process.exitCode = faults.length > 0 ? 1 : 0;
  });
}
