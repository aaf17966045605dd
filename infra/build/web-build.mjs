import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { distOf, readStamp, STAMP, webPackages } from './built.mjs';
import { compile } from './compile.mjs';
import { contentHash } from './content-hash.mjs';
import { factsOfModule, writeFacts } from './module-facts.mjs';
import { surfaceOf } from './module-surface.mjs';
import { precompress } from './precompress.mjs';
import { rangesOf } from './shared.mjs';
import { ROOT, readWorkspaces } from './workspaces.mjs';

const PARALLEL = 2;

/**
 * Builds every web package (each workspace with an rspack.config.mjs) whose sources changed, two at a time, into its
 * `dist`. `onBuilt` is called for each one as it ends.
 *
 * @param {{ only?: string[], force?: boolean, onBuilt?: (result: Built) => void }} [options] `only`: folder names
 * @typedef {{ dir: string, version: string, fresh: boolean, ms: number }} Built `fresh`: nothing had changed
 * @throws {Error} with the compiler's messages
 */
export async function buildWeb({ only, force = false, onBuilt = () => {} } = {}) {
  const workspaces = readWorkspaces();
  const queue = webPackages(workspaces).filter(({ dir }) => !only || only.includes(dir));
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      onBuilt(await buildOne({ workspaces, workspace: next, force }));
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
}

async function buildOne({ workspaces, workspace, force }) {
  const startedMs = performance.now();
  const { dir } = workspace;
  const hash = contentHash(workspaces, workspace.name);
  const version = `${workspace.version}-${hash}`;
  const fresh = !force && readStamp(dir)?.version === version;
  if (!fresh) {
    const isModule = dir !== 'shell';
    const versions = isModule ? rangesOf(path.join(ROOT, dir)) : versionsOfShell(workspaces);
    const facts = isModule && factsOfModule(path.join(ROOT, dir));
    await compile(path.join(ROOT, dir), { buildId: hash, version });
    if (isModule && !existsSync(path.join(distOf(dir), 'mf-manifest.json'))) {
      throw new Error(`${dir}: the build made no mf-manifest.json`);
    }
    if (facts) await writeFacts(distOf(dir), { ...facts, surface: surfaceOf(path.join(ROOT, dir)) });
    await precompress(distOf(dir));
    // Written last, so a broken build has none.
    writeFileSync(path.join(distOf(dir), STAMP), JSON.stringify({ version, ...versions }));
  }
  return { dir, version, fresh, ms: Math.round(performance.now() - startedMs) };
}

/** What modules meet in the shell: a module declares the range of each that it works with. */
function versionsOfShell(workspaces) {
  return { sdk: workspaces.get('@cord/sdk').version, ui: workspaces.get('@cord/ui').version };
}
