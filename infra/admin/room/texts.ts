import { defineTexts, params, plural } from '@cord/sdk';

/** Every text of the room around its views. */
export const TEXTS = defineTexts(
  'operators',
  {
    room: 'Operators',
    views: 'Views of the operators’ room',
    'view.overview': 'Overview',
    'view.support': 'Support',
    'view.users': 'Users',
    'view.epochs': 'Tasks and epochs',
    'view.holds': 'Held bonuses',
    'view.modules': 'Modules and switches',
    'view.audit': 'Audit',
    waiting: plural({ one: '1 waits', other: '{count} wait' }),
    closedTitle: 'This room is for operators',
    closedText: 'Your account is no operator’s, or no longer.',
    viewFailed: params('{view} could not be loaded'),

    goTo: 'Go to',
    andThen: 'then',
    allKeys: 'All keys',
    keysTitle: 'Keys',
    keysText: 'They rest while a field has focus.',
    keysOn: 'Use keys in this room',
    keysHelp: 'Kept on this device.',
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

    reason: 'Reason, kept in Audit',
    reasonFirst: 'Say why, in three letters at least.',
    before: 'before: ',
    after: 'after: ',
    cancel: 'Cancel',
    signInOld: 'Your sign-in is older than 10 minutes',
    signInBack:
      'Acts on rights, money and modules need a newer one. You come back to this place, and your reason waits here.',
    signIn: 'Sign in again',
  },
  { de: () => import(/* webpackChunkName: "german" */ './texts.de.json') },
);
