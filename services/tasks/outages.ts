import type { OffSpan } from '@cord/contracts/rules/streak';
import type { Clock } from '@cord/kit/clock';
import { collection } from '@cord/kit/collection';
import type { PeriodicWork } from '@cord/kit/periodic';
import { createShared } from '@cord/kit/shared';
import { insertOnce } from '@cord/kit/store-errors';
import type { Connection } from 'mongoose';

/** A time span in which check-ins were not possible, ms since epoch. */
interface Outage {
  fromMs: number;
  toMs: number;
}

/** The last mark that check-ins are possible, and the outages before it. The service has one such document. */
interface PossibleDoc {
  _id: string;
  /** Time of the last mark by the kit's clock, and that clock's lead over the machine's; ms. */
  atMs: number;
  aheadMs: number;
  /** The latest OUTAGES_KEPT outages, oldest first. */
  outages: Outage[];
}

export const POSSIBLE = collection<PossibleDoc>({ name: 'possible' });

const CHECK_INS = 'check-ins';

/** A gap between marks of at least this length is an outage, ms. Restarts and rolling updates are shorter. */
export const OUTAGE_MS = 3 * 60_000;
/** Interval of a replica's checks, ms; it skips the mark when another replica has marked recently. */
const CHECK_EVERY_MS = 20_000;
const MARK_EVERY_MS = 30_000;
/** Cache lifetime of the document, ms; together with the interval of marks it is less than OUTAGE_MS. */
const READ_EVERY_MS = 60_000;
const OUTAGES_KEPT = 64;

/** Records when check-ins were not possible through a fault of the system. */
export type Outages = ReturnType<typeof createOutages>;

/**
 * Any replica that can accept check-ins marks that, about twice a minute in total. A long gap between two marks is an outage, so one that ends every
 * process, the store or the machine is detected as well. Gap and mark are one compare-and-set: a crash loses neither, and a gap is recorded once.
 * @param parts.canBeMade whether a check-in sent now would be accepted
 */
export function createOutages(
  connection: Connection,
  { clock, canBeMade }: { clock: Pick<Clock, 'now' | 'offsetMs'>; canBeMade: () => Promise<boolean> },
) {
  const stored = POSSIBLE.in(connection);
  const known = createShared<PossibleDoc | null>(READ_EVERY_MS);
  const read = () => stored.findOne({ _id: CHECK_INS });
  const present = () => ({ atMs: clock.now(), aheadMs: clock.offsetMs?.() ?? 0 });

  async function mark(): Promise<void> {
    const before = await read();
    const now = present();
    if (before === null) {
      await insertOnce(() => stored.insertOne({ _id: CHECK_INS, ...now, outages: [] }));
      return;
    }
    const passedMs = timeBetween(before, now);
    // Another replica has marked: this one's cached outage may be over.
    if (passedMs < MARK_EVERY_MS) return known.forget();
    const gap = passedMs >= OUTAGE_MS ? [{ fromMs: now.atMs - passedMs, toMs: now.atMs }] : [];
    // A quicker replica has recorded the same gap.
    await stored.updateOne(
      { _id: CHECK_INS, atMs: before.atMs, aheadMs: before.aheadMs },
      { $set: now, $push: { outages: { $each: gap, $slice: -OUTAGES_KEPT } } },
    );
    known.forget();
  }

  return {
    /** Marks that check-ins are possible now; a long gap since the last mark becomes an outage. */
    mark,
    /** Returns the outages, oldest first; the last one has `toMs` null while it lasts. */
    async spans(nowMs: number): Promise<readonly OffSpan[]> {
      const last = await known.get(nowMs, read);
      if (last === null) return [];
      const passedMs = timeBetween(last, { ...present(), atMs: nowMs });
      return passedMs < OUTAGE_MS ? last.outages : [...last.outages, { fromMs: nowMs - passedMs, toMs: null }];
    },
    work: {
      name: 'check-ins can be made',
      everyMs: CHECK_EVERY_MS,
      everywhere: 'any replica that can take a check-in proves that check-ins can be made',
      run: async () => {
        if (await canBeMade()) await mark();
      },
    } satisfies PeriodicWork,
  };
}

/** Returns the ms between two marks, without time skipped by a test clock. */
function timeBetween(before: Omit<PossibleDoc, '_id' | 'outages'>, after: typeof before): number {
  return after.atMs - after.aheadMs - (before.atMs - before.aheadMs);
}
