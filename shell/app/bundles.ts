import { loadOverlays } from '@cord/ui';
import { fetchAhead } from './later-bundle';
import { idle, ownTask } from './scheduling';

/* The parts of the shell that come in files of their own, so that nobody waits for what they do not see. */

export const LANDING = () =>
  import(/* webpackChunkName: 'landing' */ '../landing/landing').then(({ Landing }) => Landing);
/** A dialog and what dialogs are made of, side by side. */
export const AUTH_MODAL = () =>
  Promise.all([import('../auth-modal/auth-modal'), loadOverlays()]).then(([{ AuthModal }]) => AuthModal);
export const SIGNED_IN = () =>
  import(/* webpackChunkName: 'signed-in' */ './signed-in-bundle').then(({ readSignedIn }) => readSignedIn());
export const SETTINGS = () => import('../settings/settings').then(({ Settings }) => Settings);
/** Shows the page of a module, and has single-spa ready for the first of them. */
export const MODULE_TAB = () =>
  import('../tabs/module-tab').then(({ ModuleTab, readyModuleTabs }) => {
    readyModuleTabs();
    return ModuleTab;
  });
export const WELCOME = () =>
  Promise.all([import('../welcome/welcome-popup'), loadOverlays()]).then(([{ WelcomePopup }]) => WelcomePopup);

/** Asks before somebody signs out. */
export const SIGN_OUT = () =>
  Promise.all([import('../session/sign-out-dialog'), loadOverlays()]).then(([{ SignOutDialog }]) => SignOutDialog);
/** The menu of small screens. */
export const MENU = () =>
  Promise.all([import('../header/menu-sheet'), loadOverlays()]).then(([{ MenuSheet }]) => MenuSheet);
export const LEDGER = () =>
  Promise.all([import('../ledger/ledger-dialog'), loadOverlays()]).then(([{ LedgerDialog }]) => LedgerDialog);
/** What "Why this number?" answers on the dashboard. */
export const ANSWERS = () => import('../dashboard/answers').then(({ Answer }) => Answer);
export const LEDGER_ENTRIES = () => import('../ledger/ledger-entries').then(({ LedgerEntries }) => LedgerEntries);

const HINT_KEY = 'cord.was-signed-in';

type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Whether somebody is most likely signed in: they come back from Discord, or this device ended signed in. Only a guess. */
export function expectsSession(storage: Pick<Kept, 'getItem'>, cameBack: boolean): boolean {
  return cameBack || storage.getItem(HINT_KEY) !== null;
}

/** Starts fetching what the page most likely shows, while the server is asked who is signed in. A failure shows when it is needed. */
export async function fetchLikelyBundle(sessionExpected: boolean): Promise<void> {
  await ownTask();
  const load = sessionExpected ? SIGNED_IN : LANDING;
  await load().catch(() => undefined);
}

/** Remembers on this device which of the two the next start will most likely show. */
export function rememberSignedIn(storage: Kept, signedIn: boolean): void {
  if (signedIn) storage.setItem(HINT_KEY, '1');
  else storage.removeItem(HINT_KEY);
}

/** Fetches the settings at the first sign that somebody is about to open them; few visits do. */
export function fetchSettings(): void {
  void fetchAhead(SETTINGS);
}

/** Fetches what shows a module's page at the first sign of a hand on the page: every way to a tab begins with one. */
export function fetchModuleTab(): void {
  void fetchAhead(MODULE_TAB);
}

/** Fetches the menu of small screens as its first tap may be on its way. */
export function fetchMenu(): void {
  void fetchAhead(MENU);
}

/** Fetches what "Why this number?" answers as the first question may be on its way. */
export function fetchAnswers(): void {
  void fetchAhead(ANSWERS);
}

/** Fetches the code of the page of each of these modules, one after the other in idle time; nothing of it is rendered, and a failure is told by the visit itself. */
export async function fetchPages(modules: Iterable<string>): Promise<void> {
  for (const module of modules) {
    await idle();
    const { moduleLoader } = await import(/* webpackChunkName: 'module-loader' */ '../federation/module-loader');
    await moduleLoader.load(module, 'page').catch(() => undefined);
  }
}
