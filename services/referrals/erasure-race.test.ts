import { userErased } from '@cord/contracts/events/user';
import { handsOf } from '@cord/kit/testing/last-only';
import { expect, test } from 'vitest';
import { newFriend } from './domain/friend.js';
import { listen } from './events.js';
import type { Follow } from './follow.js';
import { newMember } from './store.js';
import { newWorld, processOf } from './test/world.js';

const [REFERRER, FRIEND] = ['a'.repeat(32), 'b'.repeat(32)];
const EARNED = { accountSeq: 9n, eligibleMicro: 9_000n, totalMicro: 9_000n, ranMs: 0 };

test('a link that is written while its friend is erased brings the referrer what the friend earned since', async () => {
  const world = newWorld();
  const { books, store, follow } = processOf(world);
  await store.members.change(REFERRER, (member) => ({ doc: member, result: undefined }));
  await store.members.change(FRIEND, () => ({ doc: newMember(FRIEND), result: undefined }));
  world.announced.set(FRIEND, { account: EARNED, running: false });
  /** The link, as another process writes it: its baseline was read before the friend earned anything. */
  const link = () =>
    store.members.change(FRIEND, (member) => ({
      doc: {
        ...member,
        referredBy: { userId: REFERRER, atMs: 0 },
        friend: newFriend({ ...EARNED, accountSeq: 1n, eligibleMicro: 0n, totalMicro: 0n }, 0, false),
      },
      result: undefined,
    }));
  let isLinked = false;
  const overtaken: Follow = {
    ...follow,
    async beforeErasure(userId) {
      const looked = await follow.beforeErasure(userId);
      if (!isLinked) await link();
      isLinked = true;
      return looked;
    },
  };
  const deliver = handsOf((nats) =>
    listen({ ...nats, jsm: { streams: { purge: async () => undefined } } } as never, {
      store,
      books,
      follow: overtaken,
      arrivals: {} as never,
    }),
  );
  await deliver(FRIEND, { kind: userErased, seq: 2, state: {} });
  expect(world.disk.members.get(FRIEND)).toMatchObject({ erased: true, friend: { countedMicro: 9_000n } });
  expect(world.disk.totals.get(REFERRER)?.sumMicro).toBe(9_000n);
});
