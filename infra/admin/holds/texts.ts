import { defineTexts, params } from '@cord/sdk';
import { LANGUAGES } from '../languages';

/** Every text of Held bonuses. */
export const TEXTS = defineTexts(
  'operators-holds',
  {
    title: 'Held bonuses',
    about:
      'Commission is held while both share an address at level 1 or more. The 86 CORD are also held during a friend’s first hour. Both are paid automatically once the reason is gone.',
    states: 'State',
    'states.held': 'Held',
    'states.released': 'Released',
    'states.refused': 'Refused',
    list: 'Bonuses',
    failed: 'The held bonuses could not be loaded',
    emptyTitle: 'Nothing is waiting',
    emptyText: 'No bonuses are on hold.',
    noneTitle: 'None',
    noneText: 'No bonus has this decision.',
    next: 'Next bonuses',
    order: 'Longest held first.',
    orderDecided: 'Latest decision first.',

    friendOf: params('{friend}, friend of {referrer}'),
    'since.held': params('Held since {time}'),
    'since.released': params('Released {time}'),
    'since.refused': params('Refused {time}'),
    bonus: params('{amount} CORD for the friend'),
    commission: params('{amount} CORD commission'),
    nothingMore: 'Nothing is on hold now',
    address: params('Shared address, level {level}'),
    firstHour: 'First hour at an address of the referrer',
    ran: params('Node ran {span}'),
    paid: params('Paid so far {amount} CORD'),

    release: 'Release',
    refuse: 'Refuse',
    hold: 'Undo decision',
    'act.release': params('Release bonuses for {friend}'),
    'act.refuse': params('Refuse bonuses for {friend}'),
    'act.hold': params('Undo the decision about {friend}'),
    'note.release': 'The held amount is credited at once. Nothing more is held for this friend.',
    'note.refuse': 'This friend no longer counts, and the held amount is not paid. Earlier payments stay.',
    'note.hold': 'The network check decides again from now on. Earlier payments stay.',
    state: 'State',
    deciding: 'Deciding...',
    'done.release': params('Released for {referrer}.'),
    'done.refuse': params('Refused for {referrer}.'),
    'done.hold': params('The network check decides again about {friend}.'),
    actFailed: 'The decision was not saved.',
  },
  LANGUAGES,
);
