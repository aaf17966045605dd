import { lazyFile, type Sdk } from '@cord/sdk';
import { textsLoaded } from './language';
import { idle } from './scheduling';

/*
 * Lazy files of the signed-in app that it opens or preloads, or that several places use. Those with one place may be
 * declared there, like the list under the bell. They are imported within the app's own file (bundles.ts has the
 * earlier ones), so that they share its code without separate chunks.
 */

export const SETTINGS = lazyFile(() =>
  import(/* webpackChunkName: 'settings' */ '../settings/settings').then(({ Settings }) => Settings),
);
/** Renders the module pages, and prepares single-spa for the first one. */
export const MODULE_PAGES = lazyFile(() =>
  import(/* webpackChunkName: 'module-pages' */ '../tabs/module-pages').then(({ ModulePages, readyModulePages }) => {
    readyModulePages();
    return ModulePages;
  }),
);
export const WELCOME = lazyFile(() =>
  import(/* webpackChunkName: 'return' */ '../welcome/welcome-popup').then(({ WelcomePopup }) => WelcomePopup),
);

/** The sign-out confirmation. */
export const SIGN_OUT = lazyFile(() =>
  import(/* webpackChunkName: 'first-touch' */ '../session/sign-out-dialog').then(({ SignOutDialog }) => SignOutDialog),
);
/** Setting for push messages about a node's pause, on the node's page. */
export const PAUSE_WARNING = lazyFile(() =>
  import('../settings/push/pause-warning').then(({ PauseWarning }) => PauseWarning),
);
/** Appeals against the network check. */
export const APPEAL = lazyFile(() =>
  import(/* webpackChunkName: 'settings' */ '../settings/appeal').then(({ Appeal }) => Appeal),
);
/** Menu of small screens. */
export const MENU = lazyFile(() =>
  import(/* webpackChunkName: 'first-touch' */ '../header/menu-sheet').then(({ MenuSheet }) => MenuSheet),
);
/** Menu under the avatar on wide screens. */
export const USER_MENU = lazyFile(() =>
  import(/* webpackChunkName: 'first-touch' */ '../header/user-menu-items').then(({ UserMenuItems }) => UserMenuItems),
);
/** View of the ledger check in the settings. */
export const CHECK_VIEW = 'proof';
/** Checks the user's ledger against the published log. */
export const LEDGER_CHECK = lazyFile(() => import('../ledger-check/check-view').then(({ CheckView }) => CheckView));
export const LEDGER = lazyFile(() => import('../ledger/ledger-dialog').then(({ LedgerDialog }) => LedgerDialog));
/** Stores the push owner of this browser for the worker; only a few browsers allow pushes. */
export function knowPushOwner(...whose: [Pick<Sdk, 'api' | 'session'>, string | null]): void {
  if (globalThis.Notification?.permission !== 'granted') return;
  void import('../offline/know-push-owner').then((found) => found.knowPushOwner(...whose)).catch(() => undefined);
}
/** Loads the texts of failed calls. */
export const FAILURE_TEXTS = async () => {
  const { failureText } = await import(/* webpackChunkName: 'first-touch' */ './failure-texts');
  await textsLoaded();
  return failureText;
};
/** Answers to "Why this number?" on the dashboard. */
export const ANSWERS = lazyFile(() =>
  import(/* webpackChunkName: 'first-touch' */ '../dashboard/answers').then(({ Answer }) => Answer),
);

/** Preloads the settings at the first sign that they are about to be opened; few visits do. */
export function fetchSettings(): void {
  void SETTINGS.preload();
}

/** Preloads the renderer of module pages at the first interaction, which precedes every tab change. */
export function fetchModulePages(): void {
  void MODULE_PAGES.preload();
}

/** Preloads the menu of small or wide screens before its first opening. */
export function fetchMenu(wide: boolean): void {
  void (wide ? USER_MENU.preload() : MENU.preload());
}

/** Preloads the answers to "Why this number?" before the first question. */
export function fetchAnswers(): void {
  void ANSWERS.preload();
}

/** Preloads the page code of these modules one by one in idle time, without rendering. A failure is reported at the visit. */
export async function fetchPages(modules: Iterable<string>): Promise<void> {
  for (const module of modules) {
    await idle();
    const { moduleLoader } = await import(/* webpackChunkName: 'module-loader' */ '../federation/module-loader');
    await moduleLoader.load(module, 'page').catch(() => undefined);
  }
}
