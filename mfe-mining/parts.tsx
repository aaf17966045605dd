import { type Actions, lazyFile, type Parts } from '@cord/sdk';
import { Background } from './background';
import { CompensationBanner } from './compensation-banner';
import { NodeAside } from './node-aside';
import { NodeCard } from './node-card';
import { nodeController } from './node-controller';

/** What Mining lends to other pages. */
export const parts = {
  background: Background,
  'node-card': NodeCard,
  compensation: CompensationBanner,
  'node-aside': NodeAside,
  'earnings-card': lazyFile(() => import('./earnings/earnings-card').then(({ EarningsCard }) => EarningsCard)),
  earnings: lazyFile(() => import('./earnings/earnings-view').then(({ EarningsView }) => EarningsView)),
  'away-mined': lazyFile(() => import('./away-mined').then(({ AwayMined }) => AwayMined)),
  'network-check': lazyFile(() => import('./network-check').then(({ NetworkCheck }) => NetworkCheck)),
  'ledger-hour': lazyFile(() => import('./hours/ledger-hour').then(({ LedgerHour }) => LedgerHour)),
  history: lazyFile(() => import('./history').then(({ History }) => History)),
} satisfies Parts;

/** What Mining does at a press in other pages. */
export const actions = { 'start-node': (sdk) => nodeController(sdk).start() } satisfies Actions;
