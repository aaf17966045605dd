import { dayKey, monthKey, weekKey } from '@cord/contracts/rules/days';

const YEAR_MS = 31_557_600_000;

/** Id of the n-th user; ids rise with n. */
export function idOf(n: number): string {
  return n.toString(16).padStart(8, '0') + mixed(n).toString(16).padStart(8, '0').repeat(3);
}

export function profileOf(n: number, nowMs: number) {
  return { username: `miner${n}`, avatar: null, discordCreatedAtMs: nowMs - (mixed(n + 1) % (9 * YEAR_MS)) };
}

/** Ledger account of the n-th user. */
export function accountOf(n: number, nowMs: number) {
  const dayMicro = 1 + (mixed(n + 2) % 500_000_000);
  const micro = dayMicro + mixed(n + 3) * 4;
  const period = (key: string, sum: number) => ({
    key,
    micro: String(sum),
    miningMicro: String(sum),
    reachedAt: nowMs - (n % 1_000),
  });
  return {
    userId: idOf(n),
    seq: '7',
    balance: String(micro),
    total: String(micro),
    totalReachedAt: nowMs - (n % 1_000),
    day: period(dayKey(nowMs), dayMicro),
    week: period(weekKey(nowMs), dayMicro * 2),
    month: period(monthKey(nowMs), dayMicro * 3),
    bySource: { mining: String(micro) },
    node: {
      status: 'active',
      sessionId: idOf(n),
      startedAt: nowMs - 60_000,
      creditedUntil: nowMs,
      leaseUntil: nowMs + 8 * 3_600_000,
      rateNano: '500000000',
      ranMs: 60_000,
    },
    epoch: { id: 'alpha', joinedAt: nowMs - 60_000, micro: '1' },
  };
}

/** Hashes n to 32 pseudo-random bits. */
function mixed(n: number) {
  let x = (n + 0x9e3779b9) >>> 0;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b) >>> 0;
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35) >>> 0;
  return (x ^ (x >>> 16)) >>> 0;
}
