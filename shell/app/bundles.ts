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
/** Entries of the ledger for every "Why this number?"; lent to the modules. */
export const LEDGER_ENTRIES = lazyFile(() =>
  import('../ledger/ledger-entries').then(({ LedgerEntries }) => LedgerEntries),
);

const HINT_KEY = 'cord.was-signed-in';
/** Of a session that auth has marked by the cookie; one of an earlier release has no mark. */
const BY_COOKIE = '2';
/** Stands as long as there is a session, which no script can see (services/auth/signin/oauth-cookie.ts). */
const HINT_COOKIE = 'cord-signed-in';

type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/**
 * Whether there is most likely a session: auth's cookie shows it, or this device ended signed in with one of an earlier release. Without it
 * no session is read.
 */
export function expectsSession(storage: Pick<Kept, 'getItem'>, page: Pick<Document, 'cookie'> = document): boolean {
  if (page.cookie.split('; ').some((pair) => pair.startsWith(`${HINT_COOKIE}=`))) return true;
  return ![null, BY_COOKIE].includes(storage.getItem(HINT_KEY));
}

/** Starts fetching what the page most likely shows, while the session is being read. A failure shows when it is needed. */
export async function fetchLikelyBundle(sessionExpected: boolean): Promise<void> {
  await ownTask();
  const read = sessionExpected ? readSignedIn : readLanding;
  // Not `preload`: the app waits for the words of the account, which is not known yet, and the first screen is rendered in slices.
  await read().catch(() => undefined);
}

/** Remembers on this device which of the two the next start will most likely show. */
export function rememberSignedIn(storage: Kept, signedIn: boolean, page: Pick<Document, 'cookie'> = document): void {
  if (signedIn) {
    storage.setItem(HINT_KEY, BY_COOKIE);
    return;
  }
  storage.removeItem(HINT_KEY);
  page.cookie = `${HINT_COOKIE}=; Max-Age=0; Path=/; SameSite=Lax`;
}
