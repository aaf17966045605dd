#!/usr/bin/env node
import { transpilePackages } from './transpile.mjs';
import { buildWeb } from './web-build.mjs';

const USAGE = `npm run build [-- --web | --node] [--force] [PACKAGE...]
  Builds what changed: services to their dist/ (transpiled; npm run typecheck looks at the types), the shell and the
  modules with rspack.
  PACKAGE is a folder of a web package: shell mfe-mining mfe-tasks ...`;

async function main(args) {
  const flags = args.filter((arg) => arg.startsWith('--'));
  const only = args.filter((arg) => !arg.startsWith('--'));
  const unknown = flags.find((flag) => !['--web', '--node', '--force', '--help'].includes(flag));
  if (unknown || flags.includes('--help')) {
    console.log(unknown ? `unknown flag ${unknown}\n${USAGE}` : USAGE);
    process.exit(unknown ? 1 : 0);
  }
  if (!flags.includes('--web') && only.length === 0) await transpilePackages();
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
