import { params } from '@cord/sdk';
import { defineTexts } from '../languages';

/** Texts of the acts on a network record. */
export const TEXTS = defineTexts('operators-network', {
  clearTitle: 'Clear network penalty',
  shareTitle: 'Mark address as shared',
  accounts: 'Accounts that count there',
  level: 'Level',
  levelAt: params('{level}, {factor}'),
  rate: 'Rate',
  'levels.clean': 'Clean',
  'levels.shared': 'Shared',
  'levels.penalty': params('Level {n}'),
  holds: 'In effect until',
  holdsUntil: 'an operator undoes it',
  holdsFor: '90 days from now, or an operator undoes it',
});
