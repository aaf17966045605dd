/** What pages of modules have in common: shared as `index.ts` is, and fetched with the first page that uses it. */
export { AsLeft, type AsLeftProps } from './as-left/as-left';
export { SharedCard } from './shared-card/shared-card';
