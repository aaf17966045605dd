// @ts-check
// `npm run build`. Node 20 cannot read TypeScript, so tsx translates it.
import { parseArgs } from 'node:util';
import { register } from 'tsx/esm/api';

register();
const { buildWeb } = await import('./web-build.ts');

const USAGE = `npm run build [-- --web | --node] [--force] [PACKAGE...]
  Builds what changed: services to their dist/ (transpiled; npm run typecheck checks the types), the shell and the
  modules with rspack.
  PACKAGE is a folder of a web package: shell mfe-mining mfe-tasks ...`;

try {
  const flag = /** @type {const} */ ({ type: 'boolean', default: false });
  const { values, positionals } = parseArgs({
    options: { web: flag, node: flag, force: flag, help: flag },
    allowPositionals: true,
  });
  if (values.help) {
    console.log(USAGE);
  } else {
    if (values.node && values.web) throw new Error('--web and --node exclude each other; without either all is built');
    if (values.node && positionals.length > 0)
      throw new Error(`--node does not build web packages: ${positionals.join(' ')}`);
    if (!values.web && positionals.length === 0) {
      // The compiler is a large import, which a start with nothing to build skips.
      const { transpilePackages } = await import('./transpile.ts');
      await transpilePackages();
    }
    if (!values.node)
      await buildWeb({
        ...(positionals.length > 0 ? { only: positionals } : {}),
        force: values.force,
        onBuilt: ({ dir, version, fresh, ms }) =>
          console.log(`${fresh ? 'fresh' : 'built'} ${dir} ${version} ${ms} ms`),
      });
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
