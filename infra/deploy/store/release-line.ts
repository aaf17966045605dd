import type { Part, Tab } from '@cord/build/module-facts.ts';
import type { ModuleStore } from './folder-store.js';
import { Refused } from './refused.js';

/** The known facts of a version. */
export interface Facts {
  version: string;
  /** Range of the sdk that it works with; of a shell its sdk version. */
  sdk?: string;
  /** The same for the design system. */
  ui?: string;
  /** Its tab. */
  tab?: Tab;
  /** Its parts. */
  parts?: readonly Part[];
  /** Such as page, parts. */
  exposes?: readonly string[];
  /** Size in bytes: gzip of a module's page and parts, or of a shell's initial scripts; a service's total. */
  size?: number;
  /** sha256 by path. */
  files?: Record<string, string>;
}

/** The author of a line. */
export interface Author {
  who: string;
  /** A start does not replace what a person did, but does replace what a start did. */
  by: 'person' | 'start';
  why?: string;
}

/** A version for a share (0 to 1) of the browsers. */
export type Canary = Facts & { share: number };

/**
 * A line of a journal. A journal contains the releases of one name (a module, the shell, a service) as numbered texts, each written
 * once. The newest is also the pointer, so a switch is one conditional write, and the live version can never differ from the journal.
 */
export interface Line extends Facts, Author {
  seq: number;
  action: string;
  /** ISO 8601. */
  when: string;
  from: string | null;
  frozen?: boolean;
  canary?: Canary | null;
}

/** Condition: this is the newest line. */
export interface OnlyAfter {
  seq?: number | undefined;
}

/** Hidden from the gateway's files, since it names the authors. */
const LINES = '.lines';
const SEQ_DIGITS = 10;
const LINE_NAME = /^[a-z][a-z0-9_]*$/;
const LINE_FILE = /^(\d{10})\.json$/;

/** Name of the shell's line; all others are modules. */
export const SHELL = 'shell';

/** Folder of a version's files; those of modules are served under /modules. */
export const filesOf = (name: string, version: string): string => `${name}/${version}`;

const fileOf = (name: string, seq: number) => `${LINES}/${name}/${String(seq).padStart(SEQ_DIGITS, '0')}.json`;

/** Returns the names of all lines. */
export async function lineNames(store: ModuleStore): Promise<string[]> {
  return (await store.names(LINES)).filter((name) => LINE_NAME.test(name));
}

/** Returns the number of the newest line; 0 before the first. */
export async function newestSeq(store: ModuleStore, name: string): Promise<number> {
  const seqs = (await store.names(`${LINES}/${name}`)).map((file) => Number(LINE_FILE.exec(file)?.[1] ?? 0));
  return Math.max(0, ...seqs);
}

/** Reads one line of a journal. @throws Refused when it is missing or unreadable */
export async function readLine(store: ModuleStore, name: string, seq: number): Promise<Line> {
  const file = fileOf(name, seq);
  const line = parsed(await store.read(file));
  const missing = missingOf(line);
  if (missing) throw new Refused(`${file} in ${store.where} ${missing}`);
  return line as Line;
}

/** Returns the readable lines of a journal, oldest first. */
export async function readJournal(store: ModuleStore, name: string): Promise<Line[]> {
  const newest = await newestSeq(store, name);
  const seqs = Array.from({ length: newest }, (_, index) => index + 1);
  const lines = await Promise.all(seqs.map((seq) => readLine(store, name, seq).catch(unlessRefused)));
  return lines.filter((line) => line !== null);
}

/**
 * Adds the next line of a journal. When another writer was first, retries from that writer's line.
 * @param change returns the content from the newest line; null for no change
 * @returns the line; null without a change, or when another is the newest
 */
export async function addLine(
  store: ModuleStore,
  name: string,
  change: (before: Line | null) => Omit<Line, 'seq' | 'when'> | null,
  { seq: only }: OnlyAfter = {},
): Promise<Line | null> {
  if (!LINE_NAME.test(name)) throw new Refused(`${name} is no name of a release line`);
  for (;;) {
    const { seq, line: before } = await newest(store, name);
    if (only !== undefined && only !== seq) return null;
    const content = change(before);
    if (!content) return null;
    // The machine's clock may have been set back, but the journal's times must rise.
    const whenMs = Math.max(Date.now(), before ? Date.parse(before.when) + 1 : 0);
    const line = { seq: seq + 1, when: new Date(whenMs).toISOString(), ...content };
    if (await store.create(fileOf(name, line.seq), `${JSON.stringify(line, null, 1)}\n`)) return line;
  }
}

/** Returns the line of the live version; null before the first, and when it is unreadable. */
export async function readPointer(store: ModuleStore, name: string): Promise<Line | null> {
  return (await newest(store, name)).line;
}

async function newest(store: ModuleStore, name: string): Promise<{ seq: number; line: Line | null }> {
  const seq = await newestSeq(store, name);
  return { seq, line: seq === 0 ? null : await readLine(store, name, seq).catch(unlessRefused) };
}

/** An unreadable line counts as absent: a publish repairs it. */
function unlessRefused(error: unknown): null {
  if (error instanceof Refused) return null;
  throw error;
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

function missingOf(line: unknown): string | undefined {
  if (typeof line !== 'object' || line === null) return 'is no line of a journal';
  const texts = ['version', 'action', 'when', 'who', 'by'];
  const absent = texts.find((field) => typeof (line as Record<string, unknown>)[field] !== 'string');
  return absent ? `lacks ${absent}` : undefined;
}
