import type { TestSdkOptions } from '@cord/sdk/testing';
import { parts as leaderboard } from '../../mfe-leaderboard/parts';
import { parts as mining } from '../../mfe-mining/parts';
import { parts as tasks } from '../../mfe-tasks/parts';
import { APPEAL } from '../app/lazy-files';

/** Parts of this checkout's modules that are inside cards, rows and menus of the shell. */
export const INNER_PARTS: NonNullable<TestSdkOptions['parts']> = {
  shell: { appeal: APPEAL },
  mining: {
    compensation: mining.compensation,
    'node-aside': mining['node-aside'],
    'away-mined': mining['away-mined'],
    'network-check': mining['network-check'],
    history: mining.history,
    'ledger-hour': mining['ledger-hour'],
  },
  tasks: { waiting: tasks.waiting, 'ledger-title': tasks['ledger-title'] },
  leaderboard: { 'away-rank': leaderboard['away-rank'] },
};
