import { defineTexts, params, plural } from '@cord/sdk';

/** Every text of the room around its views. */
export const TEXTS = defineTexts('operators', {
  room: 'Operators',
  views: 'Views of the operators’ room',
  'view.overview': 'Overview',
  'view.support': 'Support',
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
  keyNext: 'Next, previous case',
  keyTake: 'Take the case, or put it back',
});
