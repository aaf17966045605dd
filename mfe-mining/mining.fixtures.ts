import type { MiningSession } from '@cord/contracts/http/mining';
import { LEASE_MS } from '@cord/contracts/rules/timings';
import {
  at,
  createTestSdk,
  SAMPLE_NOW_MS,
  sampleCheck,
  sampleMining,
  sampleUser,
  type TestSdk,
  type TestSdkOptions,
} from '@cord/sdk/testing';

const iso = (ms: number) => new Date(ms).toISOString();

export const EPOCH = {
  id: 'beta',
  name: 'Epoch Beta',
  description: 'All mining pays a tenth more until the epoch closes.',
  rewardsMultiplier: 1.1,
  startDate: iso(SAMPLE_NOW_MS - 8 * 86_400_000),
  endDate: iso(SAMPLE_NOW_MS + 6 * 86_400_000),
};

const NEXT_EPOCH = { ...EPOCH, id: 'gamma', name: 'Epoch Gamma', rewardsMultiplier: 1.2, startDate: EPOCH.endDate };

export const NODE_STATS = {
  isActive: true,
  startTime: null,
  uptime: 13_337,
  totalUptime: 391 * 3_600 + 8 * 60 + 44,
  firstStartedAt: iso(Date.UTC(2026, 9, 3, 9, 30)),
  dailyEarnings: 425.71,
  totalEarnings: 48_213.57,
  hashRate: 184.2,
  efficiency: 0.98,
  serverTime: iso(SAMPLE_NOW_MS),
};

/** An sdk with a mining service; the node runs `session`, or is idle with null. */
export function miningSdk(session: MiningSession | null, options: TestSdkOptions = {}): TestSdk {
  const sdk = createTestSdk(options);
  sdk.api
    .on(at.mining.current, session)
    .on(at.mining.stats, () => {
      const node = sdk.session.node.get();
      return { ...NODE_STATS, isActive: (node === undefined ? session : node)?.status === 'active' };
    })
    .on(at.support.anticheat, sampleCheck())
    .on(at.rewards.currentEpoch, EPOCH)
    .on(at.rewards.epochs, [NEXT_EPOCH])
    .on(at.mining.save, () => saved(sdk, session))
    .on(at.mining.end, () => saved(sdk, session, { status: 'ended', endedAt: iso(sdk.clock.now()) }))
    .on(at.mining.start, () => {
      const now = iso(sdk.clock.now());
      return sampleMining({ earnings: 0, efficiency: 100, startedAt: now, creditedUntil: now, serverTime: now });
    });
  return sdk;
}

/** Returns the response of a save: everything up to now credited. */
function saved(sdk: TestSdk, session: MiningSession | null, changes: Partial<MiningSession> = {}) {
  const known = sdk.session.node.get() ?? session ?? sampleMining();
  const nowMs = sdk.clock.now();
  const ms = Math.max(0, nowMs - Date.parse(known.creditedUntil));
  const credited = Math.floor((known.rate * ms * 1e6) / 60_000) / 1e6;
  const balance = (sdk.session.state.get().user?.current_balance ?? 0) + credited;
  const now = iso(nowMs);
  return {
    success: true as const,
    credited,
    newBalance: balance,
    updatedUser: { id: sampleUser().id, balanceSeq: String(nowMs), current_balance: Math.floor(balance * 1e6) / 1e6 },
    rateUntil: null,
    session: {
      ...known,
      earnings: Math.floor((known.earnings + credited) * 1e6) / 1e6,
      creditedUntil: now,
      leaseUntil: iso(nowMs + LEASE_MS),
      serverTime: now,
      ...changes,
    },
  };
}

/** A session paused by its lease this long ago, with the missed amount at 1.925 CORD/min. */
export function pausedMining(agoMs: number): MiningSession {
  const pausedAt = iso(SAMPLE_NOW_MS - agoMs);
  return sampleMining({
    status: 'paused',
    earnings: 924,
    startedAt: iso(SAMPLE_NOW_MS - agoMs - LEASE_MS),
    endedAt: pausedAt,
    creditedUntil: pausedAt,
    leaseUntil: null,
    missed: Math.floor((1.925 * agoMs * 1e6) / 60_000) / 1e6,
  });
}

/** A running session with this much of its lease left, and optionally the rate of an epoch that begins later. */
export function leasedMining(leftMs: number, epochInMs?: number): MiningSession {
  const session = sampleMining({ leaseUntil: iso(SAMPLE_NOW_MS + leftMs) });
  if (epochInMs === undefined) return session;
  const nextFactors = { ...session.factors, epoch: 1.2, epochId: 'gamma' };
  return { ...session, rateUntil: iso(SAMPLE_NOW_MS + epochInMs), nextFactors, nextRateNano: '2100000000' };
}

/** Response of a save or an end: everything up to now credited, 0.32 CORD on a balance of 50. */
export function settledAnswer({ clock, session }: TestSdk, changes: Partial<MiningSession> = {}) {
  const now = iso(clock.now());
  return {
    success: true as const,
    credited: 0.32,
    newBalance: 50.32,
    updatedUser: { id: session.state.get().user?.id ?? '', balanceSeq: '101', current_balance: 50.32 },
    session: sampleMining({ earnings: 419.65, creditedUntil: now, serverTime: now, ...changes }),
    rateUntil: null,
  };
}
