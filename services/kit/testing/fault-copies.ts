import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sourceFiles } from '../../../infra/build/source-files.ts';

const SERVICES = fileURLToPath(new URL('../../', import.meta.url));

/** One deliberate fault: a text that must occur exactly once in a file, and its replacement. */
export interface Fault {
  /** The property that it breaks. */
  readonly name: string;
  /** Below `services`. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** Most seeds miss it: only the proof runs enough seeds. */
  readonly isRare?: boolean;
}

/** Returns the absolute path of a service file. */
export const fileOf = (path: string): string => join(SERVICES, path);

/** Folder for copies, and the folders below `services` whose files may import the faulty one. */
interface CopyPlaces {
  cache: string;
  folders: readonly string[];
}

/**
 * Writes copies of the file with the fault, and of all files that import it directly or indirectly; others stay the originals.
 * @returns a function that maps a path below `services` to the file to import
 * @throws Error when the text does not occur exactly once, so that a fault cannot silently stop being one
 */
export function copyWithFault(
  { name, file, from, to }: Fault,
  { cache, folders }: CopyPlaces,
): (path: string) => string {
  const root = join(cache, name.replaceAll(/[^a-z]+/gi, '-'));
  rmSync(root, { recursive: true, force: true });
  const sources = sourcesOf(folders);
  const parts = sources.get(file)?.text.split(from) ?? [];
  if (parts.length !== 2) throw new Error(`${name}: the place occurs ${parts.length - 1} times in ${file}`);
  const copied = importersOf(file, sources);
  for (const path of copied) {
    const target = join(root, path);
    mkdirSync(dirname(target), { recursive: true });
    const text = path === file ? parts.join(to) : (sources.get(path)?.text ?? '');
    const resolved = text.replaceAll(SPECIFIER, (whole, specifier: string) => {
      const imported = pathOf(specifier, path);
      return imported ? `'${join(copied.has(imported) ? root : SERVICES, imported)}'` : whole;
    });
    writeFileSync(target, resolved);
  }
  return (path) => (copied.has(path) ? join(root, path) : fileOf(path));
}

interface Source {
  text: string;
  /** Below `services`. */
  imports: ReadonlySet<string>;
}
type Sources = ReadonlyMap<string, Source>;

const SPECIFIER = /'((?:\.\.?|@cord\/(?:kit|contracts))\/[^'\n]+)'/g;

/** @returns the imported path below services; null when it is not a source file */
function pathOf(specifier: string, importer: string): string | null {
  if (specifier.startsWith('@cord/')) return `${specifier.slice('@cord/'.length)}.ts`;
  return specifier.endsWith('.js') ? `${join(dirname(importer), specifier).slice(0, -'.js'.length)}.ts` : null;
}

/** Cached: files do not change during a run, and a suite has some eighty faults. */
const known = new Map<string, Sources>();

/** Returns the source files in these folders, without tests, by path below services. */
function sourcesOf(folders: readonly string[]): Sources {
  const key = folders.join(' ');
  const sources = known.get(key) ?? readSources(folders);
  known.set(key, sources);
  return sources;
}

function readSources(folders: readonly string[]): Sources {
  const sources = new Map<string, Source>();
  const files = folders.map((folder) => `${folder}/**/*.ts`);
  for (const path of sourceFiles([...files, '!**/{test,history}/**', '!**/*.test.ts'], SERVICES)) {
    const text = readFileSync(join(SERVICES, path), 'utf8');
    const imports = [...text.matchAll(SPECIFIER)].flatMap(([, specifier = '']) => pathOf(specifier, path) ?? []);
    sources.set(path, { text, imports: new Set(imports) });
  }
  return sources;
}

/** Returns the file and every direct or indirect importer. */
function importersOf(file: string, sources: Sources): Set<string> {
  const found = new Set([file]);
  // A set iteration also visits elements added meanwhile.
  for (const one of found) for (const [path, { imports }] of sources) if (imports.has(one)) found.add(path);
  return found;
}
