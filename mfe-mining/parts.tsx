import { type Actions, lazyFile, type Parts } from '@cord/sdk';
import { CompensationBanner } from './balance/compensation-banner';
import { Background } from './node/background';
import { NodeAside } from './node/node-aside';
import { NodeCard } from './node/node-card';
import { nodeController } from './node/node-controller';

/** Parts of Mining for other pages. */
export const parts = {
  background: Background,
  'node-card': NodeCard,
  compensation: CompensationBanner,
  'node-aside': NodeAside,
  'earnings-card': lazyFile(() => import('./earnings/earnings-card').then(({ EarningsCard }) => EarningsCard)),
  earnings: lazyFile(() => import('./earnings/earnings-view').then(({ EarningsView }) => EarningsView)),
  'away-mined': lazyFile(() => import('./balance/away-mined').then(({ AwayMined }) => AwayMined)),
  'network-check': lazyFile(() => import('./network/network-check').then(({ NetworkCheck }) => NetworkCheck)),
  'ledger-hour': lazyFile(() => import('./hours/ledger-hour').then(({ LedgerHour }) => LedgerHour)),
  history: lazyFile(() => import('./balance/history').then(({ History }) => History)),
} satisfies Parts;

/** Actions of Mining for other pages. */
export const actions = { 'start-node': (sdk) => nodeController(sdk).start() } satisfies Actions;
