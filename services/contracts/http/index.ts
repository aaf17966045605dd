import type { Endpoint } from '../endpoint.js';
import { adminEndpoints } from './admin.js';
import { authEndpoints } from './auth.js';
import { checkinEndpoints } from './checkin.js';
import { clientErrorEndpoints } from './client-errors.js';
import { correctionEndpoints } from './corrections.js';
import { leaderboardEndpoints } from './leaderboard.js';
import { logEndpoints } from './log.js';
import { miningEndpoints } from './mining.js';
import { noticesEndpoints } from './notices.js';
import { operationEndpoints } from './operations.js';
import { overviewEndpoints } from './overview.js';
import { referralEndpoints } from './referrals.js';
import { releaseEndpoints } from './releases.js';
import { rewardEndpoints } from './rewards.js';
import { rulesEndpoints } from './rules.js';
import { supportEndpoints } from './support.js';
import { switchEndpoints } from './switches.js';
import { taskEndpoints } from './tasks.js';
import { userEndpoints } from './users.js';

const GROUPS = [
  authEndpoints,
  userEndpoints,
  supportEndpoints,
  adminEndpoints,
  clientErrorEndpoints,
  operationEndpoints,
  overviewEndpoints,
  switchEndpoints,
  releaseEndpoints,
  miningEndpoints,
  logEndpoints,
  correctionEndpoints,
  taskEndpoints,
  checkinEndpoints,
  referralEndpoints,
  rewardEndpoints,
  rulesEndpoints,
  leaderboardEndpoints,
  noticesEndpoints,
] as const;

/** Every call of the API. To add one: its address in addresses/, an `endpoint(...)` in this folder, its handler in the owning service. */
export const ENDPOINTS: readonly Endpoint[] = GROUPS.flatMap((group) => Object.values(group) as Endpoint[]);

type ValueOf<Group> = Group extends unknown ? Group[keyof Group] : never;

/** The type of each endpoint, by its id. */
export type EndpointById = { [E in ValueOf<(typeof GROUPS)[number]> as E['id']]: E };
