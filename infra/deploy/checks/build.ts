import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { inCaretRange } from '@cord/build/caret-range.ts';
import { recordedExports } from '@cord/build/exports.ts';
import { factProblems, type Tab } from '@cord/build/module-facts.ts';
import { SHARED_OF_OURS } from '@cord/build/shared.ts';
import { type Manifest, weigh } from '../store/manifest.js';
import type { Built } from '../store/releases.js';

/** Versions or ranges of the shared packages. */
type Shared = Readonly<Record<'sdk' | 'ui', string>>;
const SHARED = ['sdk', 'ui'] as const;
/** The fields used from a registry entry. */
type TabOwner = { tab?: object; canary?: { tab?: object } };

/** Maximum size of a module's own code, bytes of gzip. */
export const SIZE_MAX = 30 * 1024;
const EXPOSED = ['page', 'parts'];

/** Exports of this checkout's sdk and ui, with their versions. */
const EXPORTS = recordedExports();

/**
 * Returns the reasons to refuse a build.
 * @param live versions in the live shell
 * @param modules live modules, each of which may own a tab
 */
export async function buildProblems(
  { name, folder, sdk, ui }: Built,
  live: Shared,
  modules: Readonly<Record<string, TabOwner>> = {},
): Promise<string[]> {
  const own = { sdk, ui };
  const ranges = SHARED.filter((what) => !inCaretRange(live[what], own[what])).map(
    (what) => `range: it needs ${what} ${own[what]}, the shell in use has ${live[what]}`,
  );
  const manifest = await manifestIn(folder);
  if (typeof manifest === 'string') return [...ranges, `manifest: ${manifest}`];
  const size = await weigh(manifest, (file) => readFile(path.join(folder, file)).catch(() => null));
  const heavy = size > SIZE_MAX ? [`size: ${inKib(size)} of own code, at most ${inKib(SIZE_MAX)}`] : [];
  const { surface, integrity: _hashes, ...facts } = manifest.cord ?? {};
  const wrong = factProblems(facts).map((problem) => `facts: ${problem}`);
  const lacking = missingExports(surface, live).map((problem) => `incompatible: ${problem}`);
  const differing = rangesInManifest(manifest, { sdk, ui });
  const taken = tabProblems(name, facts.tab, modules);
  return [
    ...ranges,
    ...differing,
    ...lacking,
    ...manifestProblems(manifest, name, folder),
    ...wrong,
    ...taken,
    ...heavy,
  ];
}

/** @returns the manifest, or why there is none */
async function manifestIn(folder: string): Promise<Manifest | string> {
  const text = await readFile(path.join(folder, 'mf-manifest.json'), 'utf8').catch(() => 'null');
  try {
    return JSON.parse(text) ?? 'the build has no mf-manifest.json';
  } catch {
    return 'mf-manifest.json cannot be read';
  }
}

function tabProblems(name: string, tab: Tab | undefined, modules: Readonly<Record<string, TabOwner>>): string[] {
  const idOf = (owner: { tab?: object } | undefined) => (owner?.tab as Tab | undefined)?.id;
  const owner = Object.keys(modules).find(
    (other) => other !== name && [idOf(modules[other]), idOf(modules[other]?.canary)].includes(tab?.id),
  );
  return tab && owner ? [`facts: the tab ${tab.id} belongs to ${owner}`] : [];
}

/**
 * Finds imports that this checkout's sdk and ui do not export, when the live shell has the same version. Another shell
 * version reports them itself in Chromium (smoke.ts): it checks the manifest before it runs a module.
 */
function missingExports(surface: Partial<Record<'sdk' | 'ui', string[]>> | undefined, live: Shared): string[] {
  return SHARED.flatMap((short) => {
    const { version, exports } = EXPORTS[short];
    if (live[short] !== version) return [];
    const missing = (surface?.[short] ?? []).filter((name) => !(name in exports));
    return missing.length > 0
      ? [`it uses ${missing.join(', ')} of ${SHARED_OF_OURS[short]} ${version}, which does not export it`]
      : [];
  });
}

/** Compares the ranges that a build requires with those of its package.json, which the registry publishes. */
function rangesInManifest({ shared = [] }: Manifest, own: Shared): string[] {
  return SHARED.flatMap((short) => {
    const name = SHARED_OF_OURS[short];
    const required = shared.find((each) => each.name === name)?.requiredVersion;
    return required === undefined || required === own[short]
      ? []
      : [`range: package.json has ${short} ${own[short]}, the build requires ${required}`];
  });
}

function manifestProblems(manifest: Manifest, name: string, folder: string): string[] {
  const { exposes = [] } = manifest;
  const problems: string[] = [];
  if (manifest.name !== name) problems.push(`it belongs to ${manifest.name}, not to ${name}`);
  if (exposes.length === 0) problems.push('it exposes nothing');
  for (const { name: exposed } of exposes)
    if (!EXPOSED.includes(exposed)) problems.push(`it exposes ./${exposed}; the shell uses ./page and ./parts only`);
  const named = exposes.flatMap(({ assets }) =>
    [assets?.js, assets?.css].flatMap((kind) => [...(kind?.sync ?? []), ...(kind?.async ?? [])]),
  );
  const entry = manifest.metaData?.remoteEntry?.name ?? 'remoteEntry.js';
  for (const file of new Set([entry, ...named]))
    if (!existsSync(path.join(folder, file))) problems.push(`it names ${file}, which does not exist`);
  return problems.map((problem) => `manifest: ${problem}`);
}

function inKib(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KiB`;
}
