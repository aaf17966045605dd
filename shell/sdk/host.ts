/** What the shell alone does with the sdk: it makes and installs it, finds parts and pages, and runs what goes on behind them. Modules may not import this. */
export { createSdk } from './create-sdk';
export { forgetDrafts } from './drafts';
export { formatLocale, setLocale, textLanguage, textsReady, translate } from './i18n';
export type { LedgerEntriesProps, LedgerHost } from './ledger';
export { RELEASE_KEY } from './live/apply';
export { createLive } from './live/live';
export { PagePlace } from './page-place';
export { pageTitle } from './page-title';
export type { PartName, PartsHost } from './parts';
export { getSdk, installSdk } from './sdk';
export type { SessionState } from './session';
export { settingsKey } from './settings';
export { bringSignedInCode } from './signed-in-code';
export { forgetPerson, PERSONAL_KEYS } from './storage';
export { setViewSteps, type TabId, type TabParams, type Tabs, withParam } from './tabs';
export type { Toasts } from './toasts';
