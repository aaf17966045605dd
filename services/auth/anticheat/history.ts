import type { AssessmentDoc } from './assessments.js';
import { ADDRESS_KEPT_MS } from './levels.js';
import type { PastAssessment } from './port.js';

/** Results of one user that are kept; the oldest go first. */
export const HISTORY_MAX = 256;

/**
 * The results of a user once another one came: those of the last 30 days, and the one that held before them. Undefined where rate and number stay as
 * they were: the list is written in the compare-and-set that stores the assessment, and only then.
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
