/** Minimum time mined at an address within 30 days for an account to count there, ms (services/contracts/rules/README.md#network-check). */
export const COUNTS_FROM_MS = 3_600_000;
/** How long address hashes are kept, ms. */
export const ADDRESS_KEPT_MS = 30 * 86_400_000;

/** How long an operator's clear keeps the whole rate, ms: users who join the address later are assessed again. */
export const CLEARED_FOR_MS = 90 * 86_400_000;

/** Time that an account has mined at one address in the last 30 days. */
export interface MinedAtAddress {
  /** Keyed hash of the address. */
  addressHash: string;
  minedMs: number;
}

/** The effect of the number of accounts at one address on each of them. */
interface AddressLevel {
  level: 'clean' | 'shared' | 'penalised';
  /** 0 to 4. */
  penaltyLevel: number;
  /** Efficiency multiplier x 100. */
  efficiencyHundredths: number;
}

/** Number of accounts at one address from which each has a reduced rate. */
export const PENALISED_FROM = 3;

/** Returns the level by the number of accounts that mined at least an hour from the address, including the user. */
export function levelOf(accounts: number): AddressLevel {
  if (accounts <= 1) return { level: 'clean', penaltyLevel: 0, efficiencyHundredths: 100 };
  if (accounts === 2) return { level: 'shared', penaltyLevel: 0, efficiencyHundredths: 100 };
  if (accounts === PENALISED_FROM) return { level: 'penalised', penaltyLevel: 1, efficiencyHundredths: 75 };
  if (accounts <= 5) return { level: 'penalised', penaltyLevel: 2, efficiencyHundredths: 50 };
  if (accounts <= 9) return { level: 'penalised', penaltyLevel: 3, efficiencyHundredths: 30 };
  return { level: 'penalised', penaltyLevel: 4, efficiencyHundredths: 10 };
}

/**
 * Returns the address at which a user counts: the one with the most mining, or null below one hour everywhere.
 * On a tie the smaller hash wins, so that every replica decides alike.
 */
export function countingAddress(mined: readonly MinedAtAddress[]): string | null {
  let best: MinedAtAddress | null = null;
  for (const at of mined) {
    const more = best === null || at.minedMs > best.minedMs;
    const equalAndFirst = best !== null && at.minedMs === best.minedMs && at.addressHash < best.addressHash;
    if (more || equalAndFirst) best = at;
  }
  return best !== null && best.minedMs >= COUNTS_FROM_MS ? best.addressHash : null;
}

/** Returns whether a user has mined one hour in total at counting addresses: from then on the level decides on a referrer's bonus. */
export function hasMinedAnHour(mined: readonly MinedAtAddress[]): boolean {
  return mined.reduce((sum, { minedMs }) => sum + minedMs, 0) >= COUNTS_FROM_MS;
}

/** Input of an assessment. */
interface AssessmentFacts {
  /** Accounts that count at the user's address, including the user; 0 when the user counts nowhere. */
  accountsAtAddress: number;
  /** Distinct counting addresses of the user in 30 days. */
  addressesOfUser: number;
  /** An admin cleared the user. */
  cleared: boolean;
  /** An admin marked the address as shared by many people, as in a school. */
  addressIsShared: boolean;
}

/** Status of the network check without the time of the check. */
export interface Assessment {
  efficiencyHundredths: number;
  penaltyLevel: number;
  isFlagged: boolean;
  /** 0 to 100: the share of the rate that the level takes, or 10 for a shared address without penalty. */
  riskScore: number;
  totalUsersOnIp: number;
  otherUsersOnIp: number;
  userIpCount: number;
  warningMessage: string | null;
}

const RISK_OF_SHARED = 10;

/** Assesses one user: the reason and the numbers, never names. */
export function assess(facts: AssessmentFacts): Assessment {
  const total = Math.max(1, facts.accountsAtAddress);
  const others = total - 1;
  const counted = levelOf(total);
  const pardoned = facts.cleared || facts.addressIsShared;
  const level = pardoned ? levelOf(1) : counted;
  const shared = counted.level !== 'clean' && !pardoned;
  return {
    efficiencyHundredths: level.efficiencyHundredths,
    penaltyLevel: level.penaltyLevel,
    isFlagged: shared,
    riskScore: level.penaltyLevel > 0 ? 100 - level.efficiencyHundredths : shared ? RISK_OF_SHARED : 0,
    totalUsersOnIp: total,
    otherUsersOnIp: others,
    userIpCount: facts.addressesOfUser,
    warningMessage: shared ? warning(others, level) : null,
  };
}

function warning(others: number, level: AddressLevel): string {
  const who = others === 1 ? '1 other account has' : `${others} other accounts have`;
  const seen = `${who} mined from your network address in the last 30 days.`;
  if (level.penaltyLevel === 0) return `${seen} Your rate is not reduced.`;
  return `${seen} Your mining rate is reduced to ${level.efficiencyHundredths}%. You may appeal in Settings.`;
}
