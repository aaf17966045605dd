import { balanceChanged } from './balance.js';
import { nodePaused, nodeStarted, nodeStopped } from './node.js';
import { ranksClosed } from './ranks.js';
import { referralJoined, referralLinked } from './referral.js';
import { badgePurchased, badgeRefunded, claimMade, epochChanged } from './rewards.js';
import { supportAnswered } from './support.js';
import { checkinPerformed, taskCompleted } from './tasks.js';
import { anticheatAssessed, sessionOpened, userErased, userRegistered, userSettings, userUpdated } from './user.js';

/** Every event of the system. To add one: a schema in this folder, an entry in this list, and a new thing in the owner's manifest. */
export const EVENTS = [
  balanceChanged,
  nodeStarted,
  nodePaused,
  nodeStopped,
  userRegistered,
  userUpdated,
  userSettings,
  sessionOpened,
  userErased,
  anticheatAssessed,
  supportAnswered,
  taskCompleted,
  checkinPerformed,
  referralLinked,
  referralJoined,
  badgePurchased,
  badgeRefunded,
  claimMade,
  epochChanged,
  ranksClosed,
] as const;
