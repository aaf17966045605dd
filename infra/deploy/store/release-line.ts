import type { Part, Tab } from '@cord/build/module-facts.ts';
import type { ModuleStore } from './folder-store.js';
import { Refused } from './refused.js';

/** What is known of a version. */
export interface Facts {
  version: string;
  /** Range of the sdk that it works with; of a shell the version that it carries. */
  sdk?: string;
  /** Likewise of the design system. */
  ui?: string;
  /** The tab that it brings. */
  tab?: Tab;
  /** The parts that it lends. */
  parts?: readonly Part[];
  /** Such as page, parts. */
  exposes?: readonly string[];
  /** Bytes of gzip that its page and parts bring along; of a shell those of the scripts that its page names; of a service its bytes. */
  size?: number;
  /** sha256 by path. */
  files?: Record<string, string>;
}

/** Who did it. */
export interface Author {
  who: string;
  /** What a person did stands until the next person; what a start did gives way to a newer build. */
  by: 'person' | 'start';
  why?: string;
}

/** A version that a share (0 to 1) of the browsers gets instead. */
export type Canary = Facts & { share: number };

/**
 * A line of a journal. A release line is what is published under one name: a module, the shell, a service. Its journal is a row of numbered texts that are written
 * once; the newest is the pointer as well, so a switch is one conditional write, and what is in use can never differ from the journal.
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

/** Only while this is the newest line. */
export interface OnlyAfter {
  seq?: number | undefined;
}

/** Hidden from the gateway's files: it names who published. */
const LINES = '.lines';
const SEQ_DIGITS = 10;
const LINE_NAME = /^[a-z][a-z0-9_]*$/;
const LINE_FILE = /^(\d{10})\.json$/;

/** The line of the shell; all others are modules'. */
export const SHELL = 'shell';

/** Where the files of a version lie; those of modules are served under /modules. */
export const filesOf = (name: string, version: string): string => `${name}/${version}`;

const fileOf = (name: string, seq: number) => `${LINES}/${name}/${String(seq).padStart(SEQ_DIGITS, '0')}.json`;

/** Names of all lines. */
export async function lineNames(store: ModuleStore): Promise<string[]> {
  return (await store.names(LINES)).filter((name) => LINE_NAME.test(name));
}

/** The number of the newest line; 0 before the first. */
export async function newestSeq(store: ModuleStore, name: string): Promise<number> {
  const seqs = (await store.names(`${LINES}/${name}`)).map((file) => Number(LINE_FILE.exec(file)?.[1] ?? 0));
  return Math.max(0, ...seqs);
}

/** One line of a journal. @throws Refused when it is missing or cannot be read */
export async function readLine(store: ModuleStore, name: string, seq: number): Promise<Line> {
  const file = fileOf(name, seq);
  const line = parsed(await store.read(file));
  const missing = missingOf(line);
  if (missing) throw new Refused(`${file} in ${store.where} ${missing}`);
  return line as Line;
}

/** The readable lines of a journal, oldest first. */
export async function readJournal(store: ModuleStore, name: string): Promise<Line[]> {
  const newest = await newestSeq(store, name);
  const seqs = Array.from({ length: newest }, (_, index) => index + 1);
  const lines = await Promise.all(seqs.map((seq) => readLine(store, name, seq).catch(unlessRefused)));
  return lines.filter((line) => line !== null);
}

/**
 * Adds the next line of a journal. Who comes second begins again from the line of the first.
 * @param change the content of the line, from the newest one; null where nothing is to change
 * @returns the line; null where nothing was to change, or another is the newest
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
    // The machine's clock may have been set back; the journal's order is its own.
    const whenMs = Math.max(Date.now(), before ? Date.parse(before.when) + 1 : 0);
    const line = { seq: seq + 1, when: new Date(whenMs).toISOString(), ...content };
    if (await store.create(fileOf(name, line.seq), `${JSON.stringify(line, null, 1)}\n`)) return line;
  }
}

/** The line of what is in use; null before the first, and where it cannot be read. */
export async function readPointer(store: ModuleStore, name: string): Promise<Line | null> {
  return (await newest(store, name)).line;
}

async function newest(store: ModuleStore, name: string): Promise<{ seq: number; line: Line | null }> {
  const seq = await newestSeq(store, name);
  return { seq, line: seq === 0 ? null : await readLine(store, name, seq).catch(unlessRefused) };
}

/** A line that cannot be read is as if it were not there: a publish mends it. */
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
