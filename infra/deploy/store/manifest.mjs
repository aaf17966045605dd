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
export function weigh(manifest, read) {
  return weighAll(firstScripts(manifest), read);
}

/** Files under /assets that a shell's page names. @param {string} html */
export function assetsOf(html) {
  return [...new Set([...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, file]) => file))];
}

/** Bytes of gzip of the scripts that a shell's page runs at first. @param {(file: string) => Promise<string | Buffer | null>} read */
export async function weighShell(read) {
  const html = String((await read('index.html')) ?? '');
  const scripts = [...html.matchAll(/<script[^>]* src="\/(assets\/[^"]+)"/g)].map(([, file]) => file);
  return weighAll(scripts, read);
}

async function weighAll(files, read) {
  const scripts = await Promise.all(files.map(read));
  return scripts.reduce((sum, script) => sum + (script === null ? 0 : gzipSync(script).length), 0);
}

/** What a build says that its module brings to the shell. @returns {import('@cord/build/module-facts.mjs').ModuleFacts} */
export function factsInManifest(manifest) {
  const { tab, parts = [] } = manifest?.cord ?? {};
  return { ...(tab && { tab }), parts };
}
