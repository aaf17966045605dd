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

export const LATELY_BOUNDS = {
  /** How often it is looked for referrers whose commission is due, ms. */
  everyMs: PAYER_BOUNDS.everyMs,
  /** A referrer's total is reported at most once in this time, ms. */
  quietMs: PAYER_BOUNDS.quietMs,
  /** After this time without news the books have followed, ms. */
  keptMs: FOLLOW_BOUNDS.againMs,
  /** Referrers kept at most; those beyond it are left to the books. */
  referrers: 10_000,
  /** Friends kept of one referrer: their lines are read each time, and a payment is to read under 20 KB. */
  friends: 64,
  /** Referrers reported at a time. */
  atOnce: 16,
};

/** Where a friend's line stands. */
export interface Place {
  referrerId: string;
  bucket: number;
  friendId: string;
}

/**
 * What friends' nodes have earned lately and the books do not hold yet (follow.ts), in this process's memory, so that the ledger
 * gets a report of a commission every minute all the same. It is reported as the running total that it will come to, which is never more
 * than what the friends have earned: a total that was published before changes nothing when the books come to it. What is lost with
 * the process, here or in mining, which may write it half a minute later, or left out because it is too much, the books accrue.
 */
export type Lately = ReturnType<typeof createLately>;

interface Ahead {
  friends: Map<string, { bucket: number; countedMicro: bigint }>;
  reportedAtMs: number;
  notedAtMs: number;
  /** Something was noted since the last report. */
  news: boolean;
}

export function createLately(parts: {
  sums: Pick<ReferralStore['sums'], 'countedIn' | 'tally'>;
  ledger: Pick<CommissionLedger, 'accrue'>;
  clock: Clock;
  log: Pick<Log, 'warn'>;
  metrics?: Metrics;
  /** Whether operators let commission be sent; the books send later what was passed over. */
  isOn?: () => Promise<boolean>;
  bounds?: typeof LATELY_BOUNDS;
}) {
  const { sums, ledger, clock, log, metrics, isOn = async () => true, bounds = LATELY_BOUNDS } = parts;
  const limit = pLimit(bounds.atOnce);
  const kept = new Map<string, Ahead>();

  /** What the friends are ahead of their lines, micro-CORD; who is not is forgotten. */
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
      // The sum is read before the lines, which only rise: what the books take up meanwhile is missing, never there twice.
      const { sumMicro } = await sums.tally(referrerId);
      const aheadMicro = await aheadOfLines(referrerId, ahead);
      if (aheadMicro > 0n) await ledger.accrue(referrerId, commissionMicro(FIRST_BOOK, sumMicro + aheadMicro), true);
    } catch (err) {
      log.warn({ err, referrerId }, 'commission ahead of the books could not be sent; they send it later');
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
     * What a friend has counted to, ahead of the books, micro-CORD.
     * @param reportedAtMs when the referrer's total was reported last
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
    /** Reports all whose minute is over, or all. Never throws. */
    sendDue: (everyone?: boolean) => rounds.inTurn(() => sendDue(everyone)),
    start: rounds.start,
    stop: rounds.stop,
  };
}
