/** One-time parameters of the page's address (infra/README.md#addresses). All but the tab are removed from it. */
export interface Arrival {
  /** Key of a failed sign-in. */
  authError: string | null;
  /** Set on return from Discord. */
  welcome: 'new' | 'back' | null;
  referral: string | null;
}

/** `lang` is for link previews; the page uses its reader's language. */
const ONCE = ['auth_error', 'welcome', 'ref', 'lang'] as const;

/** Reads and removes the one-time parameters, so that a reload or a shared link does not repeat them. */
export function takeArrival(location: Location, history: History): Arrival {
  const query = new URLSearchParams(location.search);
  const welcome = query.get('welcome');
  const arrival: Arrival = {
    authError: query.get('auth_error'),
    welcome: welcome === 'new' || welcome === 'back' ? welcome : null,
    referral: query.get('ref'),
  };
  if (ONCE.some((name) => query.has(name))) {
    for (const name of ONCE) query.delete(name);
    const rest = query.toString();
    history.replaceState(history.state, '', `${location.pathname}${rest === '' ? '' : `?${rest}`}${location.hash}`);
  }
  return arrival;
}
