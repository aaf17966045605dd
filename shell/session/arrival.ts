/** What the address contains when the page opens (infra/README.md#addresses). Everything but the tab is taken off it. */
export interface Arrival {
  /** KEY of a failed sign-in. */
  authError: string | null;
  /** The way back from Discord. */
  welcome: 'new' | 'back' | null;
  referral: string | null;
}

/** `lang` is for who shows a preview of a link: the page is in its reader's own language. */
const ONCE = ['auth_error', 'welcome', 'ref', 'lang'] as const;

/** Reads the one-time parameters and removes them, so that a reload or a shared link does not repeat them. */
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
