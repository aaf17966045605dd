import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { distOf, readStamp, STAMP, type Stamp, webPackages } from './built.ts';
import { compile } from './compile.ts';
import { contentHash } from './content-hash.ts';
import { factsOfModule, writeFacts } from './module-facts.ts';
import { surfaceOf } from './module-surface.ts';
import { precompress } from './precompress.ts';
import { rangesOf } from './shared.ts';
import { ROOT, readWorkspaces, type Workspace, type Workspaces, workspaceOf } from './workspaces.ts';

const PARALLEL = 2;

/** The result for a package. */
export interface Built {
  dir: string;
  version: string;
  /** True when nothing had changed. */
  fresh: boolean;
  ms: number;
}

interface Options {
  /** Folder names; all packages by default. */
  only?: readonly string[];
  force?: boolean;
  /** Called for each package as its build ends. */
  onBuilt?: (result: Built) => void;
}

/**
 * Builds every changed web package (each workspace with an rspack.config.ts) into its `dist`, two at a time.
 * @throws {Error} with the compiler's messages, or naming a folder that is not a web package
 */
export async function buildWeb({ only, force = false, onBuilt = () => {} }: Options = {}): Promise<void> {
  const workspaces = readWorkspaces();
  const all = webPackages(workspaces);
  const dirs = all.map(({ dir }) => dir);
  const unknown = only?.filter((dir) => !dirs.includes(dir)) ?? [];
  if (unknown.length > 0)
    throw new Error(`no web package ${unknown.join(', ')}; the web packages are ${dirs.join(', ')}`);
  const queue = all.filter(({ dir }) => !only || only.includes(dir));
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      onBuilt(await buildOne({ workspaces, workspace: next, force }));
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
}

async function buildOne({
  workspaces,
  workspace,
  force,
}: {
  workspaces: Workspaces;
  workspace: Workspace;
  force: boolean;
}): Promise<Built> {
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
      throw new Error(`${dir}: the build has no mf-manifest.json`);
    }
    if (facts) await writeFacts(distOf(dir), { ...facts, surface: surfaceOf(path.join(ROOT, dir)) });
    await precompress(distOf(dir));
    // Written last, so an incomplete build has none.
    writeFileSync(path.join(distOf(dir), STAMP), JSON.stringify({ version, ...versions }));
  }
  return { dir, version, fresh, ms: Math.round(performance.now() - startedMs) };
}

/** Returns the versions in the shell; modules declare the ranges that they work with. */
function versionsOfShell(workspaces: Workspaces): Omit<Stamp, 'version'> {
  return { sdk: workspaceOf(workspaces, '@cord/sdk').version, ui: workspaceOf(workspaces, '@cord/ui').version };
}
