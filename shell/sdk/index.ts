/**
 * The contract between the shell and its modules. Modules import from here only (`@cord/sdk`), because this entry is the
 * one that federation shares: the state behind it lives in the shell's instance.
 */

export * from './actions';
export * from './api';
export * from './area-boundary';
export * from './balance';
export * from './broadcast';
export * from './connection';
export * from './create-sdk';
export * from './dates';
export * from './dismissal';
export * from './epoch';
export { fallbackText } from './fallback-texts';
export type { Health } from './health';
export * from './i18n';
export * from './interpolate';
export * from './ledger';
export * from './lifecycles';
export { RELEASE_KEY } from './live/apply';
export * from './live/freshness';
export type { Live } from './live/live';
export * from './media-query';
export * from './merge-user';
export * from './node';
export * from './notify';
export * from './page-place';
export * from './parts';
export * from './problem';
export * from './query';
export * from './rate';
export * from './rate-query';
export type { FaultPlace, Report } from './report';
export * from './sdk';
export * from './server-clock';
export * from './session';
export * from './settings';
export type { SharedCache } from './shared-cache';
export * from './storage';
export * from './store';
export * from './tabs';
export * from './ticker';
export * from './toasts';
export * from './use-keyed-mutation';
export * from './user-record';
export * from './writes';
