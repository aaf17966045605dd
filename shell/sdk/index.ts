/**
 * The contract between the shell and its modules. Modules import from here only (`@cord/sdk`): federation shares this
 * entry, and its state lives in the shell's instance. Exports for the shell alone are in `host.ts`.
 */
export type { Action, Actions } from './actions';
export { useAction } from './actions';
export type { Api } from './api';
export { type Again, AreaBoundary } from './area-boundary';
export type { Away, LastSeen } from './away';
export { useBalance } from './balance';
export { bookNumberText, multiplierText } from './book-texts';
export { useOnline, useOnRecovery } from './connection';
export { formatDate, formatDayKey, formatTime, formatWhen } from './dates';
export { useDismissal } from './dismissal';
export { type Draft, useDraft } from './drafts';
export { EPOCH_KEY, useCurrentEpoch } from './epoch';
export { dateFormat, defineTexts, params, plural, type TextsOf, useTexts, withNodes } from './i18n';
export { accruedMicro } from './interpolate';
export { Lazy, type LazyFile, lazyFile } from './lazy';
export { LedgerEntries } from './ledger';
export { useFreshness } from './live/freshness';
export { Loaded, type LoadedQuery } from './loaded';
export { DESK, ROOMY, useMediaQuery, WIDE } from './media-query';
export {
  accrualOf,
  earnedBy,
  isLeaseOver,
  nodeKey,
  nodeQuery,
  useMiningSession,
  useSessionValue,
  useUserId,
} from './node';
export { usePageShown } from './page-place';
export { usePageTitle } from './page-title';
export { Part, type PartProps, type Parts } from './parts';
export { ApiError, isNetworkError, messageOf } from './problem';
export { isUnread, keepPreviousData, LIVE_CALM_MS, LIVE_SOON_MS, useQuery, useQueryClient } from './query';
export { type Rate, type RateStrand, useRate } from './rate';
export { rateKey, useIsPast, useServerRate } from './rate-query';
export { RULES_KEY, useRuleBook, useRuleBooks, useRules } from './rules';
export { type Sdk, SdkProvider, useSdk } from './sdk';
export { useSettings } from './settings';
export { deviceStorage, type SafeStorage, tabStorage } from './storage';
export { createStore, type Store, useStore, type WritableStore } from './store';
export { type TabView, useTabChoice, useTabParam, useTabs, useTabView } from './tabs';
export { useServerNow } from './ticker';
export { LONG_TOAST_MS, type Toast, useToasts } from './toasts';
export { useWrite } from './use-write';
export { refreshUser, useRefreshUser } from './user-record';
export { isOutcomeUnknown } from './writes';
