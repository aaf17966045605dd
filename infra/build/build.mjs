#!/usr/bin/env node
import { spawn } from 'node:child_process';
import path from 'node:path';
import { buildWeb } from './web-build.mjs';
import { ROOT } from './workspaces.mjs';

const USAGE = `npm run build [-- --web | --node] [--force] [PACKAGE...]
  Builds what changed: services to their dist/ (tsc -b), the shell and the modules with rspack.
  PACKAGE is a folder of a web package: shell mfe-mining mfe-tasks ...`;

/** Compiles the node-side packages; tsc -b itself skips what is up to date. */
export function buildNode({ stdio = 'inherit' } = {}) {
  const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc');
  return new Promise((resolve, reject) => {
    spawn(process.execPath, [tsc, '-b'], { cwd: ROOT, stdio })
      .on('error', reject)
      .on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`tsc -b ended with ${code}`))));
  });
}

async function main(args) {
  const flags = args.filter((arg) => arg.startsWith('--'));
  const only = args.filter((arg) => !arg.startsWith('--'));
  const unknown = flags.find((flag) => !['--web', '--node', '--force', '--help'].includes(flag));
  if (unknown || flags.includes('--help')) {
    console.log(unknown ? `unknown flag ${unknown}\n${USAGE}` : USAGE);
    process.exit(unknown ? 1 : 0);
  }
  if (!flags.includes('--web') && only.length === 0) await buildNode();
  if (flags.includes('--node')) return;
  await buildWeb({
    ...(only.length > 0 ? { only } : {}),
    force: flags.includes('--force'),
    onBuilt: ({ dir, version, fresh, ms }) => console.log(`${fresh ? 'fresh' : 'built'} ${dir} ${version} ${ms} ms`),
  });
}

if (process.argv[1] === import.meta.filename) {
  main(process.argv.slice(2)).catch((error) => {
    console.error(error.message);
    process.exit(1);
  });
}
