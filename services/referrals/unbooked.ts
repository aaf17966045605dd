import { commissionMicro } from '@cord/contracts/rules/bonuses';
import { FIRST_BOOK } from '@cord/contracts/rules/rule-book';
import type { Clock } from '@cord/kit/clock';
import type { Log } from '@cord/kit/log';
import type { Metrics } from '@cord/kit/metrics';
import { periodic } from '@cord/kit/periodic';
import pLimit from 'p-limit';
import { FOLLOW_BOUNDS } from './follow.js';
import type { CommissionLedger } from './ledger.js';
import { PAYER_BOUNDS } from './payer.js';
import type { ReferralStore } from './store.js';

export const UNBOOKED_BOUNDS = {
  /** Interval of checking for referrers with due commission, ms. */
  everyMs: PAYER_BOUNDS.everyMs,
  /** Minimum time between two reports of a referrer's total, ms. */
  quietMs: PAYER_BOUNDS.quietMs,
  /** Time without events after which the books have caught up, ms. */
  keptMs: FOLLOW_BOUNDS.againMs,
  /** Maximum number of referrers in memory; the books report the others. */
  referrers: 10_000,
  /** Maximum number of friends in memory per referrer: their lines are read each time, and a payment should read less than 20 KB. */
  friends: 64,
  /** Referrers reported in parallel. */
  atOnce: 16,
};

/** The location of a friend's line. */
export interface Place {
  referrerId: string;
  bucket: number;
  friendId: string;
}

/**
 * Keeps in memory what friends' nodes earned that the books do not have yet (follow.ts), so that the ledger still
 * gets a commission report every minute. It reports the running total that the books will reach, which never exceeds
 * the friends' earnings: when the books reach a reported total, nothing changes. The books later report what is lost
 * with this process or with mining, which may write half a minute later, or what exceeds the bounds.
 */
export type UnbookedEarnings = ReturnType<typeof createUnbooked>;

interface Ahead {
  friends: Map<string, { bucket: number; countedMicro: bigint }>;
  reportedAtMs: number;
  notedAtMs: number;
  /** Whether something was noted since the last report. */
  news: boolean;
}

export function createUnbooked(parts: {
  sums: Pick<ReferralStore['sums'], 'countedIn' | 'tally'>;
  ledger: Pick<CommissionLedger, 'accrue'>;
  clock: Clock;
  log: Pick<Log, 'warn'>;
  metrics?: Metrics;
  /** Whether operators allow sending commission; the books later send what was skipped. */
  isOn?: () => Promise<boolean>;
  bounds?: typeof UNBOOKED_BOUNDS;
}) {
  const { sums, ledger, clock, log, metrics, isOn = async () => true, bounds = UNBOOKED_BOUNDS } = parts;
  const limit = pLimit(bounds.atOnce);
  const kept = new Map<string, Ahead>();

  /** Returns by how much friends exceed their lines, micro-CORD; forgets friends who do not. */
  const aheadOfLines = async (referrerId: string, { friends }: Ahead): Promise<bigint> => {
    let aheadMicro = 0n;
    for (const bucket of new Set([...friends.values()].map((noted) => noted.bucket))) {
      const noted = [...friends].filter(([, friend]) => friend.bucket === bucket);
      const ids = noted.map(([friendId]) => friendId);
      const lines = await sums.countedIn(referrerId, bucket, ids);
      for (const [friendId, { countedMicro }] of noted) {
        const lineMicro = lines.get(friendId);
        if (lineMicro !== undefined && countedMicro > lineMicro) aheadMicro += countedMicro - lineMicro;
        else friends.delete(friendId);
      }
    }
    return aheadMicro;
  };
  const accrue = async (referrerId: string, ahead: Ahead): Promise<void> => {
    ahead.news = false;
    ahead.reportedAtMs = clock.now();
    try {
      // The sum is read before the lines, which only increase: concurrent updates of the books may be missing, but never count twice.
      const { sumMicro } = await sums.tally(referrerId);
      const aheadMicro = await aheadOfLines(referrerId, ahead);
      if (aheadMicro > 0n) await ledger.accrue(referrerId, commissionMicro(FIRST_BOOK, sumMicro + aheadMicro), true);
    } catch (err) {
      log.warn({ err, referrerId }, 'commission could not be reported ahead of the books; they report it later');
    }
  };
  const sendDue = async (everyone = false) => {
    const nowMs = clock.now();
    for (const [referrerId, { notedAtMs }] of kept) if (nowMs - notedAtMs > bounds.keptMs) kept.delete(referrerId);
    if (!(await isOn())) return;
    const due = [...kept].filter(
      ([, { news, reportedAtMs }]) => news && (everyone || nowMs >= reportedAtMs + bounds.quietMs),
    );
    await Promise.all(due.map(([referrerId, ahead]) => limit(() => accrue(referrerId, ahead))));
  };
  const rounds = periodic(
    { clock, log, metrics },
    {
      name: 'commission ahead of the books',
      everyMs: bounds.everyMs,
      everywhere: 'each replica reports what it keeps in memory',
      run: ({ moved }) => sendDue(moved),
    },
  );
  return {
    /**
     * Notes a friend's counted amount ahead of the books, micro-CORD.
     * @param reportedAtMs when the referrer's total was last reported
     */
    note({ referrerId, bucket, friendId }: Place, countedMicro: bigint, reportedAtMs: number) {
      const known = kept.get(referrerId);
      if (!known && kept.size >= bounds.referrers) return;
      const ahead = known ?? { friends: new Map(), reportedAtMs, notedAtMs: 0, news: false };
      if (!ahead.friends.has(friendId) && ahead.friends.size >= bounds.friends) return;
      ahead.friends.set(friendId, { bucket, countedMicro });
      ahead.reportedAtMs = Math.max(ahead.reportedAtMs, reportedAtMs);
      ahead.notedAtMs = clock.now();
      ahead.news = true;
      kept.set(referrerId, ahead);
    },
    /** Reports all referrers whose quiet time is over, or all. Never throws. */
    sendDue: (everyone?: boolean) => rounds.inTurn(() => sendDue(everyone)),
    start: rounds.start,
    stop: rounds.stop,
  };
}
