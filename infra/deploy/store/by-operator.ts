import { endCanary, knownFacts, promote, startCanary } from './canary.js';
import type { ModuleStore } from './folder-store.js';
import {
  type Author,
  type Line,
  lineNames,
  newestSeq,
  type OnlyAfter,
  readJournal,
  readPointer,
} from './release-line.js';
import { rollBack, setFrozen, usedBefore } from './releases.js';

/** What an operator requests. */
export interface Requested {
  name: string;
  act: keyof typeof ACTS;
  /** The line that the operator looked at: with another one that came meanwhile nothing is done. */
  seq: number;
  version?: string | null;
  share?: number | null;
}

export interface Journal {
  name: string;
  unreadable?: false;
  /** To which a rollback without a version leads. */
  previous: string | null;
  /** There are older lines. */
  more: boolean;
  /** The newest first, one at least; without older ones that cannot be read. */
  lines: (Line & { sdk: string })[];
}

/** Its newest line cannot be read: nothing of it is in use. */
interface Unreadable {
  name: string;
  unreadable: true;
}

type Act = (
  store: ModuleStore,
  request: Omit<Requested, 'act' | 'seq'>,
  author: Author,
  rule: OnlyAfter,
) => Promise<Line | null>;

/** What an operator does about a line from the operators' room: all that needs no build, so nothing that was not tried when it was published. */
const ACTS = {
  rollback: (store, { name, version }, author, rule) => rollBack(store, name, version ?? undefined, author, rule),
  canary: async (store, { name, version, share }, author, rule) =>
    startCanary(store, name, await knownFacts(store, name, version ?? ''), share ?? 0, author, rule),
  'end-canary': (store, { name }, author, rule) => endCanary(store, name, author, rule),
  promote: (store, { name }, author, rule) => promote(store, name, author, rule),
  freeze: (store, { name }, author, rule) => setFrozen(store, name, true, author, rule),
  unfreeze: (store, { name }, author, rule) => setFrozen(store, name, false, author, rule),
} satisfies Record<string, Act>;

/**
 * Does one act, once: repeated with the same values, since the answer was lost, it returns what was done.
 * @returns null where another line came first
 * @throws Refused where it cannot be
 */
export async function byOperator(
  store: ModuleStore,
  { act, seq, ...request }: Requested,
  author: { who: string; why: string },
): Promise<Line | null> {
  // What came meanwhile is reported before what it makes impossible; the write itself checks once more.
  const isNewest = (await newestSeq(store, request.name)) === seq;
  const line = isNewest ? await (ACTS[act] as Act)(store, request, { ...author, by: 'person' }, { seq }) : null;
  return line ?? doneBefore(store, { act, seq, ...request }, author);
}

/** The line of this very act, if it is the next after the one that was seen, and the newest. */
async function doneBefore(
  store: ModuleStore,
  { name, act, seq, version }: Requested,
  { who, why }: { who: string; why: string },
): Promise<Line | null> {
  const line = await readPointer(store, name);
  if (line?.seq !== seq + 1 || line.action !== act || line.who !== who || line.why !== why) return null;
  const about = act === 'canary' ? line.canary?.version : line.version;
  return version == null || version === about ? line : null;
}

/**
 * What is in use, and the newest lines of each journal.
 * @param count of lines of each
 */
export async function journals(store: ModuleStore, count: number): Promise<(Journal | Unreadable)[]> {
  const names = await lineNames(store);
  return Promise.all(
    names.map(async (name) => {
      const newest = await newestSeq(store, name);
      const journal = await readJournal(store, name);
      const now = journal.at(-1);
      // As the registry has it, which leaves out a module whose newest line cannot be read.
      if (!now || now.seq < newest || typeof now.sdk !== 'string') return { name, unreadable: true };
      const lines = journal.slice(-count).reverse() as Journal['lines'];
      return { name, previous: usedBefore(journal) ?? null, more: journal.length > count, lines };
    }),
  );
}
