import { params, plural } from '@cord/sdk';
import { defineTexts } from '../languages';

/** A text by its key, or the fallback if there is none, as for values of a newer service. */
export function textOr(texts: object, key: string, otherwise: string): string {
  const text = (texts as Readonly<Record<string, unknown>>)[key];
  return typeof text === 'string' ? text : otherwise;
}

/** Every text of the room around its views. */
export const TEXTS = defineTexts('operators', {
  room: 'Operators',
  views: 'Views of the operators’ room',
  'view.overview': 'Overview',
  'view.support': 'Support',
  'view.users': 'Users',
  'view.epochs': 'Tasks and epochs',
  'view.rules': 'Rules',
  'view.holds': 'Held bonuses',
  'view.corrections': 'Corrections',
  'view.credits': 'Refused credits',
  'view.refunds': 'Refunds',
  'view.modules': 'Modules and switches',
  'view.audit': 'Audit',
  waiting: plural({ one: '1 waiting', other: '{count} waiting' }),
  closedTitle: 'For operators only',
  closedText: 'You do not have operator access.',
  viewFailed: params('{view} could not be loaded'),

  goTo: 'Go to',
  andThen: 'then',
  allKeys: 'All shortcuts',
  keysTitle: 'Shortcuts',
  keysText: 'Shortcuts are off while you type.',
  keysOn: 'Use keyboard shortcuts',
  keysHelp: 'Saved on this device.',
  keyGoTo: params('Go to {view}'),
  keyTable: 'Chart or table',
  keySearch: 'Search',
  keyNext: 'Next, previous',
  keyTake: 'Take the case, or put it back',
  keyAnswer: 'Answer the case',
  keyClear: 'Clear the network penalty',
  keyMark: 'Mark the address as shared',
  keyClose: 'Close what is open',

  first: 'Back to the first',

  reason: 'Reason, recorded in Audit',
  reasonFirst: 'Enter a reason of at least three characters.',
  before: 'before: ',
  after: 'after: ',
  cancel: 'Cancel',
  lateFailure: 'An act was not done',
  signInOld: 'Your sign-in is older than 10 minutes',
  signInBack:
    'Changes to rights, money and modules need a recent sign-in. You will return to this page, and what you typed is kept.',
  signIn: 'Sign in again',
});
