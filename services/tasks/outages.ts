import type { OffSpan } from '@cord/contracts/rules/streak';
import type { Clock } from '@cord/kit/clock';
import { collection } from '@cord/kit/collection';
import type { PeriodicWork } from '@cord/kit/periodic';
import { createShared } from '@cord/kit/shared';
import { insertOnce } from '@cord/kit/store-errors';
import type { Connection } from 'mongoose';

/** A stretch in which check-ins could not be made, ms since epoch. */
interface Outage {
  fromMs: number;
  toMs: number;
}

/** When check-ins could be made last, and when they could not before that. One document of the service. */
interface PossibleDoc {
  _id: string;
  /** The last mark, by the kit's clock, and how far that was ahead of the machine's; ms. */
  atMs: number;
  aheadMs: number;
  /** Oldest first, the latest OUTAGES_KEPT. */
  outages: Outage[];
}

export const POSSIBLE = collection<PossibleDoc>({ name: 'possible' });

const CHECK_INS = 'check-ins';

/** Without a mark for so long check-ins could not be made, ms: a restart and a rolling update are shorter. */
export const OUTAGE_MS = 3 * 60_000;
/** A replica that marks looks this often, and leaves it where another has marked since, ms. */
const LOOK_EVERY_MS = 20_000;
const MARK_EVERY_MS = 30_000;
/** How long the document is believed before it is read again, ms: with the time between two marks less than OUTAGE_MS. */
const READ_EVERY_MS = 60_000;
const OUTAGES_KEPT = 64;

/** When check-ins could not be made through a fault of ours. */
export type Outages = ReturnType<typeof createOutages>;

/**
 * Any replica that can take check-ins marks it, about twice a minute in all. A gap between two marks is an outage: so one that ends every process, the
 * store or the machine is known as well. Gap and mark are one compare-and-set: a crash loses neither, and replicas record a gap once.
 * @param parts.canBeMade whether a check-in that a user sends now would arrive here
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
    // Another replica has marked: what this one believes may still be open here.
    if (passedMs < MARK_EVERY_MS) return known.forget();
    const gap = passedMs >= OUTAGE_MS ? [{ fromMs: now.atMs - passedMs, toMs: now.atMs }] : [];
    // Where another replica was quicker, it has recorded the same gap.
    await stored.updateOne(
      { _id: CHECK_INS, atMs: before.atMs, aheadMs: before.aheadMs },
      { $set: now, $push: { outages: { $each: gap, $slice: -OUTAGES_KEPT } } },
    );
    known.forget();
  }

  return {
    /** Marks the present moment as one in which check-ins can be made; what lies between the last mark and this one becomes an outage if it is long. */
    mark,
    /** Oldest first; the last one is open (`toMs` null) while it lasts. */
    async spans(nowMs: number): Promise<readonly OffSpan[]> {
      const last = await known.get(nowMs, read);
      if (last === null) return [];
      const passedMs = timeBetween(last, { ...present(), atMs: nowMs });
      return passedMs < OUTAGE_MS ? last.outages : [...last.outages, { fromMs: nowMs - passedMs, toMs: null }];
    },
    work: {
      name: 'check-ins can be made',
      everyMs: LOOK_EVERY_MS,
      everywhere: 'any replica that can take a check-in proves that check-ins can be made',
      run: async () => {
        if (await canBeMade()) await mark();
      },
    } satisfies PeriodicWork,
  };
}

/** ms that passed from one mark to another; what a movable clock skipped is none. */
function timeBetween(before: Omit<PossibleDoc, '_id' | 'outages'>, after: typeof before): number {
  return after.atMs - after.aheadMs - (before.atMs - before.aheadMs);
}
