import { Refused } from './refused.mjs';

/**
 * A release line is what is published under one name: a module, the shell, a service. Its journal is a row of numbered texts that are written once; the newest is the
 * pointer as well, so a switch is one conditional write, and what is in use can never differ from what the journal says.
 *
 * @typedef {object} Facts what is known of a version
 * @property {string} version
 * @property {string} sdk range of the sdk that it works with; of a shell the version that it carries
 * @property {string} ui likewise of the design system
 * @property {import('@cord/build/module-facts.mjs').Tab} [tab] that it brings
 * @property {import('@cord/build/module-facts.mjs').Part[]} [parts] that it lends; of a build of release 1.2 and before neither is said
 * @property {string[]} exposes such as page, parts
 * @property {number} size bytes of gzip that its page and parts bring along; of a shell those of the scripts that its page names
 * @property {Record<string, string>} files sha256 by path
 *
 * @typedef {object} Word who says it
 * @property {string} who
 * @property {'person' | 'start'} by what a person did stands until the next person; what a start did gives way to a newer build
 * @property {string} [why]
 *
 * @typedef {Facts & {share: number}} Canary a version that a share (0 to 1) of the browsers gets instead
 *
 * @typedef {Facts & Word & {seq: number, action: string, when: string, from: string | null, frozen: boolean, canary?: Canary | null}} Line
 */

/** Hidden from the gateway's files: it tells who published. */
const LINES = '.lines';
const SEQ_DIGITS = 10;
const LINE_NAME = /^[a-z][a-z0-9_]*$/;
const LINE_FILE = /^(\d{10})\.json$/;

/** The line of the shell; all others are modules'. */
export const SHELL = 'shell';

/** Where the files of a version lie; those of modules are served under /modules. */
export const filesOf = (name, version) => `${name}/${version}`;

const fileOf = (name, seq) => `${LINES}/${name}/${String(seq).padStart(SEQ_DIGITS, '0')}.json`;

/** Names of all lines. @param {import('./folder-store.mjs').ModuleStore} store */
export async function lineNames(store) {
  return (await store.names(LINES)).filter((name) => LINE_NAME.test(name));
}

/** The number of the newest line; 0 before the first. */
export async function newestSeq(store, name) {
  const seqs = (await store.names(`${LINES}/${name}`)).map((file) => Number(LINE_FILE.exec(file)?.[1] ?? 0));
  return Math.max(0, ...seqs);
}

/** One line of a journal. @returns {Promise<Line>} @throws Refused when it is missing or cannot be read */
export async function readLine(store, name, seq) {
  const file = fileOf(name, seq);
  const line = parsed(await store.read(file));
  const missing = missingOf(line);
  if (missing) throw new Refused(`${file} in ${store.where} ${missing}`);
  return line;
}

/** The readable lines of a journal, oldest first. @returns {Promise<Line[]>} */
export async function readJournal(store, name) {
  const newest = await newestSeq(store, name);
  const seqs = Array.from({ length: newest }, (_, index) => index + 1);
  const lines = await Promise.all(seqs.map((seq) => readLine(store, name, seq).catch(unlessRefused)));
  return lines.filter(Boolean);
}

/**
 * Adds the next line of a journal. Who comes second begins again with what the first has said.
 * @param {(before: Line | null) => Omit<Line, 'seq' | 'when'> | null} change what the line says, from the newest one; null where nothing is to change
 * @param {{seq?: number | undefined}} [rule] `seq`: only while that is the newest line
 * @returns {Promise<Line | null>} the line; null where nothing was to change, or another is the newest
 */
export async function addLine(store, name, change, { seq: only } = {}) {
  if (!LINE_NAME.test(name)) throw new Refused(`${name} is no name of a release line`);
  for (;;) {
    const { seq, line: before } = await newest(store, name);
    if (only !== undefined && only !== seq) return null;
    const said = change(before);
    if (!said) return null;
    // The machine's clock may have been set back; the journal's order is its own.
    const whenMs = Math.max(Date.now(), before ? Date.parse(before.when) + 1 : 0);
    const line = { seq: seq + 1, when: new Date(whenMs).toISOString(), ...said };
    if (await store.create(fileOf(name, line.seq), `${JSON.stringify(line, null, 1)}\n`)) return line;
  }
}

/** The line that says what is in use; null before the first, and where it cannot be read. @returns {Promise<Line | null>} */
export async function readPointer(store, name) {
  return (await newest(store, name)).line;
}

async function newest(store, name) {
  const seq = await newestSeq(store, name);
  return { seq, line: seq === 0 ? null : await readLine(store, name, seq).catch(unlessRefused) };
}

/** A line that cannot be read is as if it were not there: a publish mends it. */
function unlessRefused(error) {
  if (error instanceof Refused) return null;
  throw error;
}

function parsed(text) {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

function missingOf(line) {
  if (typeof line !== 'object' || line === null) return 'is no line of a journal';
  const texts = ['version', 'action', 'when', 'who', 'by'];
  const absent = texts.find((field) => typeof line[field] !== 'string');
  return absent ? `lacks ${absent}` : undefined;
}
