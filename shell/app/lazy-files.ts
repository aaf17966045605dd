import { lazyFile, type Sdk } from '@cord/sdk';
import { textsLoaded } from './language';
import { idle } from './scheduling';

/*
 * What the app behind the sign-in has in files of their own: what it opens or fetches ahead itself, and what more than one place has. What one place
 * opens may stand there, as the list under the bell does. They are requested from within its own file (bundles.ts has what comes before it), so that
 * what that file has already is in none of them, and nothing of it stands apart for their sake.
 */

export const SETTINGS = lazyFile(() =>
  import(/* webpackChunkName: 'settings' */ '../settings/settings').then(({ Settings }) => Settings),
);
/** Shows the pages of the modules, and has single-spa ready for the first of them. */
export const MODULE_PAGES = lazyFile(() =>
  import(/* webpackChunkName: 'module-pages' */ '../tabs/module-pages').then(({ ModulePages, readyModulePages }) => {
    readyModulePages();
    return ModulePages;
  }),
);
export const WELCOME = lazyFile(() =>
  import(/* webpackChunkName: 'return' */ '../welcome/welcome-popup').then(({ WelcomePopup }) => WelcomePopup),
);

/** The confirmation before signing out. */
export const SIGN_OUT = lazyFile(() =>
  import(/* webpackChunkName: 'first-touch' */ '../session/sign-out-dialog').then(({ SignOutDialog }) => SignOutDialog),
);
/** Whether a node's pause is pushed here; stands on the page of the node. */
export const PAUSE_WARNING = lazyFile(() =>
  import('../settings/push/pause-warning').then(({ PauseWarning }) => PauseWarning),
);
/** Appeals against the network check, in the settings. */
export const APPEAL = lazyFile(() =>
  import(/* webpackChunkName: 'settings' */ '../settings/appeal').then(({ Appeal }) => Appeal),
);
/** The menu of small screens. */
export const MENU = lazyFile(() =>
  import(/* webpackChunkName: 'first-touch' */ '../header/menu-sheet').then(({ MenuSheet }) => MenuSheet),
);
/** What lies under the avatar of wide screens. */
export const USER_MENU = lazyFile(() =>
  import(/* webpackChunkName: 'first-touch' */ '../header/user-menu-items').then(({ UserMenuItems }) => UserMenuItems),
);
/** The view in the settings that shows the check. */
export const CHECK_VIEW = 'proof';
/** Whether the own ledger is what was published. */
export const LEDGER_CHECK = lazyFile(() => import('../ledger-check/check-view').then(({ CheckView }) => CheckView));
export const LEDGER = lazyFile(() => import('../ledger/ledger-dialog').then(({ LedgerDialog }) => LedgerDialog));
/** Has the worker know whose this browser is to the pushes; few allow any. */
export function knowPushOwner(...whose: [Pick<Sdk, 'api' | 'session'>, string | null]): void {
  if (globalThis.Notification?.permission !== 'granted') return;
  void import('../offline/know-push-owner').then((found) => found.knowPushOwner(...whose)).catch(() => undefined);
}
/** The text of a failed call. */
export const FAILURE_TEXTS = async () => {
  const { failureText } = await import(/* webpackChunkName: 'first-touch' */ './failure-texts');
  await textsLoaded();
  return failureText;
};
/** What "Why this number?" answers on the dashboard. */
export const ANSWERS = lazyFile(() =>
  import(/* webpackChunkName: 'first-touch' */ '../dashboard/answers').then(({ Answer }) => Answer),
);

/** Fetches the settings at the first sign that somebody is about to open them; few visits do. */
export function fetchSettings(): void {
  void SETTINGS.preload();
}

/** Fetches what shows the modules' pages at the first sign of a hand on the page: every way to a tab begins with one. */
export function fetchModulePages(): void {
  void MODULE_PAGES.preload();
}

/** Fetches the menu of small or wide screens as its first opening may be on its way. */
export function fetchMenu(wide: boolean): void {
  void (wide ? USER_MENU.preload() : MENU.preload());
}

/** Fetches what "Why this number?" answers as the first question may be on its way. */
export function fetchAnswers(): void {
  void ANSWERS.preload();
}

/** Fetches the code of the page of each of these modules, one after the other in idle time; nothing of it is rendered, and a failure shows at the visit itself. */
export async function fetchPages(modules: Iterable<string>): Promise<void> {
  for (const module of modules) {
    await idle();
    const { moduleLoader } = await import(/* webpackChunkName: 'module-loader' */ '../federation/module-loader');
    await moduleLoader.load(module, 'page').catch(() => undefined);
  }
}
