import type { ActionsOf, PartsOf } from '@cord/sdk';
import { Background } from './background';
import { NodeCard } from './node-card';
import { nodeController } from './node-controller';

/** What Mining lends to other pages. */
export const parts = { background: Background, 'node-card': NodeCard } satisfies PartsOf<'mining'>;

/** What Mining does for who asks. */
export const actions = { 'start-node': (sdk) => nodeController(sdk).start() } satisfies ActionsOf<'mining'>;
