import type { ModuleStore } from './folder-store.js';
import { factsInManifest, type Manifest, weigh, weighShell } from './manifest.js';
import { oneLine } from './one-line.js';
import { changedAmong, hashesIn } from './published-files.js';
import { Refused } from './refused.js';
import {
  type Author,
  addLine,
  type Canary,
  type Facts,
  filesOf,
  type Line,
  type OnlyAfter,
  readJournal,
  SHELL,
} from './release-line.js';

/** A build in a folder. */
export interface Built {
  name: string;
  version: string;
  sdk: string;
  ui: string;
  folder: string;
}

const FACTS = ['version', 'sdk', 'ui', 'tab', 'parts', 'exposes', 'size', 'files'] as const;

/** Returns a line's facts of its version. */
export function factsOf(line: Facts): Facts {
  return Object.fromEntries(FACTS.map((fact) => [fact, line[fact]])) as unknown as Facts;
}

/**
 * Uploads a version's files, unless they exist. It is not live yet.
 * @throws Refused when existing files differ from the journal's record
 */
export async function uploadVersion(store: ModuleStore, { folder, ...version }: Built): Promise<Facts> {
  const place = filesOf(version.name, version.version);
  // Touched before the journal names it, so that no prune removes it between the upload and the switch.
  while (!(await store.upload(place, folder)) && !(await store.touch(place)));
  const facts = await storedFacts(store, version);
  await refuseChanged(store, version.name, version.version);
  return facts;
}

/** Returns the facts of a version whose files are in the store. */
async function storedFacts(store: ModuleStore, { name, version, sdk, ui }: Omit<Built, 'folder'>): Promise<Facts> {
  const place = filesOf(name, version);
  const files = await store.describe(place);
  const read = (file: string) => store.read(`${place}/${file}`);
  const manifest: Manifest | null = JSON.parse((await store.read(`${place}/mf-manifest.json`)) ?? 'null');
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
 * Switches a line to an uploaded version; ends its canary.
 * @param rule `unlessPerson`: keeps what a person did
 * @returns null when it is already at that version without a canary, or the rule applies
 * @throws Refused while the line is frozen
 */
export function switchTo(
  store: ModuleStore,
  name: string,
  facts: Facts,
  author: Author,
  { unlessPerson = false }: { unlessPerson?: boolean } = {},
): Promise<Line | null> {
  return addLine(store, name, (before) => {
    if (unlessPerson && before && before.by !== 'start') return null;
    if (before?.version === facts.version && !before.canary) return null;
    refuseFrozen(name, before);
    return { action: 'publish', ...facts, ...authorOf(author), from: before?.version ?? null, frozen: false };
  });
}

/**
 * Returns the target of a rollback.
 * @returns the last line that was at it
 * @throws Refused when there is none, or its files are gone
 */
export async function rollbackTarget(store: ModuleStore, name: string, version?: string): Promise<Line> {
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
 * Rolls a line back: to the previously live version, one further each time, or to the one named. Works on a frozen line
 * too; ends its canary.
 * @param rule requires that line to be the newest still
 * @returns null when it is not
 * @throws Refused when there is none, or its files are gone
 */
export async function rollBack(
  store: ModuleStore,
  name: string,
  version: string | undefined,
  author: Author,
  rule?: OnlyAfter,
): Promise<Line | null> {
  const facts = await rollbackTarget(store, name, version);
  const back = (before: Line | null) => {
    const { version: from = null, frozen = false } = before ?? {};
    return { action: 'rollback', ...factsOf(facts), ...authorOf(author), from, frozen };
  };
  return addLine(store, name, back, rule);
}

/** Touches a version, so that its files stay. @throws Refused when they are gone, or are not what was published */
export async function keepFiles(store: ModuleStore, name: string, version: string): Promise<void> {
  if (!(await store.touch(filesOf(name, version)))) throw new Refused(`the files of ${name} ${version} are gone`);
  await refuseChanged(store, name, version);
}

/** @throws Refused when a file of a version in the journal differs from its record */
async function refuseChanged(store: ModuleStore, name: string, version: string): Promise<void> {
  const recorded = hashesIn(await readJournal(store, name)).get(version);
  const changed = recorded && changedAmong(await store.describe(filesOf(name, version)), recorded);
  if (changed)
    throw new Refused(
      `${filesOf(name, version)}/${changed} in ${store.where} is not what was published: publish a new version`,
    );
}

/**
 * Freezes or unfreezes a line; a frozen one takes no publish.
 * @throws Refused when it is so already, or was never published
 */
export function setFrozen(
  store: ModuleStore,
  name: string,
  frozen: boolean,
  author: Author,
  rule?: OnlyAfter,
): Promise<Line | null> {
  const change = (before: Line | null) => {
    if (!before) throw new Refused(`${name} was never published`);
    if (before.frozen === frozen)
      throw new Refused(`${name} is ${frozen ? 'frozen' : 'not frozen'}: ${describeAuthor(before)}`);
    const action = frozen ? 'freeze' : 'unfreeze';
    return { action, ...factsOf(before), ...authorOf(author), from: before.version, frozen, ...canaryOf(before) };
  };
  return addLine(store, name, change, rule);
}

/** @throws Refused when a line is frozen */
export function refuseFrozen(name: string, line: Line | null): void {
  if (line?.frozen) throw new Refused(`${name} is frozen: ${describeAuthor(line)}. unfreeze it first`);
}

/** Describes a line's action, author and time for people. */
export function describeAuthor({ action, who, when, why }: Pick<Line, 'action' | 'who' | 'when' | 'why'>): string {
  return oneLine(`${action} by ${who}, ${when}${why ? `, "${why}"` : ''}`);
}

/** Returns the previously live version; versions that were rolled back do not count. */
export function usedBefore(journal: readonly Line[]): string | undefined {
  const used: string[] = [];
  for (const { action, version } of journal) {
    const at = action === 'rollback' ? used.lastIndexOf(version) : -1;
    if (at >= 0) used.length = at + 1;
    else if (used.at(-1) !== version) used.push(version);
  }
  return used.at(-2);
}

/** Keeps the canary of a line. */
function canaryOf({ canary }: Line): { canary?: Canary } {
  return canary ? { canary } : {};
}

/** Returns an author with all fields set. */
export function authorOf({ who, by, why = '' }: Author): Required<Author> {
  return { who, by, why };
}
