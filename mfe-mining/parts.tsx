import type { ActionsOf, Parts } from '@cord/sdk';
import { Background } from './background';
import { EarningsCard, EarningsView } from './earnings/lazy';
import { NodeCard } from './node-card';
import { nodeController } from './node-controller';

/** What Mining lends to other pages. */
export const parts = {
  background: Background,
  'node-card': NodeCard,
  'earnings-card': EarningsCard,
  earnings: EarningsView,
} satisfies Parts;

/** What Mining does for who asks. */
export const actions = { 'start-node': (sdk) => nodeController(sdk).start() } satisfies ActionsOf<'mining'>;
