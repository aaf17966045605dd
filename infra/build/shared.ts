import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * The packages of which a page may hold one copy only: React keeps its hooks in module state, the sdk (with
 * the query client behind its hooks) travels by React context, and the design system's overlays share one focus stack.
 *
 * The host provides them (shell/federation/shared.ts has the same list, a test compares the two); a module takes them
 * from the host and carries none of its own (`import: false`), so a module built against another major fails
 * loudly at load instead of running two Reacts. React from 19.2 on, which has Activity and useEffectEvent.
 */
export const SHARED_RANGES = {
  react: '^19.2.0',
  'react/jsx-runtime': '^19.2.0',
  'react-dom': '^19.2.0',
  'react-dom/client': '^19.2.0',
};

/** Of ours the range is a module's own: it stands in its package.json, and is what a publish is held to. */
export const SHARED_OF_OURS = { sdk: '@cord/sdk', ui: '@cord/ui' } as const;

/** Of each of ours a caret range. */
export type Ranges = Record<keyof typeof SHARED_OF_OURS, string>;

/** What a module may import of them: each entry by its name, and whose version it has. */
export const SHARED_ENTRIES: Readonly<Record<string, keyof typeof SHARED_OF_OURS>> = {
  '@cord/sdk': 'sdk',
  '@cord/sdk/views': 'sdk',
  '@cord/ui': 'ui',
  '@cord/ui/overlays': 'ui',
};

/**
 * Which sdk and which design system a module works with.
 * @param dir the module's folder
 * @throws {Error} naming the file and a range that is none
 */
export function rangesOf(dir: string): Ranges {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(path.join(dir, 'package.json'), 'utf8'));
  // A package of its own installs some copy for its types; the range that it works with is among the peer dependencies.
  const declared: Record<string, string> = { ...dependencies, ...peerDependencies };
  const rangeOf = (name: string) => {
    const range = declared[name] ?? '';
    if (!/^\^\d+\.\d+\.\d+$/.test(range))
      throw new Error(`${dir}/package.json: ${name} is "${range}", not a range such as ^1.0.0`);
    return range;
  };
  return { sdk: rangeOf(SHARED_OF_OURS.sdk), ui: rangeOf(SHARED_OF_OURS.ui) };
}

/** The `shared` option of the module in a folder: everything comes from the host. */
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
