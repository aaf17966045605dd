import { params } from '@cord/sdk';
import { defineTexts } from '../languages';

/** Every text of Refused credits. */
export const TEXTS = defineTexts('operators-credits', {
  title: 'Refused credits',
  about:
    'Promised to users, and refused by the ledger for good. Nothing gets worse while they wait. Remove the cause first, then try again.',
  list: 'Credits',
  failed: 'The refused credits could not be loaded',
  missing: params('{services} did not respond. Credits there are missing from this list.'),
  emptyTitle: 'Nothing is waiting',
  emptyText: 'The ledger has refused no credit.',
  next: 'Next credits',
  order: 'Longest waiting first.',

  account: params('Account {id}'),
  amount: params('{amount} CORD'),
  refused: params('Refused {time} UTC'),
  key: 'Key',

  retry: 'Try again',
  retryNamed: params('Try again, account {id}, {amount} CORD'),
  'act.retry': params('Try the credit of {amount} CORD again'),
  'note.retry': 'Key and amount stay the same. The ledger credits a key once.',
  deciding: 'Trying...',
  'done.credited': 'Credited.',
  'done.pending': 'The ledger did not respond. The credit is tried again automatically.',
  'done.parked': 'The ledger has refused it again.',
  gone: 'This credit is not waiting any more.',
  actFailed: 'The credit was not tried again.',
});
