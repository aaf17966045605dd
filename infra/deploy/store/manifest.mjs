import { gzipSync } from 'node:zlib';

/** Scripts that a module's page and parts bring along: its own code, without the container that every module has. */
export function firstScripts(manifest) {
  return [...new Set((manifest?.exposes ?? []).flatMap(({ assets }) => assets?.js?.sync ?? []))];
}

/**
 * Bytes of gzip of a module's own code.
 * @param {any} manifest its mf-manifest.json
 * @param {(file: string) => Promise<string | Buffer | null>} read
 */
export async function weigh(manifest, read) {
  const scripts = await Promise.all(firstScripts(manifest).map(read));
  return scripts.reduce((sum, script) => sum + (script === null ? 0 : gzipSync(script).length), 0);
}

/**
 * What a build says that its module brings to the shell.
 * @returns {Partial<import('@cord/build/module-facts.mjs').ModuleFacts>} nothing of a build from before modules said so
 */
export function factsInManifest(manifest) {
  const { tab, parts } = manifest?.cord ?? {};
  return { ...(tab && { tab }), ...(parts && { parts }) };
}
