import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { moduleFolders } from './built.mjs';
import { exportsOf } from './export-signatures.mjs';
import { surfaceOf } from './module-surface.mjs';
import { rangesOf, SHARED_OF_OURS } from './shared.mjs';
import { ROOT } from './workspaces.mjs';

const USAGE = `npm run exports -- check    whether what @cord/sdk and @cord/ui export is as recorded, or their version is raised for it (in lint)
npm run exports -- record   records it; refused while the version is not raised`;

/** What a page shares between shell and modules, so that a change of it meets modules that were built before. */
const SHARED_PACKAGES = { sdk: 'shell/sdk', ui: 'storybook/ui' };
const RECORD = 'exports.json';

/**
 * @typedef {Record<string, string>} Signatures by the export's name
 * @typedef {{version: string, exports: Signatures, since?: Record<string, string>}} Record_ `since`: in which version an export came, of those that came
 *   after the first record of the major version
 */

/**
 * What differs, and by which part of the version it must have been raised: a new export the minor, one that is gone or another the major.
 * @param {Signatures} before
 * @param {Signatures} now
 */
export function differences(before, now) {
  const added = Object.keys(now).filter((name) => !(name in before));
  const gone = Object.keys(before).filter((name) => !(name in now));
  const changed = Object.keys(now).filter((name) => name in before && before[name] !== now[name]);
  const raise = gone.length + changed.length > 0 ? 'major' : added.length > 0 ? 'minor' : null;
  return { added, gone, changed, raise };
}

/** The least version that says that so much has changed. @param {string} version @param {'major' | 'minor'} part */
export function raised(version, part) {
  const [major, minor] = version.split('.').map(Number);
  return part === 'major' ? `${major + 1}.0.0` : `${major}.${minor + 1}.0`;
}

/**
 * What speaks against a package as it stands.
 * @param {string} name
 * @param {Record_} record what was recorded
 * @param {Record_} live
 * @returns {string[]}
 */
export function exportProblems(name, record, live) {
  const { added, gone, changed, raise } = differences(record.exports, live.exports);
  if (raise === null) return [];
  const what = [
    ...added.map((each) => `${each} is new`),
    ...gone.map((each) => `${each} is gone`),
    ...changed.map((each) => `${each} is another: ${record.exports[each]} -> ${live.exports[each]}`),
  ].map((each) => `${name}: ${each}`);
  const least = raised(record.version, raise);
  const late = live.version.localeCompare(least, 'en', { numeric: true }) < 0;
  return [...what, late ? `${name} ${live.version} must be ${least} for this` : `${name}: npm run exports -- record`];
}

/**
 * What a module takes that came later than the least version that it says to work with: in a shell of that version it would throw.
 * @param {string} dir the module's folder
 * @param {{sdk: string[], ui: string[]}} taken
 * @param {{sdk: string, ui: string}} ranges
 * @param {{sdk: Record_, ui: Record_}} records
 * @returns {string[]}
 */
export function rangeProblems(dir, taken, ranges, records) {
  return Object.entries(SHARED_OF_OURS).flatMap(([short, name]) =>
    taken[short].flatMap((each) => {
      const since = records[short].since?.[each];
      const isLater = since !== undefined && ranges[short].slice(1).localeCompare(since, 'en', { numeric: true }) < 0;
      return isLater ? [`${dir}/package.json: ${name} is ${ranges[short]}, but ${each} came with ${since}`] : [];
    }),
  );
}

/** When each export came, as far as it did after the first record; a new major version begins anew. */
export function sinceOf(record, live) {
  const { added, raise } = differences(record.exports, live.exports);
  if (raise === 'major') return {};
  return { ...record.since, ...Object.fromEntries(added.map((name) => [name, live.version])) };
}

/** What is recorded of both. @returns {{sdk: Record_, ui: Record_}} */
export function recordedExports() {
  return Object.fromEntries(
    Object.entries(SHARED_PACKAGES).map(([short, dir]) => [
      short,
      JSON.parse(readFileSync(path.join(ROOT, dir, RECORD), 'utf8')),
    ]),
  );
}

function readBoth(dir) {
  const { name, version } = JSON.parse(readFileSync(path.join(ROOT, dir, 'package.json'), 'utf8'));
  const file = path.join(ROOT, dir, RECORD);
  const live = { version, exports: exportsOf(path.join(ROOT, dir)) };
  return { name, file, live, record: JSON.parse(readFileSync(file, 'utf8')) };
}

function main([command]) {
  if (command !== 'check' && command !== 'record') throw new Error(USAGE);
  const problems = Object.values(SHARED_PACKAGES).flatMap((dir) => {
    const { name, file, live, record } = readBoth(dir);
    const found = exportProblems(name, record, live);
    if (command === 'check' || found.some((each) => each.includes(' must be '))) return found;
    writeFileSync(file, `${JSON.stringify({ ...live, since: sinceOf(record, live) }, null, 2)}\n`);
    return [];
  });
  if (command === 'check') {
    const records = recordedExports();
    for (const dir of moduleFolders()) {
      const at = path.join(ROOT, dir);
      problems.push(...rangeProblems(dir, surfaceOf(at), rangesOf(at), records));
    }
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
  console.log(command === 'check' ? 'what sdk and ui export is as recorded' : 'recorded');
}

if (process.argv[1] === import.meta.filename) {
  try {
    main(process.argv.slice(2));
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
