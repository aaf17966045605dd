import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../../dev/starter/paths.mjs';

const NOT_COPIED = /(^|\/)(node_modules|dist|\..*)$|\.stories\.tsx$/;
const OURS = '@cord/';

/** The test configuration of this repository, for one folder. Packages with sources and styles are transformed. */
const vitest = (more: string) => `import { defineConfig } from 'vitest/config';

export default defineConfig({
  css: { modules: { generateScopedName: '[local]' } },
  test: {
    css: { include: [/\\.module\\.css$/], modules: { classNameStrategy: 'non-scoped' } },
    server: { deps: { inline: [/@cord\\/(sdk|ui)/] } },
    isolate: false,${more}
    testTimeout: 120_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 60_000 } },
    exclude: ['node_modules/**', 'dist/**'],
  },
});
`;

/** Each test starts with an empty browser, as in the modules here. */
const IN_A_DOM = `
    environment: 'jsdom',
    setupFiles: ['@cord/sdk/testing/screens'],`;

/**
 * Copies services/tasks as a separate team would have it.
 * @param archives of our packages
 */
export function serviceFolder(folder: string, archives: Record<string, string>) {
  const manifest = copy('services/tasks', folder);
  write(folder, 'package.json', {
    ...manifest,
    dependencies: withArchives(manifest.dependencies, archives),
    devDependencies: versions('.', ['@types/node', 'fast-check', 'typescript', 'vitest'], {
      '@types/koa': devVersion('services/kit', '@types/koa'),
    }),
    overrides: { '@nats-io/nuid': json('.').overrides['@nats-io/nuid'] },
    scripts: { types: 'tsc --noEmit', build: 'tsc -p tsconfig.build.json', test: 'vitest run' },
  });
  write(folder, 'tsconfig.json', { ...base('NodeNext'), include: ['**/*.ts'], exclude: ['dist', 'vitest.config.ts'] });
  write(folder, 'tsconfig.build.json', {
    extends: './tsconfig.json',
    compilerOptions: { noEmit: false, outDir: 'dist' },
    exclude: ['dist', 'test', '**/*.test.ts', 'vitest.config.ts'],
  });
  writeFileSync(path.join(folder, 'vitest.config.ts'), vitest(''));
}

/** Copies mfe-tasks as a separate team would have it. */
export function moduleFolder(folder: string, archives: Record<string, string>) {
  const { dependencies, ...manifest } = copy('mfe-tasks', folder);
  const installed = { ...dependencies, ...manifest.devDependencies };
  write(folder, 'package.json', {
    ...manifest,
    name: '@acme/mfe-tasks',
    version: '1.1.0',
    // Peer dependencies are ranges; the build uses one copy.
    peerDependencies: { '@cord/sdk': dependencies['@cord/sdk'], '@cord/ui': dependencies['@cord/ui'] },
    dependencies: {},
    devDependencies: {
      ...withArchives(installed, archives),
      ...versions('.', ['@types/node', 'typescript', 'vitest'], {}),
      ...testing(),
      '@types/react': devVersion('infra/build', '@types/react'),
      '@types/react-dom': devVersion('infra/build', '@types/react-dom'),
    },
    scripts: { types: 'tsc', build: 'cord-build', test: 'vitest run' },
  });
  const web = { ...base('Bundler') };
  Object.assign(web.compilerOptions, {
    ...{ module: 'ESNext', jsx: 'react-jsx', lib: ['ES2023', 'DOM', 'DOM.Iterable'] },
    types: ['node', 'react', 'react-dom', '@cord/build/css.d.ts'],
  });
  write(folder, 'tsconfig.json', { ...web, include: ['**/*.ts', '**/*.tsx'], exclude: ['dist', 'vitest.config.ts'] });
  writeFileSync(path.join(folder, 'vitest.config.ts'), vitest(IN_A_DOM));
}

function copy(dir: string, folder: string) {
  mkdirSync(folder, { recursive: true });
  const from = path.join(ROOT, dir);
  cpSync(from, folder, { recursive: true, filter: (file) => !NOT_COPIED.test(path.relative(from, file)) });
  const { private: _private, scripts: _scripts, ...manifest } = json(dir);
  return manifest;
}

/** The base type configuration, without the condition that resolves to sources of this repository. */
function base(moduleResolution: string) {
  const { customConditions: _ours, ...options } = json('.', 'tsconfig.json').compilerOptions;
  return { compilerOptions: { ...options, moduleResolution } };
}

function withArchives(dependencies: Record<string, string>, archives: Record<string, string>) {
  const others = Object.entries(dependencies).filter(([name]) => !name.startsWith(OURS));
  const ours = Object.entries(archives).map(([name, file]) => [name, `file:${file}`]);
  return Object.fromEntries([...others, ...ours]);
}

function versions(dir: string, names: readonly string[], more: Record<string, string>) {
  const { devDependencies } = json(dir);
  return { ...Object.fromEntries(names.map((name) => [name, devDependencies[name]])), ...more };
}

/** Dependencies of component tests. */
function testing() {
  const { devDependencies = {}, dependencies = {} } = json('infra/test');
  const all = Object.entries({ ...dependencies, ...devDependencies });
  return Object.fromEntries(all.filter(([name]) => name === 'jsdom' || name.startsWith('@testing-library/')));
}

const devVersion = (dir: string, name: string) => json(dir).devDependencies[name];
const json = (dir: string, file = 'package.json') => JSON.parse(readFileSync(path.join(ROOT, dir, file), 'utf8'));
const write = (folder: string, file: string, content: object) =>
  writeFileSync(path.join(folder, file), `${JSON.stringify(content, null, 2)}\n`);
