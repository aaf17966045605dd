import type { Endpoint } from '../endpoint.js';
import { authEndpoints } from './auth.js';
import { checkinEndpoints } from './checkin.js';
import { clientErrorEndpoints } from './client-errors.js';
import { leaderboardEndpoints } from './leaderboard.js';
import { miningEndpoints } from './mining.js';
import { operationEndpoints } from './operations.js';
import { referralEndpoints } from './referrals.js';
import { rewardEndpoints } from './rewards.js';
import { supportEndpoints } from './support.js';
import { taskEndpoints } from './tasks.js';
import { userEndpoints } from './users.js';

/** Every call of the API. Adding one: an `endpoint(...)` in a file here and its handler in the owning service. */
export const ENDPOINTS: readonly Endpoint[] = [
  authEndpoints,
  userEndpoints,
  supportEndpoints,
  clientErrorEndpoints,
  operationEndpoints,
  miningEndpoints,
  taskEndpoints,
  checkinEndpoints,
  referralEndpoints,
  rewardEndpoints,
  leaderboardEndpoints,
].flatMap((group) => Object.values(group) as Endpoint[]);
