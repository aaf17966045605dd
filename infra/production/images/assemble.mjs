/** `node assemble.mjs KIND FOLDER`: puts what an image carries into FOLDER: KIND of a service's name, jobs, gateway. */
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { webPackages } from '../../build/built.mjs';
import { standsOn } from '../../build/lock-graph.mjs';
import { ROOT, readWorkspaces } from '../../build/workspaces.mjs';
import { SERVICES } from '../../dev/starter/services.mjs';

/**
 * Of others' packages: types, maps and papers are read by nobody there, and of fonts no style sheet and no cut that cards are not
 * drawn with (services/notices/cards/scripts.ts); what a license asks to keep stays.
 */
const UNREAD = new RegExp(
  [
    String.raw`\.(map|d\.[cm]?ts|tsbuildinfo|markdown)$`,
    String.raw`\/(README|CHANGELOG|HISTORY)(\.md)?$`,
    String.raw`\/@fontsource(-variable)?\/[^/]+\/(scss$|[^/]*\.css$|files\/(?!archivo-.*-wdth-normal|noto-sans-.*-wght-normal|noto-emoji-emoji-600-normal\.woff2))`,
    String.raw`\/satori\/dist\/(experimental|standalone)\.`,
  ].join('|'),
  'i',
);
/** Packages that hold nothing but types. */
const TYPES = /(^|\/)node_modules\/(@types\/|undici-types$)/;
/** Of ours: what only tests and records use. */
const OF_TESTS = /\/(kit\/dist\/testing|contracts\/dist\/record)(\/|$)|\.test\.js|\/test$/;

const node = (dir) => ({ dir, ships: ['package.json', 'dist'] });
const KIT = [
  node('services/contracts'),
  { dir: 'services/kit', ships: ['package.json', 'dist', 'ops-port.mjs', 'variables.mjs'] },
];
const STARTER = { dir: 'infra/dev', ships: ['package.json', 'starter'] };
const HEALTH = { dir: 'infra/production', ships: ['images/ready.mjs'] };

/**
 * What an image of a kind is made of: folders of the checkout with what it takes of each, and what it runs unless told otherwise.
 * @param {string} kind
 * @throws {Error} where there is no such kind
 */
export function contentsOf(kind) {
  if (SERVICES.includes(kind)) {
    const service = `services/${kind}`;
    return { parts: [...KIT, node(service), HEALTH], main: `${service}/dist/main.js`, runs: [service] };
  }
  if (kind === 'jobs') {
    const services = SERVICES.map((name) => node(`services/${name}`));
    const commands = ['data', 'dlq', 'keys', 'migrate', 'switch', 'topology'].map((name) => `${name}.mjs`);
    const dev = { ...STARTER, ships: [...STARTER.ships, 'backup', ...commands] };
    const audit = { dir: 'infra/audit', ships: ['package.json', 'run.mjs', 'dist'] };
    return { parts: [...KIT, ...services, dev, audit], main: null, runs: services.map(({ dir }) => dir) };
  }
  if (kind !== 'gateway') throw new Error(`no image ${kind}: ${[...SERVICES, 'jobs', 'gateway'].join(', ')}`);
  const built = webPackages().map(({ dir }) => ({ dir, ships: ['rspack.config.mjs', 'dist'] }));
  const names = [...readWorkspaces().values()].map(({ dir }) => ({ dir, ships: ['package.json'] }));
  const deploy = { dir: 'infra/deploy', ships: ['module.mjs', 'publish.mjs', 'publish-built.mjs', 'store'] };
  const build = { dir: 'infra/build', ships: ['built.mjs', 'module-name.mjs', 'workspaces.mjs'] };
  const root = { dir: '.', ships: ['package.json'] };
  return {
    parts: [...KIT, node('infra/gateway'), STARTER, HEALTH, ...names, ...built, deploy, build, root],
    main: 'infra/gateway/dist/main.js',
    runs: ['infra/gateway'],
  };
}

/** @param {string} kind @param {string} folder @throws {Error} naming what is missing */
export function assemble(kind, folder) {
  const { parts, main, runs } = contentsOf(kind);
  for (const { dir, ships } of parts) for (const path of ships) copy(join(dir, path), folder, OF_TESTS);
  for (const path of packagesFor(runs)) copy(path, folder, UNREAD);
  linkWorkspaces(folder);
  if (main) writeFileSync(join(folder, 'main.mjs'), `import './${main}';\n`);
}

/** Where others' packages lie that these workspaces run on. @param {string[]} dirs @returns {string[]} each once */
export function packagesFor(dirs) {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const all = dirs.flatMap((dir) => standsOn(lock, dir, runsOn));
  return [...new Set(all)].filter(
    (path) => path.includes('node_modules/') && !TYPES.test(path) && existsSync(join(ROOT, path)),
  );
}

/** What a package asks for when it runs: of what it would work with, only what it cannot do without. */
function runsOn({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta = {} } = {}) {
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta[name]?.optional);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

/** Packages below a package come by themselves where they are needed. */
function copy(path, folder, unwanted) {
  const from = join(ROOT, path);
  if (!existsSync(from)) throw new Error(`${path} is missing: build first`);
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  const wanted = (file) => !unwanted.test(file) && (file === from || !file.endsWith('/node_modules'));
  cpSync(from, join(folder, path), { recursive: true, dereference: true, filter: wanted });
}

/** Ours under their names, as npm has them. */
function linkWorkspaces(folder) {
  mkdirSync(join(folder, 'node_modules/@cord'), { recursive: true });
  for (const { name, dir } of readWorkspaces().values())
    if (existsSync(join(folder, dir, 'package.json')))
      symlinkSync(join('../..', dir), join(folder, 'node_modules', name));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) assemble(process.argv[2], process.argv[3]);
