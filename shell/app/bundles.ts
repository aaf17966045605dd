import { lazyFile } from '@cord/sdk';
import { ownTask } from './scheduling';

/*
 * Lazy files of the shell that a page starts with, split so that nobody loads code for hidden parts. Files that the
 * signed-in app loads later are in lazy-files.ts.
 */

const readLanding = () => import(/* webpackChunkName: 'landing' */ '../landing/landing').then(({ Landing }) => Landing);
export const LANDING = lazyFile(readLanding);
export const AUTH_MODAL = lazyFile(() => import('../auth-modal/auth-modal').then(({ AuthModal }) => AuthModal));
const readSignedIn = () =>
  import(/* webpackChunkName: 'signed-in' */ './signed-in-bundle').then((file) => file.readSignedIn());
export const SIGNED_IN = lazyFile(readSignedIn);
/** View of the rules, in the settings and without a sign-in: `?tab=settings&view=rules`. */
export const RULES_VIEW = 'rules';
export const RULES_PAGE = lazyFile(() => import('../rules/rules-page').then(({ RulesPage }) => RulesPage));
/** Ledger entries for every "Why this number?"; also for the modules. */
export const LEDGER_ENTRIES = lazyFile(() =>
  import('../ledger/ledger-entries').then(({ LedgerEntries }) => LedgerEntries),
);

/** Set while a session exists, whose own cookie no script can read (services/auth/signin/oauth-cookie.ts). */
const HINT_COOKIE = 'cord-signed-in';

/** Whether a session probably exists. Without it no session is read. */
export function expectsSession(page: Pick<Document, 'cookie'> = document): boolean {
  return page.cookie.split('; ').some((pair) => pair.startsWith(`${HINT_COOKIE}=`));
}

/** Starts to load the likely first screen while the session is being read. A failure is reported when the code is needed. */
export async function fetchLikelyBundle(sessionExpected: boolean): Promise<void> {
  await ownTask();
  const read = sessionExpected ? readSignedIn : readLanding;
  // Not `preload`: the app waits for the account's texts, which are still unknown, and the first screen renders in slices.
  await read().catch(() => undefined);
}

/** Marks that there is no session, so the next start reads none. */
export function expectNoSession(page: Pick<Document, 'cookie'> = document): void {
  page.cookie = `${HINT_COOKIE}=; Max-Age=0; Path=/; SameSite=Lax`;
}
