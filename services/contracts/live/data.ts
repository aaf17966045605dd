import { z } from 'zod';
import { integerText } from '../events/envelope.js';
import { epoch } from '../http/epochs.js';
import { cordAmount, time } from '../http/fields.js';
import { globalStats } from '../http/leaderboard.js';
import { currentRate, miningSession } from '../http/mining.js';
import { updatedUser } from '../http/users.js';
import type { LiveKind } from './kinds.js';

/**
 * `seq` rises with each change of the state: the version of its document, or the time in ms when there is none. For a
 * kind with state a client keeps the highest `seq` and ignores lower ones. A hint carries `seq` alone, possibly from
 * several documents, and is always acted on.
 */
const changed = z.object({ seq: integerText });

/** `data:` of each kind. A kind with more than `seq` carries the response of its call; the others are hints to read again. */
export const LIVE_DATA = {
  /** As in the response of each call that credits; `seq` is `balanceSeq`. */
  balance: changed.extend({ newBalance: cordAmount, balanceSeq: z.string(), updatedUser }),
  /** The response of `mining/current`; `session` is null when no node runs at `serverTime`. `seq` is the account's. */
  node: changed.extend({ session: miningSession.nullable(), serverTime: time }),
  /** The response of `mining/rate`. `seq` is the account's. */
  rate: changed.extend(currentRate.shape),
  /** The changed fields of the user's record. `seq` is the time in ms. */
  user: changed.extend({ updatedUser }),
  tasks: changed,
  checkin: changed,
  referrals: changed,
  orders: changed,
  /** The current and future epochs in order, as many as fit (LIVE_CHARS_MAX). `seq` is the table's version. */
  epoch: changed.extend({ epochs: z.array(epoch) }),
  notices: changed,
  /** The response of `/stats`. `seq` is the time in ms. */
  stats: changed.extend(globalStats.shape),
  /** /remotes.json has changed. `seq` is the time in ms. */
  release: changed,
} as const satisfies Readonly<Record<LiveKind, z.ZodType>>;

export type LiveData = { [K in LiveKind]: z.output<(typeof LIVE_DATA)[K]> };
