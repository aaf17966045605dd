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
  '@cord/sdk': '^1.3.0',
  '@cord/ui': '^1.0.0',
};

/** The `shared` option of a module: everything comes from the host. */
export function remoteShared() {
  return Object.fromEntries(
    Object.entries(SHARED_RANGES).map(([name, requiredVersion]) => [
      name,
      { singleton: true, requiredVersion, import: false, strictVersion: true },
    ]),
  );
}
