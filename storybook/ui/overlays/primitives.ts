import './nonce';

/** What overlays are made of and drawn as; fetched as one file when the first of them opens (`later-primitives.ts`). */
export { DrawnConfirm } from './drawn/DrawnConfirm';
export { DrawnDialog } from './drawn/DrawnDialog';
export { drawnMenu } from './drawn/DrawnMenu';
export { DrawnSheet } from './drawn/DrawnSheet';
export { DrawnToasts } from './drawn/DrawnToasts';
export { DrawnWhy } from './drawn/DrawnWhy';
