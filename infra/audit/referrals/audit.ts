import { Found, type Judgement, type OnFinding, report } from '../findings.js';
import type { Rules } from '../ledger/rates.js';
import { auditEach, type Checked, type Patience } from '../patience.js';
import { checkReferrer } from './commission.js';
import { cyclesIn, cycleText } from './cycles.js';
import type { ReferralSource } from './source.js';

/** The result of the audit of referrals. */
export interface ReferralsAudited {
  referrers: number;
  friends: number;
  findings: number;
  behind: number;
  driftMicro: bigint;
}

/**
 * Audits every referrer, and that nobody is above themselves. All links and the lines of one referrer are in memory.
 * @throws Error for a document that only a newer release can read
 */
export async function auditReferrals(
  source: ReferralSource,
  rules: Rules,
  judgement: Judgement,
  onFinding: OnFinding,
  patience: Patience,
): Promise<ReferralsAudited> {
  const sum: ReferralsAudited = { referrers: 0, friends: 0, findings: 0, behind: 0, driftMicro: 0n };
  const links = new Map<string, string>();
  const referrers = new Set<string>();
  for await (const { friendId, referrerId } of source.links()) {
    links.set(friendId, referrerId);
    referrers.add(referrerId);
  }
  for await (const referrerId of source.withSums()) referrers.add(referrerId);
  for await (const referrerId of source.paid()) referrers.add(referrerId);
  const circles = new Found('referrals', judgement);
  for (const cycle of cyclesIn(links)) circles.wrong(`a circle: ${cycleText(cycle)}`);
  report(circles, sum, onFinding);
  const checked = async function* (): AsyncGenerator<Checked> {
    for (const referrerId of referrers) {
      const again = () => checkReferrer(source, referrerId, rules, judgement);
      yield { found: await again(), again };
    }
  };
  await auditEach(checked(), patience, sum, onFinding);
  return { ...sum, referrers: referrers.size, friends: links.size };
}
