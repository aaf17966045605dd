import { createContext, Script } from 'node:vm';
import type { BSONRegExp } from '../bson/values.js';
import { badValue, ERROR_CODES, MongoError } from '../errors.js';

/*
 * MongoDB's patterns are PCRE; the engine here is JavaScript's. What both write alike but read differently (`$`, `.`, `^` and
 * `\s`) is rewritten; what only PCRE has is refused by name, since JavaScript would read most of it as plain letters.
 */

/**
 * Maximum time of a pattern for one text, ms: backtracking of this engine is unbounded, and it blocks all connections. The watchdog measures
 * wall time: on a busy machine a thread may pause for more than 100 ms.
 */
const TEXT_MS_MAX = 300;
/** Maximum total time of one pattern for slow texts, ms. */
const SLOW_MS_MAX = 1_000;
/** Time from which a text counts as slow, ms. */
const SLOW_MS = 1;

/** Tests texts against one pattern. Throws MongoError 50 when that takes too long. */
export class Pattern {
  private readonly regex: RegExp;
  private readonly mayGoBack: boolean;
  private slowMs = 0;

  /** Throws 2 for features of PCRE only, 51091 for an invalid pattern, 51108 for an unknown option. */
  constructor({ pattern, options }: BSONRegExp) {
    for (const option of options) {
      if (option === 'x') throw badValue('regex option x is not supported by the embedded server');
      if (!'imsu'.includes(option)) throw new MongoError(51108, `invalid flag in regex options: ${option}`);
    }
    const source = translate(pattern, options.includes('m'), options.includes('s'));
    this.regex = compiled(source, options.includes('i') ? 'is' : 's');
    this.mayGoBack = /[*+?{]/.test(pattern);
  }

  test(text: string): boolean {
    if (!this.mayGoBack) return this.regex.test(text);
    const startMs = performance.now();
    const found = withinLimit(this.regex, text);
    const usedMs = performance.now() - startMs;
    if (usedMs > SLOW_MS) this.slowMs += usedMs;
    if (found === undefined || this.slowMs > SLOW_MS_MAX)
      throw new MongoError(
        ERROR_CODES.MaxTimeMSExpired,
        'operation exceeded time limit :: caused by :: a regular expression',
      );
    return found;
  }
}

const sandbox: { regex?: RegExp; text?: string } = createContext({});
const matching = new Script('regex.test(text)');

/** Tests a text; undefined after the time limit. Only V8's watchdog can interrupt a running match. */
function withinLimit(regex: RegExp, text: string): boolean | undefined {
  Object.assign(sandbox, { regex, text });
  try {
    return matching.runInContext(sandbox as object, { timeout: TEXT_MS_MAX }) as boolean;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    return undefined;
  }
}

function compiled(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    // A pattern that Unicode mode refuses may still be valid, such as one with a needless backslash.
  }
  try {
    return new RegExp(source, flags);
  } catch (error) {
    throw new MongoError(51091, `Regular expression is invalid: ${(error as Error).message}`);
  }
}

/** Escapes and groups of PCRE that JavaScript lacks: it would read them as plain letters or with another meaning. */
const PCRE_ESCAPES = /^\\(?:[AaCEeGghHKNQRvVXZz]|x\{|o\{|k[{'])/;
const PCRE_GROUPS = /^\((?:\?(?!:|=|!|<=|<!|<[A-Za-z_])|\*)/;
const POSSESSIVE = /^(?:[*+?]|\{\d+(?:,\d*)?\})\+/;
const WHITESPACE = ' \\t\\n\\v\\f\\r';

function translate(pattern: string, isMultiline: boolean, dotMatchesAll: boolean): string {
  if (pattern.includes('\0')) throw badValue('a regular expression cannot contain an embedded null byte');
  let result = '';
  let inClass = false;
  for (let at = 0; at < pattern.length; ) {
    const rest = pattern.slice(at, at + 16);
    const char = pattern[at] as string;
    const foreign = foreignForm(rest, inClass);
    if (foreign !== undefined) throw badValue(`regex form ${foreign} is not supported by the embedded server`);
    const piece = char === '\\' ? rest.slice(0, 2) : char;
    at += piece.length;
    if (piece === '\\s') result += inClass ? WHITESPACE : `[${WHITESPACE}]`;
    else if (piece === '\\S' && !inClass) result += `[^${WHITESPACE}]`;
    else if (inClass || char === '\\' || !'[$^.'.includes(char)) result += piece;
    else result += outside(char, isMultiline, dotMatchesAll);
    if (char === '[') inClass = true;
    else if (char === ']') inClass = false;
  }
  return result;
}

function outside(char: string, isMultiline: boolean, dotMatchesAll: boolean): string {
  switch (char) {
    // PCRE's end is also before the newline that ends the text; its line ends at \n and at nothing else.
    case '$':
      return isMultiline ? '(?=\\n|$)' : '(?=\\n?$)';
    case '^':
      return isMultiline ? '(?:^|(?<=\\n)(?=[^]))' : '^';
    case '.':
      return dotMatchesAll ? '.' : '[^\\n]';
    default:
      return char;
  }
}

function foreignForm(rest: string, inClass: boolean): string | undefined {
  if (inClass)
    return (/^\[[:.=]/.exec(rest) ?? /^\\(?:[AaCEeGghHKNQRVvXZz]|x\{|o\{)/.exec(rest) ?? /^\\S/.exec(rest))?.[0];
  return (PCRE_ESCAPES.exec(rest) ?? PCRE_GROUPS.exec(rest) ?? POSSESSIVE.exec(rest) ?? /^\[\^?\]/.exec(rest))?.[0];
}
