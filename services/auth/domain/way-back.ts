const BACK_MAX = 512;
const NAME = /^[a-z][a-z0-9-]{0,31}$/;
/** Parameters that the shell reads once and removes from the address: only this service writes them. */
const ONCE = ['welcome', 'auth_error', 'ref'];

/**
 * Returns the place within the app to which a sign-in returns (`?tab=admin&view=users`), so that an operator who must sign in
 * again for an action continues there. It is a query of the app's own page, never an address: tab-style names, re-encoded values.
 * @returns without the `?`; null for any other query
 */
export function backOf(query: string): string | null {
  if (query.length > BACK_MAX) return null;
  const given = new URLSearchParams(query);
  if (!given.has('tab')) return null;
  const kept = new URLSearchParams([...given].filter(([name]) => NAME.test(name) && !ONCE.includes(name)));
  return kept.toString();
}
