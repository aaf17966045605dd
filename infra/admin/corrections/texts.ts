import { params } from '@cord/sdk';
import { defineTexts } from '../languages';

/** Every text of Corrections. */
export const TEXTS = defineTexts('operators-corrections', {
  title: 'Corrections',
  about:
    'A correction changes the balance of one account. One operator proposes it on the account’s page, another one confirms it here. It is not a reward: rankings of a day, week or month and commission do not count it.',
  states: 'State',
  'states.open': 'Open',
  'states.confirmed': 'Confirmed',
  'states.withdrawn': 'Withdrawn',
  list: 'Corrections',
  failed: 'The corrections could not be loaded',
  emptyTitle: 'Nothing is waiting',
  emptyText: 'No correction needs a second operator.',
  noneTitle: 'None',
  noneText: 'No correction has this state.',
  next: 'Next corrections',
  order: 'Latest proposal first.',

  account: params('Account {id}'),
  amount: params('{amount} CORD'),
  proposedBy: params('Proposed {time} UTC by {id}'),
  proposedByYou: params('Proposed {time} UTC by you'),
  confirmedBy: params('Confirmed {time} UTC by {id}'),
  withdrawnAlone: 'Withdrawn: the operator who proposed it has deleted the account',
  withdrawnBy: params('Withdrawn {time} UTC by {id}'),
  notBooked: 'Not in the ledger yet: until then it can be withdrawn',

  confirm: 'Confirm',
  withdraw: 'Withdraw',
  decideNamed: params('{decision}, account {id}, {amount} CORD'),
  'act.confirm': params('Correct the balance by {amount} CORD'),
  'act.withdraw': params('Withdraw the correction of {amount} CORD'),
  'note.confirm':
    'It takes effect at once and cannot be undone. The user sees the amount and the reason in the ledger.',
  'note.withdraw': 'The balance does not change.',
  secondOperator: 'Another operator has to confirm your proposal.',
  state: 'State',
  deciding: 'Saving...',
  'done.confirm': 'Confirmed.',
  'done.withdraw': 'Withdrawn.',
  actFailed: 'The decision was not saved.',
});
