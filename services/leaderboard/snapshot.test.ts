import { balanceChanged } from '@cord/contracts/events/balance';
import { type EventKind, subjectOf } from '@cord/contracts/events/envelope';
import { userErased, userRegistered } from '@cord/contracts/events/user';
import { FIRST_BOOK } from '@cord/contracts/rules/rule-book';
import { createLeases } from '@cord/kit/lease';
import { createLogger } from '@cord/kit/log';
import { restingAccount } from '@cord/kit/testing/account-state';
import { createTestClock, randomId, startTestStore } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { registered } from '@cord/kit/testing/registered';
import { ensureTopology } from '@cord/kit/topology';
import { beforeAll, describe, expect, test } from 'vitest';
import { data } from './data.js';
import { Board } from './domain/board.js';
import { Presence } from './domain/presence.js';
import { rebuild } from './rebuild.js';
import { writeSnapshots } from './snapshots.js';
import { type LeaderboardStore, openStore, SNAPSHOTS } from './store.js';

const NOON_MS = Date.UTC(2026, 10, 21, 12);
const log = createLogger('test', 'silent');
const clock = createTestClock(NOON_MS);

const backend = forAllTests(() => startTestStore({ data, own: true }));
let store: LeaderboardStore;
beforeAll(() => {
  store = openStore(backend.store);
});

const publish = async (kind: EventKind, userId: string, seq: number, state: object) => {
  const id = `${kind.thing}.${kind.verb}:${userId}:${seq}`;
  await backend.nats.publish(subjectOf(kind, userId), { v: 1, id, at: 1, userId, seq: String(seq), ...state }, id);
};
const earned = (userId: string, seq: number, balance: string) =>
  publish(balanceChanged, userId, seq, restingAccount({ balance }));

/** Runs a replica from start to stop. */
async function replica<R>(
  use: (board: Board, snapshot: () => Promise<boolean>, presence: Presence) => Promise<R> | R,
): Promise<R> {
  // It uses the name of the service, because the contract names the consumers by it.
  const nats = { ...backend.nats, service: 'leaderboard' };
  const leases = createLeases(backend.store, clock);
  const board = new Board(NOON_MS, () => FIRST_BOOK);
  const presence = new Presence();
  presence.restore(await store.lastOnline(), clock.now());
  const following = await rebuild({ nats, board, store, log });
  const snapshots = writeSnapshots({ board, presence, following, store, leases, clock, log });
  try {
    return await use(board, snapshots.writeOnce, presence);
  } finally {
    await snapshots.stop();
    await leases.releaseAll();
    for (const part of following.parts) await part.stop();
  }
}
const shown = (board: Board) =>
  board.top('all-time', 10, NOON_MS).map(({ username, total_earned }) => [username, total_earned]);

test('a board starts from its snapshot and later events, and reads nothing before it', async () => {
  const [first, second, gone] = [randomId(), randomId(), randomId()];
  for (const [userId, username] of [
    [first, 'first'],
    [second, 'second'],
    [gone, 'gone'],
  ] as const) {
    await publish(userRegistered, userId, 1, registered(NOON_MS, { username }));
    await earned(userId, 1, '5000000');
  }
  await publish(userErased, gone, 2, {});
  await replica(async (board, snapshot) => {
    expect(shown(board)).toHaveLength(2);
    expect(await snapshot()).toBe(true);
    expect(await snapshot()).toBe(false);
  });
  // Messages before the positions now exist in the snapshot only.
  for (const stream of ['CORD_BALANCE', 'CORD_USERS']) await backend.nats.jsm.streams.purge(stream);
  await earned(second, 2, '9000000');
  await earned(gone, 9, '99000000');
  await replica((board) => {
    expect(shown(board)).toEqual([
      ['second', 9],
      ['first', 5],
    ]);
    expect(board.rankOf(gone)).toBeNull();
  });
});

test.each(['CORD_BALANCE', 'CORD_USERS', 'CORD_REWARDS'])(
  'a snapshot is ignored when %s was recreated, and the board is rebuilt from the streams',
  async (stream) => {
    const userId = randomId();
    await replica(async (_board, snapshot) => {
      await earned(userId, 1, '5000000');
      await expect.poll(snapshot).toBe(true);
    });
    await backend.nats.jsm.streams.delete(stream);
    await ensureTopology(backend.nats);
    await backend.nats.jsm.streams.purge('CORD_BALANCE');
    await earned(userId, 2, '3000000');
    await replica((board) => expect(shown(board)).toEqual([['–', 3]]));
  },
);

