import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { moduleFolders } from './built.ts';
import { classesNamedIn, globalClasses, NOT_SHOWN } from './global-classes.ts';
import { surfaceOf } from './module-surface.ts';
import { rangesOf, SHARED_OF_OURS } from './shared.ts';
import { sourceFiles } from './source-files.ts';
import { parsed } from './syntax.ts';
import { ROOT } from './workspaces.ts';

/** What a page shares between shell and modules, so that a change of it meets modules that were built before. */
const SHARED_PACKAGES = { sdk: 'shell/sdk', ui: 'storybook/ui' };
/** Their entries; each exports by name. */
const ENTRIES = ['index.ts', 'views.ts', 'overlays/index.ts'];
const RECORD = 'exports.json';

type Short = keyof typeof SHARED_PACKAGES;

/** What was recorded of a package. */
export interface ExportRecord {
  version: string;
  /** By name the version that it came with; of the design system also its classes for all, as `.l-row`. */
  exports: Record<string, string>;
}

/** What a package exports as it stands. */
interface Live {
  version: string;
  names: string[];
}

/**
 * What a package exports, values and types.
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
    if (exportName.kind !== 'Name' || exportName.name === null) throw new Error(`${file}: name each export`);
    return exportName.name;
  });
}

/**
 * What differs, and by which part of the version it must have been raised: a new export the minor, one that is gone the major.
 */
export function differences(
  record: ExportRecord,
  now: string[],
): { added: string[]; gone: string[]; raise: 'major' | 'minor' | null } {
  const added = now.filter((name) => !(name in record.exports));
  const gone = Object.keys(record.exports).filter((name) => !now.includes(name));
  return { added, gone, raise: gone.length > 0 ? 'major' : added.length > 0 ? 'minor' : null };
}

/** The least version for a change of that size. */
export function raised(version: string, part: 'major' | 'minor'): string {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return part === 'major' ? `${major + 1}.0.0` : `${major}.${minor + 1}.0`;
}

/**
 * Why a package as it stands is refused.
 */
export function exportProblems(name: string, record: ExportRecord, live: Live): string[] {
  const { added, gone, raise } = differences(record, live.names);
  if (raise === null) return [];
  const what = [...added.map((each) => `${name}: ${each} is new`), ...gone.map((each) => `${name}: ${each} is gone`)];
  const least = raised(record.version, raise);
  const late = live.version.localeCompare(least, 'en', { numeric: true }) < 0;
  return [...what, late ? `${name} ${live.version} must be ${least} for this` : `${name}: npx cord exports record`];
}

/**
 * What a module takes that came later than the least version that it names: in a shell of that version it would throw.
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
      return isLater ? [`${dir}/package.json: ${name} is ${ranges[short]}, but ${each} came with ${since}`] : [];
    }),
  );
}

/** The next record: with a new major version all exports begin anew. */
export function recordOf(record: ExportRecord, { version, names }: Live): ExportRecord {
  const known = differences(record, names).raise === 'major' ? {} : record.exports;
  return { version, exports: Object.fromEntries(names.map((name) => [name, known[name] ?? version])) };
}

/** What is recorded of both. */
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
 * Whether what both packages export is as recorded, or their version is raised for it, and whether modules name the version that they need.
 * @throws {Error} a line for each problem
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
  console.log('what sdk and ui export is as recorded');
}

const ofClass = (name: string) => `.${name}`;

/** The classes for all that what a module shows takes, as they are recorded. */
function classesTakenBy(dir: string): string[] {
  const files = sourceFiles([`${dir}/**/*.{tsx,module.css}`, NOT_SHOWN]);
  return [...new Set(files.flatMap((file) => classesNamedIn(path.join(ROOT, file))))].sort().map(ofClass);
}

/** Records what both packages export. @throws {Error} where a version is not raised */
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
