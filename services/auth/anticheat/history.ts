import type { AssessmentDoc } from './assessments.js';
import { ADDRESS_KEPT_MS } from './levels.js';
import type { PastAssessment } from './port.js';

/** Maximum number of results stored for one user; the oldest are dropped. */
export const HISTORY_MAX = 256;

/**
 * Returns a user's results after another one: those of the last 30 days, and the one in force before them. Undefined
 * when rate and number are unchanged: the list is written only with a change, in the assessment's compare-and-set.
 * @param after as it is stored, `checkedAtMs` in ms since epoch
 */
export function historyAfter(
  before: Pick<AssessmentDoc, 'history' | 'efficiencyHundredths' | 'totalUsersOnIp'>,
  after: Pick<AssessmentDoc, 'efficiencyHundredths' | 'totalUsersOnIp' | 'checkedAtMs'>,
  most = HISTORY_MAX,
): PastAssessment[] | undefined {
  const { efficiencyHundredths: factorHundredths, totalUsersOnIp: accounts, checkedAtMs: atMs } = after;
  if (before.efficiencyHundredths === factorHundredths && before.totalUsersOnIp === accounts) return undefined;
  const all = [...(before.history ?? []), { atMs, factorHundredths, accounts }];
  const inForce = all.findLastIndex((past) => past.atMs <= atMs - ADDRESS_KEPT_MS);
  return all.slice(Math.max(0, inForce)).slice(-most);
}