test('an unreadable snapshot does not keep a replica from starting from the streams', async () => {
  const userId = randomId();
  await earned(userId, 1, '7000000');
  await store.saveSnapshot(
    { places: {}, atMs: 1, online: 0 },
    { pieces: () => [Buffer.from('no piece')].values() as never },
  );
  await replica(async (board, snapshot) => {
    expect(board.rankOf(userId)).not.toBeNull();
    expect(await snapshot()).toBe(true);
  });
  await replica((board) => expect(board.rankOf(userId)).not.toBeNull());
});

describe('an unfinished snapshot', () => {
  const places = { CORD_USERS: { created: '2026-11-21T12:00:00Z', seq: 1 } };
  const stored = () => SNAPSHOTS.in(backend.store).countDocuments({ data: { $exists: true } });
  const piecesOf = (count: number) => ({
    *pieces() {
      for (let n = 0; n < count; n += 1) yield Buffer.from('a piece');
    },
  });

  test('leaves nothing behind, so that it cannot fill a disk by repetition', async () => {
    await store.saveSnapshot({ places, atMs: 1, online: 0 }, piecesOf(2));
    const fullAfterOne = {
      *pieces() {
        yield Buffer.from('a piece');
        throw new Error('the disk is full');
      },
    };
    for (const atMs of [2, 3, 4])
      await expect(store.saveSnapshot({ places, atMs, online: 0 }, fullAfterOne)).rejects.toThrow('the disk is full');
    expect([await stored(), await store.snapshotAtMs()]).toEqual([2, 1]);
  });

  test('is removed by the next one when its process was killed', async () => {
    await store.saveSnapshot({ places, atMs: 1, online: 0 }, piecesOf(2));
    await SNAPSHOTS.in(backend.store).insertOne({ _id: 'killed:0', generation: 'killed', data: 1 as never });
    const seen: number[] = [];
    const looks = {
      *pieces() {
        void stored().then((count) => seen.push(count));
        yield Buffer.from('a piece');
      },
    };
    await store.saveSnapshot({ places, atMs: 2, online: 0 }, looks);
    expect([seen, await stored()]).toEqual([[2], 1]);
  });

  test('does not replace a later one when its replica stalled while another one wrote', async () => {
    await store.saveSnapshot({ places, atMs: 1, online: 0 }, piecesOf(2));
    let other: Promise<void> | undefined;
    const stalls = {
      *pieces() {
        yield Buffer.from('a piece');
        other = store.saveSnapshot({ places, atMs: 2, online: 0 }, piecesOf(3));
        for (let n = 0; n < 60; n += 1) yield Buffer.from('a piece');
      },
    };
    await expect(store.saveSnapshot({ places, atMs: 3, online: 0 }, stalls)).rejects.toThrow('E11000');
    await other;
    const loaded: Buffer[] = [];
    expect(await store.loadSnapshot({ loadPiece: (piece) => void loaded.push(piece) })).toEqual(places);
    expect([loaded.length, await store.snapshotAtMs()]).toEqual([3, 2]);
  });
});

test('users online before a restart count for five minutes, but not after a longer outage', async () => {
  const fiveMs = 300_000;
  await earned(randomId(), 1, '1000000');
  await replica(async (_board, snapshot, presence) => {
    for (const userId of [randomId(), randomId(), randomId()]) presence.markSeen(userId, clock.now());
    expect(await snapshot()).toBe(true);
  });
  const onlineOf = (afterMs: number) =>
    replica((_board, _snapshot, presence) => {
      presence.markSeen(randomId(), clock.now() + afterMs);
      return presence.count(clock.now() + afterMs);
    });
  expect([await onlineOf(0), await onlineOf(fiveMs - 1), await onlineOf(fiveMs)]).toEqual([3, 3, 1]);
  await clock.advance(2 * fiveMs);
  expect(await onlineOf(0)).toBe(1);
});
