import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { inCaretRange } from '@cord/build/caret-range.mjs';
import { recordedExports } from '@cord/build/exports.mjs';
import { factProblems } from '@cord/build/module-facts.mjs';
import { SHARED_OF_OURS } from '@cord/build/shared.mjs';
import { weigh } from '../store/manifest.mjs';

/** A module's own code, bytes of gzip. */
export const SIZE_MAX = 30 * 1024;
const EXPOSED = ['page', 'parts'];

/** What this checkout's own sdk and ui export, with the version that they have. */
const EXPORTS = recordedExports();

/**
 * What speaks against putting a build into use.
 * @param {import('@cord/build/built.mjs').BuiltModule} built
 * @param {{sdk: string, ui: string}} live what the shell in use carries
 * @param {Record<string, import('../store/registry.mjs').Entry>} [modules] those in use: a tab belongs to one of them
 * @returns {Promise<string[]>}
 */
export async function buildProblems({ name, folder, sdk, ui }, live, modules = {}) {
  const ranges = Object.entries({ sdk, ui })
    .filter(([what, range]) => !inCaretRange(live[what], range))
    .map(([what, range]) => `range: it needs ${what} ${range}, the shell in use has ${live[what]}`);
  const text = await readFile(path.join(folder, 'mf-manifest.json'), 'utf8').catch(() => 'null');
  const manifest = JSON.parse(text);
  if (!manifest) return [...ranges, 'manifest: the build has no mf-manifest.json'];
  const size = await weigh(manifest, (file) => readFile(path.join(folder, file)).catch(() => null));
  const heavy = size > SIZE_MAX ? [`size: ${inKib(size)} of own code, at most ${inKib(SIZE_MAX)}`] : [];
  const { surface, integrity: _hashes, ...facts } = manifest.cord ?? {};
  const wrong = factProblems(facts).map((problem) => `facts: ${problem}`);
  const lacking = lackingIn(surface ?? {}, live).map((problem) => `incompatible: ${problem}`);
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

function tabProblems(name, tab, modules) {
  const owner = Object.keys(modules).find(
    (other) =>
      other !== name && tab !== undefined && [modules[other].tab?.id, modules[other].canary?.tab?.id].includes(tab?.id),
  );
  return owner ? [`facts: the tab ${tab.id} is ${owner}'s`] : [];
}

/**
 * What it imports and this checkout's sdk and ui do not export, where the shell in use carries the very same. Another one says so itself, in Chromium
 * (smoke.mjs): it looks at the manifest before it runs a module.
 */
function lackingIn(surface, live) {
  return Object.entries(EXPORTS).flatMap(([short, { version, exports }]) => {
    if (live[short] !== version) return [];
    const missing = (surface[short] ?? []).filter((name) => !(name in exports));
    return missing.length > 0
      ? [`it uses ${missing.join(', ')} of ${SHARED_OF_OURS[short]} ${version}, which does not export it`]
      : [];
  });
}

/** A build asks the shell for the ranges that it was made with; the registry names those of package.json. */
function rangesInManifest({ shared = [] }, said) {
  return Object.entries(SHARED_OF_OURS).flatMap(([short, name]) => {
    const asked = shared.find((each) => each.name === name)?.requiredVersion;
    return asked === undefined || asked === said[short]
      ? []
      : [`range: package.json has ${short} ${said[short]}, it was built for ${asked}`];
  });
}

function manifestProblems(manifest, name, folder) {
  const { exposes = [] } = manifest;
  const problems = [];
  if (manifest.name !== name) problems.push(`it belongs to ${manifest.name}, not to ${name}`);
  if (exposes.length === 0) problems.push('it exposes nothing');
  for (const { name: exposed } of exposes)
    if (!EXPOSED.includes(exposed)) problems.push(`it exposes ./${exposed}; the shell uses ./page and ./parts`);
  const named = exposes.flatMap(({ assets = {} }) =>
    [assets.js, assets.css].flatMap((kind) => [...(kind?.sync ?? []), ...(kind?.async ?? [])]),
  );
  const entry = manifest.metaData?.remoteEntry?.name ?? 'remoteEntry.js';
  for (const file of new Set([entry, ...named]))
    if (!existsSync(path.join(folder, file))) problems.push(`it names ${file}, which is not there`);
  return problems.map((problem) => `manifest: ${problem}`);
}

function inKib(bytes) {
  return `${(bytes / 1024).toFixed(1)} KiB`;
}
