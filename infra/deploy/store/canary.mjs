import { Refused } from './refused.mjs';
import { addLine, readJournal, readPointer, SHELL } from './release-line.mjs';
import { factsOf, keepFiles, refuseFrozen, spoken } from './releases.mjs';

/**
 * Gives a share of the browsers another version of what is in use. What a line says of its canary are that version's own facts.
 * @param {import('./release-line.mjs').Facts} facts of an uploaded version
 * @param {number} share more than 0, at most 1
 * @param {import('./release-line.mjs').Word} word
 * @param {{seq?: number | undefined}} [rule] as of `addLine`
 * @throws Refused while the line is frozen, where nothing is in use yet, or that very version is
 */
export async function startCanary(store, name, facts, share, word, rule) {
  if (name === SHELL) throw new Refused('the shell has no canaries: one page, one shell');
  if (!(share > 0 && share <= 1)) throw new Refused('a share is more than 0 and at most 1, such as 0.1');
  const change = (before) => {
    if (!before) throw new Refused(`${name} was never published: there is nothing to compare a canary with`);
    if (before.version === facts.version) throw new Refused(`${name} is at ${facts.version} already`);
    refuseFrozen(name, before);
    return { ...stays('canary', before, word), canary: { ...factsOf(facts), share } };
  };
  return addLine(store, name, change, rule);
}

/**
 * What the journal knows of a version that was in use, or a canary.
 * @returns {Promise<import('./release-line.mjs').Facts>}
 * @throws Refused where it knows nothing, or the files are gone
 */
export async function knownFacts(store, name, version) {
  const said = (await readJournal(store, name)).flatMap((line) => [line, line.canary ?? []].flat());
  const known = said.findLast((one) => one.version === version);
  if (!known)
    throw new Refused(
      `the journal of ${name} has no ${version}: publish NAME --canary SHARE makes one of the checkout`,
    );
  await keepFiles(store, name, version);
  return factsOf(known);
}

/**
 * Has all browsers get what is the canary.
 * @param {{seq?: number | undefined}} [rule] as of `addLine`
 * @throws Refused where there is none, the line is frozen, or its files are not what was published
 */
export async function promote(store, name, word, rule) {
  const { canary } = (await readPointer(store, name)) ?? {};
  if (canary) await keepFiles(store, name, canary.version);
  const change = (before) => {
    if (!before?.canary) throw new Refused(`${name} has no canary`);
    refuseFrozen(name, before);
    return { action: 'promote', ...factsOf(before.canary), ...spoken(word), from: before.version, frozen: false };
  };
  return addLine(store, name, change, rule);
}

/**
 * Ends a canary: all browsers get what is in use.
 * @param {{seq?: number | undefined}} [rule] `seq`: only if that is the newest line still
 * @returns {Promise<import('./release-line.mjs').Line | null>} null where it is not
 * @throws Refused where there is none
 */
export function endCanary(store, name, word, rule) {
  const change = (before) => {
    if (!before?.canary) throw new Refused(`${name} has no canary`);
    return stays('end-canary', before, word);
  };
  return addLine(store, name, change, rule);
}

/** A line that leaves in use what is. */
function stays(action, before, word) {
  return { action, ...factsOf(before), ...spoken(word), from: before.version, frozen: before.frozen ?? false };
}
