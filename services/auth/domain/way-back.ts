const BACK_MAX = 512;
const NAME = /^[a-z][a-z0-9-]{0,31}$/;
/** What the shell reads once, and takes off the address: only this service writes them. */
const ONCE = ['welcome', 'auth_error', 'ref'];

/**
 * The place within the app that a sign-in comes back to (`?tab=admin&view=users`), so that an operator whose sign-in was too old for an
 * act goes on where that was. It is a query of the app's own page and never an address: names as tabs have them, values written anew.
 * @returns without the `?`; null for what is no such query
 */
export function backOf(query: string): string | null {
  if (query.length > BACK_MAX) return null;
  const given = new URLSearchParams(query);
  if (!given.has('tab')) return null;
  const kept = new URLSearchParams([...given].filter(([name]) => NAME.test(name) && !ONCE.includes(name)));
  return kept.toString();
}
