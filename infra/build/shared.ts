import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Packages that a page may contain only once: React keeps hooks in module state, the sdk (with the query client of its
 * hooks) uses React context, and the design system's overlays share one focus stack.
 *
 * The host provides them (shell/federation/shared.ts has the same list; a test compares the two). A module contains no
 * copy (`import: false`), so one built for another major fails at load instead of running two Reacts. React 19.2 or
 * later, for Activity and useEffectEvent.
 */
export const SHARED_RANGES = {
  react: '^19.2.0',
  'react/jsx-runtime': '^19.2.0',
  'react-dom': '^19.2.0',
  'react-dom/client': '^19.2.0',
};

/** Our own packages; each module's package.json has the range, and a publish checks it. */
export const SHARED_OF_OURS = { sdk: '@cord/sdk', ui: '@cord/ui' } as const;

/** Caret ranges of our own packages. */
export type Ranges = Record<keyof typeof SHARED_OF_OURS, string>;

/** Entry names of our packages for imports, with the package whose version they have. */
export const SHARED_ENTRIES: Readonly<Record<string, keyof typeof SHARED_OF_OURS>> = {
  '@cord/sdk': 'sdk',
  '@cord/sdk/views': 'sdk',
  '@cord/ui': 'ui',
  '@cord/ui/overlays': 'ui',
};

/**
 * Returns the sdk and design system ranges that a module works with.
 * @param dir the module's folder
 * @throws {Error} naming the file and an invalid range
 */
export function rangesOf(dir: string): Ranges {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(path.join(dir, 'package.json'), 'utf8'));
  // An outside package installs some copy for its types; its peer dependencies have the working range.
  const declared: Record<string, string> = { ...dependencies, ...peerDependencies };
  const rangeOf = (name: string) => {
    const range = declared[name] ?? '';
    if (!/^\^\d+\.\d+\.\d+$/.test(range))
      throw new Error(`${dir}/package.json: ${name} is "${range}", not a range such as ^1.0.0`);
    return range;
  };
  return { sdk: rangeOf(SHARED_OF_OURS.sdk), ui: rangeOf(SHARED_OF_OURS.ui) };
}

/** Returns the `shared` option of the module in a folder: everything comes from the host. */
export function remoteShared(dir: string) {
  const ranges = rangesOf(dir);
  const ours = Object.entries(SHARED_ENTRIES).map(([name, short]) => [name, ranges[short]] as const);
  return Object.fromEntries(
    [...Object.entries(SHARED_RANGES), ...ours].map(([name, requiredVersion]) => [
      name,
      { singleton: true, requiredVersion, import: false as const, strictVersion: true },
    ]),
  );
}
