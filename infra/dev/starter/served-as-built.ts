import { watch } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './paths.mjs';

/**
 * `npm run dev`: when a module that is served as built changes, prints once the command that reloads it.
 * @param folders of these modules, relative to `root`
 * @returns a function that ends it
 */
export function hintOnBuiltModules(folders: string[], report: (line: string) => void, root: string = ROOT): () => void {
  const hinted = new Set();
  const watchers = folders.map((folder) =>
    watch(join(root, folder), { recursive: true }, (_event, file) => {
      if (hinted.has(folder) || !isSource(file ?? '')) return;
      hinted.add(folder);
      const name = folder.replace(/^mfe-|^.*\//, '');
      report(`${folder} is served as built: npm run dev -- ${name} reloads it in the page`);
    }),
  );
  return () => {
    for (const watcher of watchers) watcher.close();
  };
}

function isSource(file: string) {
  return /\.(?:tsx?|css|json)$/.test(file) && !/(^|[\\/])(dist|node_modules)[\\/]|\.(?:test|stories)\.tsx?$/.test(file);
}
