import { gzipSync } from 'node:zlib';
import type { Part, Tab } from '@cord/build/module-facts.ts';
import type { Surface } from '@cord/build/module-surface.ts';

/** The fields used from a module's mf-manifest.json. */
export interface Manifest {
  name?: string;
  metaData?: { remoteEntry?: { name?: string } };
  shared?: { name: string; requiredVersion?: string }[];
  exposes?: { name: string; assets?: Record<'js' | 'css', { sync?: string[]; async?: string[] } | undefined> }[];
  /** Written by the build (infra/build). */
  cord?: { tab?: Tab; parts?: Part[]; surface?: Surface; integrity?: Record<string, string> };
}

type Read = (file: string) => Promise<string | Uint8Array | null>;

/** Scripts of a module's page and parts: its own code, without the container that every module has. */
function firstScripts(manifest: Manifest | null): string[] {
  return [...new Set((manifest?.exposes ?? []).flatMap(({ assets }) => assets?.js?.sync ?? []))];
}

/** Size of a module's own code, in bytes of gzip. */
export function weigh(manifest: Manifest | null, read: Read): Promise<number> {
  return weighAll(firstScripts(manifest), read);
}

/** Files under /assets in a shell's page. */
export function assetsOf(html: string): string[] {
  return [...new Set([...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, file = '']) => file))];
}

/** Size of a shell's initial scripts, in bytes of gzip. */
export async function weighShell(read: Read): Promise<number> {
  const html = String((await read('index.html')) ?? '');
  const scripts = [...html.matchAll(/<script[^>]* src="\/(assets\/[^"]+)"/g)].map(([, file = '']) => file);
  return weighAll(scripts, read);
}

async function weighAll(files: readonly string[], read: Read): Promise<number> {
  const scripts = await Promise.all(files.map(read));
  return scripts.reduce<number>((sum, script) => sum + (script === null ? 0 : gzipSync(script).length), 0);
}

/** Returns the tab and parts of a module, from its build. */
export function factsInManifest(manifest: Manifest | null): { tab?: Tab; parts: Part[] } {
  const { tab, parts = [] } = manifest?.cord ?? {};
  return { ...(tab && { tab }), parts };
}
