import { factsInManifest, weigh, weighShell } from './manifest.mjs';
import { changedAmong, hashesIn } from './published-files.mjs';
import { Refused } from './refused.mjs';
import { addLine, filesOf, readJournal, SHELL } from './release-line.mjs';

const FACTS = ['version', 'sdk', 'ui', 'tab', 'parts', 'exposes', 'size', 'files'];

/**
 * What a line knows of its version.
 * @param {import('./release-line.mjs').Line} line
 * @returns {import('./release-line.mjs').Facts}
 */
export function factsOf(line) {
  return Object.fromEntries(FACTS.map((fact) => [fact, line[fact]]));
}

/**
 * Uploads a version's files, unless they are there already. It is not in use by that.
 * @throws Refused where what lies there already is not what the journal has recorded of it
 * @param {import('./folder-store.mjs').ModuleStore} store
 * @param {{name: string, version: string, sdk: string, ui?: string | undefined, folder: string}} built
 * @returns {Promise<import('./release-line.mjs').Facts>}
 */
export async function uploadVersion(store, { folder, ...version }) {
  const place = filesOf(version.name, version.version);
  // Noted as named before it is: nobody takes it away between the upload and the switch.
  while (!(await store.upload(place, folder)) && !(await store.touch(place)));
  const facts = await storedFacts(store, version);
  await refuseChanged(store, version.name, version.version);
  return facts;
}

/** What is known of a version whose files lie in the store. */
async function storedFacts(store, { name, version, sdk, ui }) {
  const place = filesOf(name, version);
  const files = await store.describe(place);
  const read = (file) => store.read(`${place}/${file}`);
  const manifest = JSON.parse((await store.read(`${place}/mf-manifest.json`)) ?? 'null');
  return {
    version,
    sdk,
    ui,
    ...factsInManifest(manifest),
    exposes: (manifest?.exposes ?? []).map((each) => each.name),
    size: name === SHELL ? await weighShell(read) : await weigh(manifest, read),
    files: Object.fromEntries(files.map((file) => [file.path, file.sha256])),
  };
}

/**
 * Switches a line to an uploaded version; a canary of it ends.
 * @param {import('./release-line.mjs').Word} word
 * @param {{unlessPerson?: boolean}} [rule] `unlessPerson`: anybody's word stands but a start's
 * @returns {Promise<import('./release-line.mjs').Line | null>} null where it is at that version already, or another's word stands
 * @throws Refused while the line is frozen
 */
export function switchTo(store, name, facts, word, { unlessPerson = false } = {}) {
  return addLine(store, name, (before) => {
    if (before?.version === facts.version) return null;
    if (unlessPerson && before && before.by !== 'start') return null;
    refuseFrozen(name, before);
    return { action: 'publish', ...facts, ...spoken(word), from: before?.version ?? null, frozen: false };
  });
}

/**
 * What a line would be rolled back to.
 * @returns {Promise<import('./release-line.mjs').Line>} the last line that was at it
 * @throws Refused where there is none, or its files are gone
 */
export async function rollbackTarget(store, name, version) {
  const journal = await readJournal(store, name);
  const now = journal.at(-1);
  if (!now) throw new Refused(`${name} was never published`);
  const target = version ?? usedBefore(journal);
  if (!target) throw new Refused(`${name} has no version before ${now.version}`);
  const line = journal.findLast((each) => each.version === target);
  if (!line) throw new Refused(`${name} was never at ${target}`);
  if (target === now.version) throw new Refused(`${name} is at ${target} already`);
  await keepFiles(store, name, target);
  return line;
}

/**
 * Switches a line back: to the version that was in use before the one that is, further back each time; or to the one named. A frozen line may
 * go back, too; a canary of it ends.
 * @param {{seq?: number | undefined}} [rule] `seq`: only if that is the newest line still
 * @returns {Promise<import('./release-line.mjs').Line | null>} null where it is not
 * @throws Refused where there is none, or its files are gone
 */
export async function rollBack(store, name, version, word, rule) {
  const facts = await rollbackTarget(store, name, version);
  const back = (before) => {
    const { version: from = null, frozen = false } = before ?? {};
    return { action: 'rollback', ...factsOf(facts), ...spoken(word), from, frozen };
  };
  return addLine(store, name, back, rule);
}

/** Notes that a version is named, so that its files stay. @throws Refused where they are gone, or are not what was published */
export async function keepFiles(store, name, version) {
  if (!(await store.touch(filesOf(name, version)))) throw new Refused(`the files of ${name} ${version} are gone`);
  await refuseChanged(store, name, version);
}

/** @throws Refused where a file of a version that the journal knows is not what it has recorded */
async function refuseChanged(store, name, version) {
  const recorded = hashesIn(await readJournal(store, name)).get(version);
  const changed = recorded && changedAmong(await store.describe(filesOf(name, version)), recorded);
  if (changed)
    throw new Refused(
      `${filesOf(name, version)}/${changed} in ${store.where} is not what was published: publish a new version`,
    );
}

/**
 * Has a line take no publish until it is told otherwise.
 * @param {boolean} frozen
 * @param {{seq?: number | undefined}} [rule] as of `addLine`
 * @throws Refused where it is so already, or was never published
 */
export function setFrozen(store, name, frozen, word, rule) {
  const change = (before) => {
    if (!before) throw new Refused(`${name} was never published`);
    if (before.frozen === frozen)
      throw new Refused(`${name} is ${frozen ? 'frozen' : 'not frozen'}: ${saidBy(before)}`);
    const action = frozen ? 'freeze' : 'unfreeze';
    return { action, ...factsOf(before), ...spoken(word), from: before.version, frozen, ...canaryOf(before) };
  };
  return addLine(store, name, change, rule);
}

/** @throws Refused where a line says that no publish is taken */
export function refuseFrozen(name, line) {
  if (line?.frozen) throw new Refused(`${name} is frozen: ${saidBy(line)}. unfreeze it first`);
}

/** Whose word a line is, for people. */
/**
 * @param {{action: string, who: string, when: string, why?: string}} line
 * @returns {string}
 */
export function saidBy({ action, who, when, why }) {
  return `${action} by ${who}, ${when}${why ? `, "${why}"` : ''}`;
}

/** The version in use before the one that is: what was rolled back from does not count. */
export function usedBefore(journal) {
  const used = [];
  for (const { action, version } of journal) {
    const at = action === 'rollback' ? used.lastIndexOf(version) : -1;
    if (at >= 0) used.length = at + 1;
    else if (used.at(-1) !== version) used.push(version);
  }
  return used.at(-2);
}

/** The canary of a line goes on. */
function canaryOf({ canary }) {
  return canary ? { canary } : {};
}

/** Of a word what a line says. */
export function spoken({ who, by, why = '' }) {
  return { who, by, why };
}
