/** Shared components of module pages, federated like `index.ts` and loaded with the first page that uses them. */
export { AsLeft, type AsLeftProps } from './as-left/as-left';
export { SharedCard } from './shared-card/shared-card';
