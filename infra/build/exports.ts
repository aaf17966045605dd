import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { moduleFolders } from './built.ts';
import { classesNamedIn, globalClasses, NOT_SHOWN } from './global-classes.ts';
import { surfaceOf } from './module-surface.ts';
import { rangesOf, SHARED_OF_OURS } from './shared.ts';
import { sourceFiles } from './source-files.ts';
import { parsed } from './syntax.ts';
import { ROOT } from './workspaces.ts';

/** Packages that a page shares between shell and modules: a change affects modules built earlier. */
const SHARED_PACKAGES = { sdk: 'shell/sdk', ui: 'storybook/ui' };
/** Entry files of the packages. */
const ENTRIES = ['index.ts', 'views.ts', 'overlays/index.ts'];
const RECORD = 'exports.json';

type Short = keyof typeof SHARED_PACKAGES;

/** The recorded exports of a package. */
export interface ExportRecord {
  version: string;
  /** The version that introduced each name; of the design system also global classes, such as `.l-row`. */
  exports: Record<string, string>;
}

/** The current exports of a package. */
interface Live {
  version: string;
  names: string[];
}

/**
 * Returns the exports of a package, values and types.
 * @param dir the package's folder; its entries export by name
 * @returns sorted
 * @throws {Error} naming an export without a name
 */
export function exportsOf(dir: string): string[] {
  const files = ENTRIES.map((entry) => path.join(dir, entry)).filter((file) => existsSync(file));
  return files.flatMap(namesIn).sort();
}

function namesIn(file: string): string[] {
  const entries = parsed(file, readFileSync(file, 'utf8')).module.staticExports.flatMap(({ entries }) => entries);
  return entries.map(({ exportName }) => {
    if (exportName.kind !== 'Name' || exportName.name === null)
      throw new Error(`${file}: name each export, without export *`);
    return exportName.name;
  });
}

/**
 * Compares exports with the record, and returns the required version bump: minor for a new export, major for a removed one.
 */
export function differences(
  record: ExportRecord,
  now: string[],
): { added: string[]; gone: string[]; raise: 'major' | 'minor' | null } {
  const added = now.filter((name) => !(name in record.exports));
  const gone = Object.keys(record.exports).filter((name) => !now.includes(name));
  return { added, gone, raise: gone.length > 0 ? 'major' : added.length > 0 ? 'minor' : null };
}

/** Returns the minimum version after a bump. */
export function raised(version: string, part: 'major' | 'minor'): string {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return part === 'major' ? `${major + 1}.0.0` : `${major}.${minor + 1}.0`;
}

/** Returns the reasons to refuse a package's current exports. */
export function exportProblems(name: string, record: ExportRecord, live: Live): string[] {
  const { added, gone, raise } = differences(record, live.names);
  if (raise === null) return [];
  const what = [
    ...added.map((each) => `${name}: ${each} is new`),
    ...gone.map((each) => `${name}: ${each} was removed`),
  ];
  const least = raised(record.version, raise);
  const late = live.version.localeCompare(least, 'en', { numeric: true }) < 0;
  return [...what, late ? `${name} ${live.version} must be ${least} for this` : `${name}: npx cord exports record`];
}

/**
 * Finds what a module imports that is newer than its minimum version: it would throw in a shell of that version.
 * @param dir the module's folder
 */
export function rangeProblems(
  dir: string,
  taken: Record<Short, string[]>,
  ranges: Record<Short, string>,
  records: Record<Short, ExportRecord>,
): string[] {
  return (Object.entries(SHARED_OF_OURS) as [Short, string][]).flatMap(([short, name]) =>
    taken[short].flatMap((each) => {
      const since = records[short].exports[each];
      const isLater = since !== undefined && ranges[short].slice(1).localeCompare(since, 'en', { numeric: true }) < 0;
      return isLater ? [`${dir}/package.json: ${name} is ${ranges[short]}, but ${each} needs ${since}`] : [];
    }),
  );
}

/** Returns the next record. After a major bump, the new version introduces all exports. */
export function recordOf(record: ExportRecord, { version, names }: Live): ExportRecord {
  const known = differences(record, names).raise === 'major' ? {} : record.exports;
  return { version, exports: Object.fromEntries(names.map((name) => [name, known[name] ?? version])) };
}

/** Returns the records of both packages. */
export function recordedExports(): Record<Short, ExportRecord> {
  const read = (dir: string): ExportRecord => JSON.parse(readFileSync(path.join(ROOT, dir, RECORD), 'utf8'));
  return { sdk: read(SHARED_PACKAGES.sdk), ui: read(SHARED_PACKAGES.ui) };
}

function readBoth(dir: string): { name: string; file: string; live: Live; record: ExportRecord } {
  const { name, version } = JSON.parse(readFileSync(path.join(ROOT, dir, 'package.json'), 'utf8'));
  const file = path.join(ROOT, dir, RECORD);
  const classes = dir === SHARED_PACKAGES.ui ? globalClasses(path.join(ROOT, dir)).map(ofClass) : [];
  const live = { version, names: [...classes, ...exportsOf(path.join(ROOT, dir))] };
  return { name, file, live, record: JSON.parse(readFileSync(file, 'utf8')) };
}

/**
 * Checks that both packages' exports match the record or a bumped version, and that modules require the version that they need.
 * @throws {Error} with one line per problem
 */
export function checkExports(): void {
  const problems = Object.values(SHARED_PACKAGES).flatMap((dir) => {
    const { name, live, record } = readBoth(dir);
    return exportProblems(name, record, live);
  });
  const records = recordedExports();
  for (const dir of moduleFolders()) {
    const at = path.join(ROOT, dir);
    const { sdk, ui } = surfaceOf(at);
    problems.push(...rangeProblems(dir, { sdk, ui: [...ui, ...classesTakenBy(dir)] }, rangesOf(at), records));
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
  console.log('the exports of sdk and ui are as recorded');
}

const ofClass = (name: string) => `.${name}`;

/** Returns the global classes that a module's views use, in their recorded form. */
function classesTakenBy(dir: string): string[] {
  const files = sourceFiles([`${dir}/**/*.{tsx,module.css}`, NOT_SHOWN]);
  return [...new Set(files.flatMap((file) => classesNamedIn(path.join(ROOT, file))))].sort().map(ofClass);
}

/** Records the exports of both packages. @throws {Error} when a version needs a bump */
export function recordExports(): void {
  const problems = Object.values(SHARED_PACKAGES).flatMap((dir) => {
    const { name, file, live, record } = readBoth(dir);
    const found = exportProblems(name, record, live);
    if (found.some((each) => each.includes(' must be '))) return found;
    writeFileSync(file, `${JSON.stringify(recordOf(record, live), null, 2)}\n`);
    return [];
  });
  if (problems.length > 0) throw new Error(problems.join('\n'));
  console.log('recorded');
}
