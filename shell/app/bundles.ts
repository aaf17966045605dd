import { lazyFile } from '@cord/sdk';
import { ownTask } from './scheduling';

/*
 * The parts of the shell that come in files of their own, so that nobody waits for what they do not see: those that a page begins
 * with. What the app behind the sign-in fetches later is in lazy-files.ts.
 */

const readLanding = () => import(/* webpackChunkName: 'landing' */ '../landing/landing').then(({ Landing }) => Landing);
export const LANDING = lazyFile(readLanding);
export const AUTH_MODAL = lazyFile(() => import('../auth-modal/auth-modal').then(({ AuthModal }) => AuthModal));
const readSignedIn = () =>
  import(/* webpackChunkName: 'signed-in' */ './signed-in-bundle').then((file) => file.readSignedIn());
export const SIGNED_IN = lazyFile(readSignedIn);
/** The view that shows the rules, in the settings and without a sign-in: `?tab=settings&view=rules`. */
export const RULES_VIEW = 'rules';
export const RULES_PAGE = lazyFile(() => import('../rules/rules-page').then(({ RulesPage }) => RulesPage));
/** Entries of the ledger for every "Why this number?"; lent to the modules. */
export const LEDGER_ENTRIES = lazyFile(() =>
  import('../ledger/ledger-entries').then(({ LedgerEntries }) => LedgerEntries),
);

/** Stands as long as there is a session, which no script can see (services/auth/signin/oauth-cookie.ts). */
const HINT_COOKIE = 'cord-signed-in';

/** Whether there is most likely a session. Without it no session is read. */
export function expectsSession(page: Pick<Document, 'cookie'> = document): boolean {
  return page.cookie.split('; ').some((pair) => pair.startsWith(`${HINT_COOKIE}=`));
}

/** Starts fetching what the page most likely shows, while the session is being read. A failure shows when it is needed. */
export async function fetchLikelyBundle(sessionExpected: boolean): Promise<void> {
  await ownTask();
  const read = sessionExpected ? readSignedIn : readLanding;
  // Not `preload`: the app waits for the texts of the account, which is not known yet, and the first screen is rendered in slices.
  await read().catch(() => undefined);
}

/** There is no session any more: the next start reads none. */
export function expectNoSession(page: Pick<Document, 'cookie'> = document): void {
  page.cookie = `${HINT_COOKIE}=; Max-Age=0; Path=/; SameSite=Lax`;
}
