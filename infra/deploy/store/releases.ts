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

/** A build as it lies in a folder. */
export interface Built {
  name: string;
  version: string;
  sdk: string;
  ui: string;
  folder: string;
}

const FACTS = ['version', 'sdk', 'ui', 'tab', 'parts', 'exposes', 'size', 'files'] as const;

/** What a line knows of its version. */
export function factsOf(line: Facts): Facts {
  return Object.fromEntries(FACTS.map((fact) => [fact, line[fact]])) as unknown as Facts;
}

/**
 * Uploads a version's files, unless they are there already. It is not in use by that.
 * @throws Refused where what lies there already is not what the journal has recorded of it
 */
export async function uploadVersion(store: ModuleStore, { folder, ...version }: Built): Promise<Facts> {
  const place = filesOf(version.name, version.version);
  // Noted as named before it is: nobody takes it away between the upload and the switch.
  while (!(await store.upload(place, folder)) && !(await store.touch(place)));
  const facts = await storedFacts(store, version);
  await refuseChanged(store, version.name, version.version);
  return facts;
}

/** What is known of a version whose files lie in the store. */
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
 * Switches a line to an uploaded version; a canary of it ends.
 * @param rule `unlessPerson`: what a person did stands
 * @returns null where it is at that version alone already, or what a person did stands
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
 * What a line would be rolled back to.
 * @returns the last line that was at it
 * @throws Refused where there is none, or its files are gone
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
 * Switches a line back: to the version that was in use before the one that is, further back each time; or to the one named. A frozen line may
 * go back, too; a canary of it ends.
 * @param rule only if that is the newest line still
 * @returns null where it is not
 * @throws Refused where there is none, or its files are gone
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

/** Notes that a version is named, so that its files stay. @throws Refused where they are gone, or are not what was published */
export async function keepFiles(store: ModuleStore, name: string, version: string): Promise<void> {
  if (!(await store.touch(filesOf(name, version)))) throw new Refused(`the files of ${name} ${version} are gone`);
  await refuseChanged(store, name, version);
}

/** @throws Refused where a file of a version that the journal knows is not what it has recorded */
async function refuseChanged(store: ModuleStore, name: string, version: string): Promise<void> {
  const recorded = hashesIn(await readJournal(store, name)).get(version);
  const changed = recorded && changedAmong(await store.describe(filesOf(name, version)), recorded);
  if (changed)
    throw new Refused(
      `${filesOf(name, version)}/${changed} in ${store.where} is not what was published: publish a new version`,
    );
}

/**
 * Has a line take no publish until it is unfrozen.
 * @throws Refused where it is so already, or was never published
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

/** @throws Refused where a line is frozen */
export function refuseFrozen(name: string, line: Line | null): void {
  if (line?.frozen) throw new Refused(`${name} is frozen: ${describeAuthor(line)}. unfreeze it first`);
}

/** Who did what when, for people. */
export function describeAuthor({ action, who, when, why }: Pick<Line, 'action' | 'who' | 'when' | 'why'>): string {
  return oneLine(`${action} by ${who}, ${when}${why ? `, "${why}"` : ''}`);
}

/** The version in use before the one that is: what was rolled back from does not count. */
export function usedBefore(journal: readonly Line[]): string | undefined {
  const used: string[] = [];
  for (const { action, version } of journal) {
    const at = action === 'rollback' ? used.lastIndexOf(version) : -1;
    if (at >= 0) used.length = at + 1;
    else if (used.at(-1) !== version) used.push(version);
  }
  return used.at(-2);
}

/** The canary of a line goes on. */
function canaryOf({ canary }: Line): { canary?: Canary } {
  return canary ? { canary } : {};
}

/** The author of a line, in words. */
export function authorOf({ who, by, why = '' }: Author): Required<Author> {
  return { who, by, why };
}
