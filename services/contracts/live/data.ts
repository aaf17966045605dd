import { z } from 'zod';
import { integerText } from '../events/envelope.js';
import { epoch } from '../http/epochs.js';
import { cordAmount, time } from '../http/fields.js';
import { globalStats } from '../http/leaderboard.js';
import { currentRate, miningSession } from '../http/mining.js';
import { updatedUser } from '../http/users.js';
import type { LiveKind } from './kinds.js';

/**
 * `seq` rises with each change of the state: the version of the document behind it, or the time in ms where there is
 * none. Of a kind that carries a state a client keeps the highest and passes over the others; a hint, which carries `seq`
 * alone and may come of several documents, is heeded each time.
 */
const changed = z.object({ seq: integerText });

/** `data:` of each kind. Those with more than `seq` carry what the calls answer, the rest is a hint to read again. */
export const LIVE_DATA = {
  /** As in the answer of each call that credits; `seq` is `balanceSeq`. */
  balance: changed.extend({ newBalance: cordAmount, balanceSeq: z.string(), updatedUser }),
  /** As `mining/current` answers it; null while none runs, then so at `serverTime`. `seq` is the account's. */
  node: changed.extend({ session: miningSession.nullable(), serverTime: time }),
  /** As `mining/rate` answers it. `seq` is the account's. */
  rate: changed.extend(currentRate.shape),
  /** Those fields of the user's record that changed. `seq` is the time in ms. */
  user: changed.extend({ updatedUser }),
  tasks: changed,
  checkin: changed,
  referrals: changed,
  orders: changed,
  /** The epochs that are not over, in order, from the first on as many as fit (LIVE_CHARS_MAX). `seq` is the table's version. */
  epoch: changed.extend({ epochs: z.array(epoch) }),
  notices: changed,
  /** As `/stats` answers it. `seq` is the time in ms. */
  stats: changed.extend(globalStats.shape),
  /** /remotes.json has changed. `seq` is the time in ms. */
  release: changed,
} as const satisfies Readonly<Record<LiveKind, z.ZodType>>;

export type LiveData = { [K in LiveKind]: z.output<(typeof LIVE_DATA)[K]> };
