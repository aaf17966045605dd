import type { ModuleStore } from './folder-store.js';
import { Refused } from './refused.js';
import {
  type Author,
  addLine,
  type Facts,
  type Line,
  type OnlyAfter,
  readJournal,
  readPointer,
  SHELL,
} from './release-line.js';
import { authorOf, factsOf, keepFiles, refuseFrozen } from './releases.js';

/**
 * Gives a share of the browsers another version. The canary part of a line holds that version's own facts.
 * @param facts of an uploaded version
 * @param share more than 0, at most 1
 * @throws Refused while the line is frozen, nothing is live yet, or that version is already live
 */
export async function startCanary(
  store: ModuleStore,
  name: string,
  facts: Facts,
  share: number,
  author: Author,
  rule?: OnlyAfter,
): Promise<Line | null> {
  if (name === SHELL) throw new Refused('the shell has no canaries: one page, one shell');
  if (!(share > 0 && share <= 1)) throw new Refused('a share is more than 0 and at most 1, such as 0.1');
  const change = (before: Line | null) => {
    if (!before) throw new Refused(`${name} was never published: there is nothing to compare a canary with`);
    if (before.version === facts.version) throw new Refused(`${name} is at ${facts.version} already`);
    refuseFrozen(name, before);
    return { ...keepsVersion('canary', before, author), canary: { ...factsOf(facts), share } };
  };
  return addLine(store, name, change, rule);
}

/**
 * Returns the journal's facts of a version that was live or a canary.
 * @throws Refused when it has none, or the files are gone
 */
export async function knownFacts(store: ModuleStore, name: string, version: string): Promise<Facts> {
  const lines = (await readJournal(store, name)).flatMap((line): Facts[] => [
    line,
    ...(line.canary ? [line.canary] : []),
  ]);
  const known = lines.findLast((one) => one.version === version);
  if (!known)
    throw new Refused(
      `the journal of ${name} has no ${version}: publish NAME --canary SHARE makes one of the checkout`,
    );
  await keepFiles(store, name, version);
  return factsOf(known);
}

/**
 * Gives the canary to all browsers.
 * @throws Refused when there is none, the line is frozen, or its files are not what was published
 */
export async function promote(
  store: ModuleStore,
  name: string,
  author: Author,
  rule?: OnlyAfter,
): Promise<Line | null> {
  const { canary } = (await readPointer(store, name)) ?? {};
  if (canary) await keepFiles(store, name, canary.version);
  const change = (before: Line | null) => {
    if (!before?.canary) throw new Refused(`${name} has no canary`);
    refuseFrozen(name, before);
    return { action: 'promote', ...factsOf(before.canary), ...authorOf(author), from: before.version, frozen: false };
  };
  return addLine(store, name, change, rule);
}

/**
 * Ends a canary: all browsers get the live version.
 * @param rule requires that line to be the newest still
 * @returns null when it is not
 * @throws Refused when there is none
 */
export function endCanary(store: ModuleStore, name: string, author: Author, rule?: OnlyAfter): Promise<Line | null> {
  const change = (before: Line | null) => {
    if (!before?.canary) throw new Refused(`${name} has no canary`);
    return keepsVersion('end-canary', before, author);
  };
  return addLine(store, name, change, rule);
}

/** Makes a line that keeps the live version. */
function keepsVersion(action: string, before: Line, author: Author) {
  return { action, ...factsOf(before), ...authorOf(author), from: before.version, frozen: before.frozen ?? false };
}
