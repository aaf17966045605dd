import { params } from '@cord/sdk';
import { defineTexts } from '../languages';

/** Every text of Refunds. */
export const TEXTS = defineTexts('operators-refunds', {
  title: 'Refunds',
  about:
    'Payments that arrived and could not be taken for a badge. Pay each back from the treasury’s own wallet, to the wallet it came from, then enter the transaction here.',
  states: 'State',
  'states.open': 'Open',
  'states.returned': 'Returned',
  list: 'Payments',
  failed: 'The refunds could not be loaded',
  emptyTitle: 'Nothing is waiting',
  emptyText: 'Every payment was taken for a badge or has gone back.',
  noneTitle: 'None',
  noneText: 'No payment has gone back yet.',
  next: 'Next payments',
  order: 'Longest waiting first.',

  account: params('Account {id}'),
  deleted: 'A deleted account',
  recorded: params('Recorded {time} UTC'),
  payment: params('Payment {id}'),
  wallet: params('Wallet {address}'),
  noted: params('{id} entered {time} UTC, not confirmed yet'),
  returned: params('{id} returned it, entered {time} UTC'),
  disproved: params('{id} does not return it: too little, too old, not from the treasury, or not on the chain'),
  'why.wrong-reference': 'Names no order',
  'why.signature-used': 'Paid for something else, too',
  'why.other-payer': 'Came from another wallet than the order names',
  'why.amount-too-small': 'Less than the price',
  'why.refunded-inside': 'Reversed in the same transaction',
  'why.order-expired': 'Came after the order had expired',
  'why.paid-twice': 'The order was already paid',
  'why.badge-owned': 'The buyer already had the badge',
  'why.account-erased': 'The account was deleted',

  return: 'Enter transaction',
  returnNamed: params('Enter transaction, account {id}, {amount}'),
  'act.return': params('Record that {amount} went back'),
  'note.return':
    'The transaction is looked up on the chain. The buyer sees the payment as returned once the chain confirms it. If it does not, the payment is open again.',
  to: 'Wallet',
  transaction: 'Transaction',
  transactionHelp: 'Its signature, as the wallet or an explorer shows it.',
  transactionWrong: 'A signature has 86 to 88 letters and digits, without spaces.',
  deciding: 'Saving...',
  done: 'Recorded. It is being looked up on the chain.',
  actFailed: 'The transaction was not recorded.',
});
