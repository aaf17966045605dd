import type { ModuleStore } from './folder-store.js';
import { filesOf, type Line, lineNames, readJournal } from './release-line.js';

/** Pages opened before a switch may still request files of their version, ms. */
export const KEPT_MS = 7 * 24 * 3_600_000;
/** Number of newest lines whose versions stay available for a rollback. */
const KEPT_LINES = 3;

/**
 * Deletes the files of versions unnamed for seven days; never of live versions or of the last three lines. Failures
 * never fail a start or publish.
 * @param report called with what cannot be deleted, for example files of another user
 * @returns what was deleted
 */
export async function prune(store: ModuleStore, report: (line: string) => void, nowMs = Date.now()): Promise<string[]> {
  const orReport = (what: string, work: Promise<void>) =>
    work.catch((error: Error) => report(`could not remove ${what} in ${store.where}: ${error.message}`));
  const beforeMs = nowMs - KEPT_MS;
  const gone: string[] = [];
  const remove = async (place: string) => {
    if (await store.removeUntouched(place, beforeMs)) gone.push(place);
  };
  const pruneLine = async (name: string) => {
    const journal = await readJournal(store, name);
    for (const version of await store.names(name)) {
      const place = filesOf(name, version);
      if (lastNamedMs(journal, version) < beforeMs) await orReport(place, remove(place));
    }
  };
  await orReport('interrupted uploads', store.sweep(report));
  for (const name of await lineNames(store)) await orReport(name, pruneLine(name));
  return gone;
}

/** Returns when a version was last named: until the line after its last as live or canary, or forever. */
function lastNamedMs(journal: readonly Line[], version: string): number {
  const names = (line: Line) => [line.version, line.from, line.canary?.version].includes(version);
  // A line that ends a canary does not name it.
  const last = journal.findLastIndex((line, index) => names(line) || journal[index - 1]?.canary?.version === version);
  if (last < 0) return Number.NEGATIVE_INFINITY;
  if (last >= journal.length - KEPT_LINES) return Number.POSITIVE_INFINITY;
  return Date.parse(journal[last]?.when ?? '');
}
