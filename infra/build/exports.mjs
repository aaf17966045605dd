import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { exportsOf } from './export-signatures.mjs';
import { ROOT } from './workspaces.mjs';

const USAGE = `npm run exports -- check    whether what @cord/sdk and @cord/ui export is as recorded, or their version is raised for it (in lint)
npm run exports -- record   records it; refused while the version is not raised`;

/** What a page shares between shell and modules, so that a change of it meets modules that were built before. */
const SHARED_PACKAGES = { sdk: 'shell/sdk', ui: 'storybook/ui' };
const RECORD = 'exports.json';

/**
 * @typedef {Record<string, string>} Signatures by the export's name
 * @typedef {{version: string, exports: Signatures}} Record_
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
    writeFileSync(file, `${JSON.stringify(live, null, 2)}\n`);
    return [];
  });
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
