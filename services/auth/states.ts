import { supportAnswered } from '@cord/contracts/events/support';
import {
  anticheatAssessed,
  sessionOpened,
  userErased,
  userRegistered,
  userSettings,
  userUpdated,
} from '@cord/contracts/events/user';
import { type StreamSources, stateSource } from '@cord/kit/republish';
import { type AssessmentDoc, readAssessment } from './anticheat/assessments.js';
import { assessedItem } from './anticheat/check.js';
import { supportAnsweredItems } from './domain/support-events.js';
import { sessionOpenedItems, userErasedItem, userRegisteredItem, userSettingsItems } from './domain/user-events.js';
import type { ErasureDoc } from './store/erasures.js';
import type { SupportDoc } from './store/support.js';
import { readUser, type UserDoc } from './store/users.js';

/** What stands in the stream of users: who is gone, who is there, and what the network check has found. */
export const userStates: StreamSources = {
  CORD_USERS: [
    // First, so that nobody takes up again of whom there is nothing more to know.
    stateSource<ErasureDoc>({
      collection: 'erasures',
      kinds: [userErased],
      tell: ({ _id, seq, atMs }) => [userErasedItem(_id, seq, atMs)],
    }),
    stateSource<UserDoc>({
      collection: 'users',
      kinds: [userRegistered, userUpdated, userSettings, sessionOpened],
      // It says all that user.updated says, and who hears that hears it too.
      tell: (doc) =>
        [readUser(doc)].flatMap((user) =>
          user
            ? [userRegisteredItem(user), ...userSettingsItems(user, user.lastLoginAtMs), ...sessionOpenedItems(user)]
            : [],
        ),
    }),
    stateSource<SupportDoc>({
      collection: 'support_requests',
      kinds: [supportAnswered],
      tell: supportAnsweredItems,
    }),
    stateSource<AssessmentDoc>({
      collection: 'assessments',
      kinds: [anticheatAssessed],
      // Before the first assessment nothing was told.
      tell: (doc) => (doc.seq > 0 ? [assessedItem(readAssessment(doc))] : []),
    }),
  ],
};
