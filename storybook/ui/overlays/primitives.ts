import './nonce';

/** What overlays are made of; fetched as one file when the first of them opens (`later-primitives.ts`). */
export { Dialog, DropdownMenu, Popover, Toast } from 'radix-ui';
