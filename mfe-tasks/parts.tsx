import { lazyFile, type Parts } from '@cord/sdk';
import { CheckinButton } from './checkin-button';
import { TasksCard } from './tasks-card';

/** Parts of Tasks for other pages. */
export const parts = {
  'tasks-card': TasksCard,
  'checkin-button': CheckinButton,
  waiting: lazyFile(() => import('./waiting').then(({ Waiting }) => Waiting)),
  'ledger-title': lazyFile(() => import('./ledger-title').then(({ LedgerTitle }) => LedgerTitle)),
} satisfies Parts;
