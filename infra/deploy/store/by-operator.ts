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

/** A request of an operator. */
export interface Requested {
  name: string;
  act: keyof typeof ACTS;
  /** The newest line that the operator saw; if another has come, nothing is done. */
  seq: number;
  version?: string | null;
  share?: number | null;
}

export interface Journal {
  name: string;
  unreadable?: false;
  /** The target of a rollback without a version. */
  previous: string | null;
  /** Whether there are older lines. */
  more: boolean;
  /** Newest first, at least one; unreadable older lines are left out. */
  lines: (Line & { sdk: string })[];
}

/** A journal whose newest line is unreadable: no version of it is live. */
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

/** Actions in the operators' room: those that need no build, so every version was tested when it was published. */
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
 * Runs an action once. A retry with the same values, after a lost response, returns what was done.
 * @returns null when another line came first
 * @throws Refused when it is impossible
 */
export async function byOperator(
  store: ModuleStore,
  { act, seq, ...request }: Requested,
  author: { who: string; why: string },
): Promise<Line | null> {
  // A concurrent change is reported before its consequences; the write itself checks again.
  const isNewest = (await newestSeq(store, request.name)) === seq;
  const line = isNewest ? await (ACTS[act] as Act)(store, request, { ...author, by: 'person' }, { seq }) : null;
  return line ?? doneBefore(store, { act, seq, ...request }, author);
}

/** Returns the line of this action, if it directly follows the one seen and is the newest. */
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
 * Returns the live versions and the newest lines of each journal.
 * @param count of lines of each
 */
export async function journals(store: ModuleStore, count: number): Promise<(Journal | Unreadable)[]> {
  const names = await lineNames(store);
  return Promise.all(
    names.map(async (name) => {
      const newest = await newestSeq(store, name);
      const journal = await readJournal(store, name);
      const now = journal.at(-1);
      // Like the registry, which leaves out a module whose newest line is unreadable.
      if (!now || now.seq < newest || typeof now.sdk !== 'string') return { name, unreadable: true };
      const lines = journal.slice(-count).reverse() as Journal['lines'];
      return { name, previous: usedBefore(journal) ?? null, more: journal.length > count, lines };
    }),
  );
}
