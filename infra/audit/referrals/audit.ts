import { setTimeout as sleep } from 'node:timers/promises';
import type { OnFinding, Patience } from '../audit.js';
import { finding, type Judgement } from '../findings.js';
import type { Rules } from '../ledger/rates.js';
import { checkReferrer } from './commission.js';
import { cyclesIn, cycleText } from './cycles.js';
import type { ReferralSource } from './source.js';

/** What the audit of referrals came to. */
export interface ReferralsAudited {
  referrers: number;
  friends: number;
  findings: number;
  behind: number;
  driftMicro: bigint;
}

/**
 * Audits every referrer, and that nobody stands above themselves. In memory are all links, and the lines of one referrer.
 * @throws Error for a document that only a newer release reads
 */
export async function auditReferrals(
  source: ReferralSource,
  rules: Rules,
  judgement: Judgement,
  onFinding: OnFinding,
  { tries, pauseMs }: Patience,
): Promise<ReferralsAudited> {
  const sum: ReferralsAudited = { referrers: 0, friends: 0, findings: 0, behind: 0, driftMicro: 0n };
  const report: OnFinding = (each) => {
    sum.findings += 1;
    sum.driftMicro += each.driftMicro;
    onFinding(each);
  };
  const links = new Map<string, string>();
  const referrers = new Set<string>();
  for await (const { friendId, referrerId } of source.links()) {
    links.set(friendId, referrerId);
    referrers.add(referrerId);
  }
  for await (const referrerId of source.withSums()) referrers.add(referrerId);
  for await (const referrerId of source.paid()) referrers.add(referrerId);
  for (const cycle of cyclesIn(links)) report(finding('referrals', `a circle: ${cycleText(cycle)}`));
  for (const referrerId of referrers) {
    let found = await checkReferrer(source, referrerId, rules, judgement);
    for (let tried = 1; found.findings.length > 0 && tried < tries; tried += 1) {
      if (tried > 1) await sleep(pauseMs);
      found = await checkReferrer(source, referrerId, rules, judgement);
    }
    sum.behind += found.behind;
    found.findings.forEach(report);
  }
  return { ...sum, referrers: referrers.size, friends: links.size };
}
