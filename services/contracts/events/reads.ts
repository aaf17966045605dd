import type { z } from 'zod';
import type { ServiceName } from '../endpoint.js';
import { balanceChanged } from './balance.js';
import { type EventKind, envelope } from './envelope.js';
import { nodePaused, nodeStarted, nodeStopped } from './node.js';
import { ranksClosed } from './ranks.js';
import { referralJoined, referralLinked } from './referral.js';
import { badgePurchased, badgeRefunded, claimMade, epochChanged } from './rewards.js';
import { supportAnswered } from './support.js';
import { checkinPerformed, taskCompleted } from './tasks.js';
import { anticheatAssessed, sessionOpened, userErased, userRegistered, userSettings, userUpdated } from './user.js';

type Envelope = keyof typeof envelope.shape;

/**
 * How a service reads a kind: through its durable consumer; whole in each replica, by an ordered consumer of its own; or the last
 * message of one user. The streams a service may read follow (`consumedBy`, `readWholeBy`, `lookedUpBy` in streams.ts).
 */
export type HowRead = 'consumed' | 'whole' | 'looked-up';

/** A kind with the fields that a service reads, and how it reads them. */
export type Reading = EventKind & { how: readonly HowRead[] };

/**
 * A kind as one consumer reads it: the envelope and these fields. It parses nothing else, so the event's other
 * fields may change or disappear, and the compiler rejects access to fields not named here.
 */
function reading<Shape extends z.ZodRawShape, Field extends Exclude<keyof Shape & string, Envelope>>(
  kind: Omit<EventKind, 'schema'> & { schema: z.ZodObject<Shape> },
  fields: readonly Field[],
  ...ways: HowRead[]
) {
  const names = [...Object.keys(envelope.shape), ...fields];
  const mask = Object.fromEntries(names.map((name) => [name, true]));
  const schema = kind.schema.pick(mask as never) as unknown as z.ZodObject<
    Pick<Shape, Field | (Envelope & keyof Shape)>
  >;
  const how: readonly HowRead[] = ways.length > 0 ? ways : ['consumed'];
  return { ...kind, schema, how };
}

/** The three kinds of a node's session, with the same fields read of each. */
function nodeReading<Field extends Exclude<keyof (typeof nodeStarted)['schema']['shape'] & string, Envelope>>(
  fields: readonly Field[],
) {
  return {
    nodeStarted: reading(nodeStarted, fields),
    nodePaused: reading(nodePaused, fields),
    nodeStopped: reading(nodeStopped, fields),
  };
}

/**
 * What each service reads of other services' events. A release records it with its messages: the next release's events
 * are checked against the reads of this one (`npx cord contracts`).
 */
export const READS = {
  auth: {
    ...nodeReading(['sessionId', 'creditedUntil', 'sessionMs', 'ranMs', 'addressHash', 'addresses', 'day']),
    taskCompleted: reading(taskCompleted, ['completed']),
    checkinPerformed: reading(checkinPerformed, ['dayKey', 'streak']),
    referralLinked: reading(referralLinked, ['referralCode', 'referredBy', 'totalReferrals', 'earningsMicro']),
    badgePurchased: reading(badgePurchased, []),
    claimMade: reading(claimMade, ['kind', 'amountMicro', 'claimedAt', 'claims']),
  },
  mining: {
    userRegistered: reading(userRegistered, ['discordCreatedAt', 'joinedAt']),
    userErased: reading(userErased, []),
    anticheatAssessed: reading(anticheatAssessed, ['factorHundredths']),
    badgePurchased: reading(badgePurchased, []),
  },
  tasks: {
    ...nodeReading(['sessionId', 'startedAt', 'creditedUntil', 'leaseUntil', 'day']),
    userRegistered: reading(userRegistered, ['discordCreatedAt', 'joinedAt', 'returning']),
    userUpdated: reading(userUpdated, ['discordCreatedAt', 'joinedAt', 'returning']),
    userErased: reading(userErased, []),
    referralLinked: reading(referralLinked, ['totalReferrals']),
    balanceChanged: reading(balanceChanged, ['week', 'total', 'node'], 'looked-up'),
  },
  referrals: {
    ...nodeReading(['creditedUntil', 'sessionMs', 'ranMs', 'addressHash', 'addresses']),
    userRegistered: reading(userRegistered, ['username', 'avatar', 'returning', 'welcomeMicro', 'referralCode']),
    userUpdated: reading(userUpdated, ['username', 'avatar']),
    userErased: reading(userErased, []),
    anticheatAssessed: reading(anticheatAssessed, ['level', 'addressKey', 'hourMined']),
    balanceChanged: reading(balanceChanged, ['total', 'bySource', 'node'], 'consumed', 'looked-up'),
  },
  rewards: {
    userRegistered: reading(userRegistered, ['joinedAt', 'returning']),
    userErased: reading(userErased, []),
  },
  leaderboard: {
    balanceChanged: reading(
      balanceChanged,
      ['total', 'totalReachedAt', 'day', 'week', 'month', 'bySource', 'node'],
      'whole',
    ),
    userRegistered: reading(userRegistered, ['username', 'avatar', 'discordCreatedAt'], 'whole'),
    userUpdated: reading(userUpdated, ['username', 'avatar', 'discordCreatedAt'], 'whole'),
    userErased: reading(userErased, [], 'whole'),
    badgePurchased: reading(badgePurchased, [], 'whole'),
  },
  notices: {
    nodeStarted: reading(nodeStarted, ['leaseUntil']),
    nodePaused: reading(nodePaused, ['sessionId', 'leaseUntil']),
    checkinPerformed: reading(checkinPerformed, ['dayKey', 'streak']),
    referralJoined: reading(referralJoined, ['friendId', 'joinedAt', 'counts']),
    badgePurchased: reading(badgePurchased, ['orderId', 'purchasedAt', 'transaction']),
    badgeRefunded: reading(badgeRefunded, ['refundId', 'lamports', 'reason', 'returnTransaction', 'provenAt']),
    epochChanged: reading(epochChanged, ['epochs', 'books']),
    ranksClosed: reading(ranksClosed, ['dayKey', 'beforeDay', 'closedAt', 'moved']),
    referralLinked: reading(referralLinked, ['totalReferrals', 'earningsMicro']),
    userErased: reading(userErased, []),
    supportAnswered: reading(supportAnswered, ['requestId', 'kind', 'answeredAt', 'network']),
    sessionOpened: reading(sessionOpened, ['opened']),
    userRegistered: reading(userRegistered, ['username', 'joinedAt'], 'looked-up'),
    userUpdated: reading(userUpdated, ['username'], 'looked-up'),
    userSettings: reading(userSettings, ['notices', 'notifications', 'quietHours', 'locale'], 'looked-up'),
    balanceChanged: reading(balanceChanged, ['node'], 'looked-up'),
  },
} as const satisfies Readonly<Record<ServiceName, Readonly<Record<string, Reading>>>>;
