import type { ModuleStore } from './folder-store.js';
import { filesOf, type Line, lineNames, readJournal } from './release-line.js';

/** Pages that were opened before a switch may still request a file of the version they run, ms. */
export const KEPT_MS = 7 * 24 * 3_600_000;
/** What one of so many newest lines names can be rolled back to. */
const KEPT_LINES = 3;

/**
 * Takes away the files of versions that nothing has named for seven days; never of those in use or named by one of the last three lines.
 * No start or publish fails by it.
 * @param report what cannot be taken away, and stays: it may belong to another user
 * @returns what went
 */
export async function prune(store: ModuleStore, report: (line: string) => void, nowMs = Date.now()): Promise<string[]> {
  const orReport = (what: string, work: Promise<void>) =>
    work.catch((error: Error) => report(`${what} in ${store.where} stays: ${error.message}`));
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
  await orReport('what was broken off', store.sweep(report));
  for (const name of await lineNames(store)) await orReport(name, pruneLine(name));
  return gone;
}

/** When a version was last named: until the line after the last that was at it or had it as canary, or for ever. */
function lastNamedMs(journal: readonly Line[], version: string): number {
  const names = (line: Line) => [line.version, line.from, line.canary?.version].includes(version);
  // What ends a canary does not name it.
  const last = journal.findLastIndex((line, index) => names(line) || journal[index - 1]?.canary?.version === version);
  if (last < 0) return Number.NEGATIVE_INFINITY;
  if (last >= journal.length - KEPT_LINES) return Number.POSITIVE_INFINITY;
  return Date.parse(journal[last]?.when ?? '');
}
