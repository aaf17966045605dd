import { endCanary, knownFacts, promote, startCanary } from './canary.mjs';
import { lineNames, newestSeq, readJournal, readPointer } from './release-line.mjs';
import { rollBack, setFrozen, usedBefore } from './releases.mjs';

/** What an operator does about a line from the operators' room: all that needs no build, so nothing that was not tried when it was published. */
const ACTS = {
  rollback: (store, { name, version }, word, rule) => rollBack(store, name, version ?? undefined, word, rule),
  canary: async (store, { name, version, share }, word, rule) =>
    startCanary(store, name, await knownFacts(store, name, version), share, word, rule),
  'end-canary': (store, { name }, word, rule) => endCanary(store, name, word, rule),
  promote: (store, { name }, word, rule) => promote(store, name, word, rule),
  freeze: (store, { name }, word, rule) => setFrozen(store, name, true, word, rule),
  unfreeze: (store, { name }, word, rule) => setFrozen(store, name, false, word, rule),
};

/**
 * Does one act, once: asked again with the same words, since the answer was lost, it says what was done.
 * @param {import('./folder-store.mjs').ModuleStore} store
 * @param {{name: string, act: keyof typeof ACTS, seq: number, version?: string | null, share?: number | null}} asked `seq` is the line that
 *   the operator looked at: another one that came meanwhile has the last word
 * @param {{who: string, why: string}} word
 * @returns {Promise<import('./release-line.mjs').Line | null>} null where another line came first
 * @throws Refused where it cannot be
 */
export async function byOperator(store, { act, seq, ...asked }, word) {
  // What came meanwhile is told before what it makes impossible; the write itself asks once more.
  const isNewest = (await newestSeq(store, asked.name)) === seq;
  const line = isNewest ? await ACTS[act](store, asked, { ...word, by: 'person' }, { seq }) : null;
  return line ?? doneBefore(store, { act, seq, ...asked }, word);
}

/** The line that says this very act, if it is the next after the one that was seen, and the newest. */
async function doneBefore(store, { name, act, seq, version }, { who, why }) {
  const line = await readPointer(store, name);
  if (line?.seq !== seq + 1 || line.action !== act || line.who !== who || line.why !== why) return null;
  const about = act === 'canary' ? line.canary?.version : line.version;
  return version == null || version === about ? line : null;
}

/**
 * What is in use, and the newest lines of each journal.
 * @param {import('./folder-store.mjs').ModuleStore} store
 * @param {number} count of lines of each
 */
export async function journals(store, count) {
  const names = await lineNames(store);
  return Promise.all(
    names.map(async (name) => {
      const newest = await newestSeq(store, name);
      const journal = await readJournal(store, name);
      const now = journal.at(-1);
      // As the registry has it, which leaves out a module whose newest line cannot be read.
      if (!(now?.seq >= newest) || typeof now.sdk !== 'string') return { name, unreadable: true };
      const lines = journal.slice(-count).reverse();
      return { name, previous: usedBefore(journal) ?? null, more: journal.length > count, lines };
    }),
  );
}
