import type { Clock } from '@cord/kit/clock';
import { compareAndSet, LOST } from '@cord/kit/compare-and-set';
import { createKeyedMutex } from '@cord/kit/keyed-mutex';
import type { Step } from '@cord/kit/versioned';
import { announced, type Member } from './member.js';
import type { ReferralStore } from './store.js';

/** Changes members and publishes `referral.linked` in the same write. */
export type Places = ReturnType<typeof createPlaces>;

export function createPlaces({ members, sums }: Pick<ReferralStore, 'members' | 'sums'>, clock: Pick<Clock, 'now'>) {
  // Calls within one process wait for each other instead of losing races.
  const mutex = createKeyedMutex();
  return {
    /**
     * Applies a step. The number of friends in its event is read after the version that the write replaces: of two
     * concurrent replicas, the last one has counted the friends of both.
     * @param step pure; it may run several times
     * @throws what the step throws, before any write; Problem 503 when races are lost too often
     */
    change: <R>(userId: string, step: (member: Member) => Step<Member, R>) =>
      mutex.run(userId, () =>
        compareAndSet(async () => {
          const seq = (await members.get(userId))?.seq ?? 0n;
          const tally = await sums.tally(userId);
          const done = await members.change<{ result: R } | null>(userId, (member) => {
            if (member.seq !== seq) return { doc: null, result: null };
            const { doc, result } = step(member);
            return { doc: doc && announced(doc, tally, clock.now()), result: { result } };
          });
          return done ? done.result : LOST;
        }),
      ),
  };
}
