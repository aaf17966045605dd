import type { PartsOf } from '@cord/sdk';
import { NodeCard } from './node-card';

/** What Mining lends to other pages. */
export const parts = { 'node-card': NodeCard } satisfies PartsOf<'mining'>;
